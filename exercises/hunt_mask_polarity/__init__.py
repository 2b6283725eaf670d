"""Exercise: a bug hunt, the inverted mask. The file to edit is ``hunt_mask_polarity.py``."""
