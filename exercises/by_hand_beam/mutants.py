"""Slips of the pencil, one line each. Their words: text.toml."""

from pathlib import Path

import numpy as np

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

SO_FAR = np.array([-0.4, -1.3])
NEXT = np.array([[-0.9, -0.7, -2.3], [-0.3, -2.5, -1.8]])
TOTALS = SO_FAR[:, None] + NEXT
FINISHED, LENGTHS, ALPHA = np.array([-2.4, -2.8]), np.array([4, 8]), 0.6
PENALTIES = ((5 + LENGTHS) / 6) ** ALPHA


def slip(code: str, name: str, numbers: object) -> None:
    """Other numbers in one line, rounded to two decimals as a learner's."""
    wrong = np.round(numbers, 2).tolist()
    variants.edit(code, (f"\n{name} = ", f"\n{name} = {wrong}\nright_{name} = "))


# --- 1. totals
slip("history-forgotten", "totals", NEXT)
slip("logarithms-multiplied", "totals", SO_FAR[:, None] * NEXT)
slip("probabilities-multiplied", "totals", np.exp(TOTALS))
slip("probabilities-added", "totals", np.log(np.exp(SO_FAR)[:, None] + np.exp(NEXT)))
slip("beams-exchanged", "totals", SO_FAR[::-1, None] + NEXT)
slip("subtracted", "totals", SO_FAR[:, None] - NEXT)
slip("averaged", "totals", TOTALS / 2)

# --- 2. best
slip("one-a-beam", "best", [[0, 1], [1, 0]])
slip("without-history", "best", [[1, 0], [0, 1]])
slip("worst", "best", [[1, 1], [1, 2]])
slip("better-one-last", "best", [[0, 0], [0, 1]])
slip("word-before-beam", "best", [[1, 0], [0, 0]])
slip("counted-from-one", "best", [[1, 2], [1, 1]])

# --- 3. cache_rows
slip("cache-not-reordered", "cache_rows", [0, 1])
slip("words-instead-of-beams", "cache_rows", [1, 0])
slip("cache-of-the-other", "cache_rows", [1, 1])

# --- 4. penalties
slip("plain-length", "penalties", LENGTHS)
slip("length-to-alpha", "penalties", LENGTHS**ALPHA)
slip("alpha-as-factor", "penalties", (5 + LENGTHS) / 6 * ALPHA)
slip("no-alpha", "penalties", (5 + LENGTHS) / 6)
slip("not-divided-by-six", "penalties", (5.0 + LENGTHS) ** ALPHA)
slip("divided-after-the-power", "penalties", (5.0 + LENGTHS) ** ALPHA / 6)

# --- 5. final
slip("multiplied", "final", FINISHED * PENALTIES)
slip("not-penalised", "final", FINISHED)
slip("by-length", "final", FINISHED / LENGTHS)
slip("penalty-subtracted", "final", FINISHED - PENALTIES)
slip("penalty-added", "final", FINISHED + PENALTIES)
slip("sign-lost", "final", -FINISHED / PENALTIES)

# --- 6. winner
slip("most-negative", "winner", 0)
