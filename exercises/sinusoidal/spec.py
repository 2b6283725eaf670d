"""Sinusoidal positions: the reference, one number after the other, and what must hold."""

import math

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

POSITIONS = "sinusoidal_positions"
exercise = Exercise(__file__, order=150, minutes=15, parts=(POSITIONS,))


@exercise.oracle(POSITIONS, axes="position feature")
def reference(length, d_model):
    """Vaswani et al. (2017), section 3.5."""
    result = np.zeros((length, d_model))
    for position, column in np.ndindex(length, d_model):
        wave = math.sin if column % 2 == 0 else math.cos
        pair = column // 2
        result[position, column] = wave(position / 10000.0 ** (2 * pair / d_model))
    return result


def table(length: int, d_model: int, label: str = "") -> Case:
    """A call."""
    return Case(POSITIONS, {"length": length, "d_model": d_model}, label)


def even_sizes(draw: Draw) -> tuple[int, int]:
    """A length and an even d_model that differ, with at least three pairs."""
    (pairs,) = draw.dims("pairs", smallest=3)
    length = 2 * pairs + 1 + int(draw.integers(0, 4))
    return length, 2 * pairs


def rows_of(trial: Trial) -> np.ndarray:
    """The returned table, which must have the right shape to be looked at row by row."""
    rows, wanted = numbers(trial), trial.expected.shape
    expect(rows.shape == wanted, f"The result has shape {rows.shape}; expected {wanted}.", trial)
    return rows


@exercise.check(Stage.CONTRACT, judge="shape")
def one_row_for_each_position(draw):
    return [table(*even_sizes(draw))]


@exercise.check(Stage.CONTRACT)
def the_table_is_float32(draw):
    (trial,) = yield [table(3, 4)]
    dtype = getattr(trial.outcome.value, "dtype", "none")
    expect(dtype == "float32", f"The table's dtype is {dtype}; it must be float32.", trial)


@exercise.check(Stage.ISOLATED)
def position_zero(draw):
    return [table(1, 4, "position 0 only: sin 0 = 0 and cos 0 = 1")]


@exercise.check(Stage.ISOLATED)
def one_pair(draw):
    return [table(4, 2, "a single pair, whose frequency is 1: sin(pos) and cos(pos)")]


@exercise.check(Stage.ISOLATED)
def two_pairs(draw):
    return [table(2, 4, "the example: the second pair turns 100 times slower")]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    return [table(*even_sizes(draw)), table(6, 16), table(10, 8)]


@exercise.check(Stage.PROPERTIES)
def every_row_has_the_same_length(draw):
    length, d_model = even_sizes(draw)
    (trial,) = yield [table(length, d_model)]
    squares = (rows_of(trial) ** 2).sum(axis=-1)
    worst = int(np.argmax(np.abs(squares - d_model / 2)))
    fact = (
        f"The squares of row {worst} sum to {squares[worst]:.4g}; "
        f"sin² + cos² = 1 in each of the {d_model // 2} pairs."
    )
    expect(np.allclose(squares, d_model / 2, 1e-4), fact, trial)


@exercise.check(Stage.PROPERTIES)
def the_dot_product_knows_only_the_distance(draw):
    length, d_model = even_sizes(draw)
    (trial,) = yield [table(length, d_model)]
    rows = rows_of(trial)
    near, far = rows[0] @ rows[2], rows[-3] @ rows[-1]
    fact = (
        f"Positions 0 and 2 have the dot product {near:.4g}, positions {length - 3} and "
        f"{length - 1} have {far:.4g}: equal distances must give equal dot products."
    )
    expect(bool(np.isclose(near, far, 1e-4, 1e-4)), fact, trial)


@exercise.check(Stage.PROPERTIES)
def a_longer_table_starts_like_a_shorter_one(draw):
    length, d_model = even_sizes(draw)
    short, long = yield [table(length, d_model), table(length + 5, d_model, "5 positions more")]
    a, b = rows_of(short), rows_of(long)[:length]
    fact = "The rows of the first positions change when the table gets longer."
    expect(np.allclose(a, b, 1e-4, 1e-5), fact, long)


@exercise.check(Stage.EDGES)
def far_positions_stay_exact(draw):
    return [table(400, 8, "400 positions; bfloat16 cannot count past 256")]


@exercise.check(Stage.EDGES)
def odd_d_model(draw):
    return [table(4, 5, "d_model = 5: the last sine stands alone"), table(3, 1, "d_model = 1")]
