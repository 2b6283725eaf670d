"""Exercise: masked-LM corruption. The file to edit is ``masked_lm.py``."""
