"""Exercise: the label-smoothed loss. The file to edit is ``label_smoothing.py``."""
