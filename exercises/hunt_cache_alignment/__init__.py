"""Exercise: a bug hunt, the causal mask beside a cache: edit ``hunt_cache_alignment.py``."""
