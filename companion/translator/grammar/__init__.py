"""A synchronous Chinese-English grammar."""
