"""Exercise: causal, padding and combined masks. The file to edit is ``masks.py``."""
