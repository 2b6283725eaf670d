"""Exercise: the warm-up schedule. The file to edit is ``warmup.py``."""
