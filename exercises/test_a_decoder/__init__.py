"""Exercise: write a test for any decoder. The file to edit is ``test_a_decoder.py``."""
