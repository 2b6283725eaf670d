"""Exercise: a bug hunt, minus a billion in half precision: edit ``hunt_fp16_mask.py``."""
