"""Exercise: greedy decoding. The file to edit is ``greedy.py``."""
