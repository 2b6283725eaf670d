"""Exercise: beam search. The file to edit is ``beam_search.py``."""
