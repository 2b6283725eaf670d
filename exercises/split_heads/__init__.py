"""Exercise: split features into heads and merge them. The file is ``split_heads.py``."""
