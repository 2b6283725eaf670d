"""Exercise: scaled dot-product attention. The file to edit is ``sdpa.py``."""
