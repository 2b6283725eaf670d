"""Exercise: online softmax. The file to edit is ``online_softmax.py``."""
