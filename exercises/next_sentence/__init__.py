"""Exercise: next-sentence pairs. The file to edit is ``next_sentence.py``."""
