"""Slips of the pencil, one line each. Their words: text.toml."""

from pathlib import Path

import numpy as np

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

QUERIES = np.array([[1, 0], [0, 2], [1, 1]])
KEYS = np.array([[2, 1], [0, 1], [1, -1]])
VALUES = np.array([[1, 0], [0, 1], [-1, 1]])
SCORES = QUERIES @ KEYS.T
SCALED = SCORES / np.sqrt(2)
POWERS = np.exp(SCALED)
WEIGHTS = POWERS / POWERS.sum(axis=1, keepdims=True)


def slip(code: str, name: str, numbers: np.ndarray) -> None:
    """Other numbers in one line, rounded to two decimals as a learner's."""
    wrong = np.round(numbers, 2).tolist()
    variants.edit(code, (f"\n{name} = ", f"\n{name} = {wrong}\nright_{name} = "))


def normalised(numbers: np.ndarray, axis: int | None = 1) -> np.ndarray:
    """Divided by the sums along an axis."""
    return numbers / numbers.sum(axis=axis, keepdims=axis is not None)


# --- 1. scores
slip("rows-and-columns-swapped", "scores", SCORES.T)
slip("queries-with-queries", "scores", QUERIES @ QUERIES.T)
slip("keys-with-keys", "scores", KEYS @ KEYS.T)
slip("first-feature-only", "scores", np.outer(QUERIES[:, 0], KEYS[:, 0]))
slip("minus-overlooked", "scores", QUERIES @ np.abs(KEYS).T)
slip("values-instead-of-keys", "scores", QUERIES @ VALUES.T)

# --- 2. scaled
slip("not-scaled", "scaled", SCORES)
slip("by-d-k", "scaled", SCORES / 2)
slip("by-root-of-tokens", "scaled", SCORES / np.sqrt(3))
slip("multiplied", "scaled", SCORES * np.sqrt(2))

# --- 3. weights
slip("over-the-queries", "weights", normalised(POWERS, 0))
slip("over-everything", "weights", normalised(POWERS, None))
slip("scale-forgotten", "weights", normalised(np.exp(SCORES)))
slip("not-divided", "weights", POWERS)
slip("no-exponential", "weights", normalised(SCALED))
slip("powers-of-two", "weights", normalised(2.0**SCALED))
slip("squares", "weights", normalised(SCALED**2))
slip("largest-only", "weights", np.eye(3)[WEIGHTS.argmax(axis=1)])

# --- 4. output
slip("weights-transposed", "output", WEIGHTS.T @ VALUES)
slip("keys-averaged", "output", WEIGHTS @ KEYS)
slip("own-value-only", "output", np.diag(WEIGHTS)[:, None] * VALUES)
slip("plain-average", "output", np.tile(VALUES.mean(axis=0), (3, 1)))
slip("minus-one-overlooked", "output", WEIGHTS @ np.abs(VALUES))
