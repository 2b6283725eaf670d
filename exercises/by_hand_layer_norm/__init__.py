"""Exercise: a layer norm by hand. The file to edit is ``by_hand_layer_norm.py``."""
