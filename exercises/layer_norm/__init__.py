"""Exercise: layer normalisation. The file to edit is ``layer_norm.py``."""
