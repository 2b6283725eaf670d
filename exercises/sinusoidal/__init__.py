"""Exercise: sinusoidal positions. The file to edit is ``sinusoidal.py``."""
