"""Exercise: multi-head attention. The file to edit is ``multi_head.py``."""
