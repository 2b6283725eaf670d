"""Exercise: a softmax that does not overflow. The file to edit is ``softmax.py``."""
