"""Exercise: counting parameters. The file to edit is ``count_parameters.py``."""
