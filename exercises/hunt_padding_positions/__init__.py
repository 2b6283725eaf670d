"""Exercise: a bug hunt, positions under padding: edit ``hunt_padding_positions.py``."""
