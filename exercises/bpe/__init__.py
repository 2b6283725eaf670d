"""Exercise: byte-pair encoding. The file to edit is ``bpe.py``."""
