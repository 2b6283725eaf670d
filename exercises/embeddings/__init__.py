"""Exercise: token embeddings, scaled and tied. The file to edit is ``embeddings.py``."""
