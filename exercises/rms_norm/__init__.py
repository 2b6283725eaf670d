"""Exercise: RMS normalisation. The file to edit is ``rms_norm.py``."""
