"""Exercise: the decoder layer. The file to edit is ``decoder_layer.py``."""
