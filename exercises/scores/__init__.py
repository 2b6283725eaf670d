"""Exercise: attention scores. The file to edit is ``scores.py``."""
