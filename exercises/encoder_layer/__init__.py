"""Exercise: the encoder layer. The file to edit is ``encoder_layer.py``."""
