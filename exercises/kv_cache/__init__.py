"""Exercise: attention with a cache. The file to edit is ``kv_cache.py``."""
