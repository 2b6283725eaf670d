"""Exercise: attention by hand. The file to edit is ``by_hand_attention.py``."""
