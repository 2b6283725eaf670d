"""Exercise: the position-wise feed-forward network. The file to edit is ``feed_forward.py``."""
