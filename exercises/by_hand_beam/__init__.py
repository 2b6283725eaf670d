"""Exercise: a beam step by hand. The file to edit is ``by_hand_beam.py``."""
