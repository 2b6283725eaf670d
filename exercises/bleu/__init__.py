"""Exercise: BLEU. The file to edit is ``bleu.py``."""
