"""Exercise: the top-p filter. The file to edit is ``top_p.py``."""
