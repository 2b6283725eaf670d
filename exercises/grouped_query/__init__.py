"""Exercise: grouped-query attention. The file to edit is ``grouped_query.py``."""
