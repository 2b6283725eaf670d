"""Exercise: the causal language model's loss. The file to edit is ``causal_lm_loss.py``."""
