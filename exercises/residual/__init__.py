"""Exercise: residual connection with pre- and post-norm. The file to edit is ``residual.py``."""
