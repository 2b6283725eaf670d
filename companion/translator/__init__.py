"""A Chinese-English translator built from the companion's parts."""
