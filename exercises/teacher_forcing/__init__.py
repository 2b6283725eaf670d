"""Exercise: the teacher-forcing shift. The file to edit is ``teacher_forcing.py``."""
