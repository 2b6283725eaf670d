"""Exercise: cross-attention. The file to edit is ``cross_attention.py``."""
