"""Exercise: write a test for a causal mask. The file to edit is ``test_a_mask.py``."""
