"""Exercise: a bug hunt, layers that are one layer: edit ``hunt_shared_layers.py``."""
