"""Exercise: rotary positions. The file to edit is ``rope.py``."""
