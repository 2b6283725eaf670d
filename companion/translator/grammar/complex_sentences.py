"""Sentences of more than one clause: reasons, contrasts, conditions, times, reports, 的-clauses."""
