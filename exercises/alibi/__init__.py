"""Exercise: attention with linear biases (ALiBi). The file to edit is ``alibi.py``."""
