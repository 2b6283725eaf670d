"""Slips of the pencil, one line each. Their words: text.toml."""

from pathlib import Path

import numpy as np

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

X = np.array([[4.0, 0, -2, 6], [0, 0, 0, 4]])
EPS = 6
WEIGHT, BIAS = np.array([2, 1, -1, 0.5]), np.array([0, 1, 0.5, -1])
CENTRED = X - X.mean(axis=1, keepdims=True)
VARIANCE = (CENTRED**2).mean(axis=1, keepdims=True)
NORMALISED = CENTRED / np.sqrt(VARIANCE + EPS)


def slip(code: str, name: str, numbers: np.ndarray) -> None:
    """Other numbers in one line, rounded to two decimals as a learner's."""
    wrong = np.round(numbers, 2).tolist()
    variants.edit(code, (f"\n{name} = ", f"\n{name} = {wrong}\nright_{name} = "))


# --- 1. mean
slip("mean-of-features", "mean", X.mean(axis=0))
slip("mean-of-all", "mean", np.full(2, X.mean()))
slip("sums", "mean", X.sum(axis=1))
slip("divided-by-three", "mean", X.sum(axis=1) / 3)
slip("minus-overlooked", "mean", np.abs(X).mean(axis=1))
slip("median", "mean", np.median(X, axis=1))

# --- 2. centred
slip("not-centred", "centred", X)
slip("other-way-round", "centred", -CENTRED)
slip("distances", "centred", np.abs(CENTRED))
slip("first-mean-for-both", "centred", X - X[0].mean())

# --- 3. variance
slip("unbiased", "variance", (CENTRED**2).sum(axis=1) / 3)
slip("standard-deviation", "variance", np.sqrt(VARIANCE[:, 0]))
slip("sum-of-squares", "variance", (CENTRED**2).sum(axis=1))
slip("mean-square", "variance", (X**2).mean(axis=1))
slip("mean-distance", "variance", np.abs(CENTRED).mean(axis=1))
slip("eps-already-in", "variance", VARIANCE[:, 0] + EPS)

# --- 4. normalised
slip("no-eps", "normalised", CENTRED / np.sqrt(VARIANCE))
slip("eps-outside", "normalised", CENTRED / (np.sqrt(VARIANCE) + EPS))
slip("no-root", "normalised", CENTRED / (VARIANCE + EPS))
slip("eps-squared", "normalised", CENTRED / np.sqrt(VARIANCE + EPS**2))
slip("x-divided", "normalised", X / np.sqrt(VARIANCE + EPS))
slip("multiplied", "normalised", CENTRED * np.sqrt(VARIANCE + EPS))

# --- 5. output
slip("no-bias", "output", NORMALISED * WEIGHT)
slip("no-weight", "output", NORMALISED + BIAS)
slip("bias-first", "output", (NORMALISED + BIAS) * WEIGHT)
slip("weight-and-bias-exchanged", "output", NORMALISED * BIAS + WEIGHT)
slip("bias-subtracted", "output", NORMALISED * WEIGHT - BIAS)
