"""Exercise: split a hidden vector into heads, and merge them again. The file is ``split_heads.py``."""
