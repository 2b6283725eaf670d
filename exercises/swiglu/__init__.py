"""Exercise: SwiGLU and its width. The file to edit is ``swiglu.py``."""
