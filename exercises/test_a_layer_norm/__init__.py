"""Exercise: write a test for a layer norm. The file to edit is ``test_a_layer_norm.py``."""
