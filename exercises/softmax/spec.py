"""Softmax and its logarithm: the references, row by row, and what must hold."""

import math

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

SOFTMAX, LOG = "softmax", "log_softmax"
exercise = Exercise(__file__, order=20, minutes=15, parts=(SOFTMAX, LOG))


@exercise.oracle(SOFTMAX, axes="")
def softmax_reference(scores, dim=-1):
    """1 / Σ exp(other - own) for each entry: no exponential is ever divided by another."""
    rows = np.moveaxis(scores, dim, -1)
    result = np.zeros(rows.shape)
    with np.errstate(over="ignore"):
        for index in np.ndindex(rows.shape):
            if np.isfinite(rows[index]):
                result[index] = 1 / np.exp(rows[index[:-1]] - rows[index]).sum()
    return np.moveaxis(result, -1, dim)


@exercise.oracle(LOG, axes="")
def log_reference(scores, dim=-1):
    """score - log Σ exp(score), the sum taken with numpy's pairwise logaddexp."""
    return scores - np.logaddexp.reduce(scores, axis=dim, keepdims=True)


def call(function: str, scores: list | np.ndarray, label: str, dim: int = -1) -> Case:
    """A call with the given scores."""
    return Case(function, {"scores": np.asarray(scores, dtype=float), "dim": dim}, label)


def drawn(draw: Draw, function: str, label: str = "three axes of different sizes") -> Case:
    """A call with random scores, along the last axis."""
    return call(function, 2 * draw.normal(*draw.dims("batch", "time", "keys", smallest=3)), label)


def along_every_axis(draw: Draw, function: str) -> list[Case]:
    """The same scores, along each axis in turn, counted from either end."""
    case = drawn(draw, function)
    return [case.but(f"dim={dim}", dim=dim) for dim in (-1, 0, 1, -2)]


def for_gradients(draw: Draw, function: str) -> list[Case]:
    """A small case with a random cotangent."""
    case = call(function, draw.normal(2, 3, 4), "gradients")
    settings = {"dtype": "float64", "differentiate": ("scores",)}
    return [case.set(**settings, cotangent=draw.normal(2, 3, 4)).but(dim=dim) for dim in (-1, 1)]


# --- softmax


@exercise.check(Stage.CONTRACT, judge="shape")
def softmax_shape(draw):
    return [drawn(draw, SOFTMAX), call(SOFTMAX, [1.0, 2.0], "a single row")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def softmax_leaves_the_scores_alone(draw):
    return [drawn(draw, SOFTMAX)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def softmax_keeps_the_dtype(draw):
    return [drawn(draw, SOFTMAX).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def one_row(draw):
    return [
        call(SOFTMAX, [0.0, 0.0, 0.0, 0.0], "four equal scores"),
        call(SOFTMAX, [0.0, math.log(3)], "the example of the docstring"),
    ]


@exercise.check(Stage.ISOLATED)
def each_row_by_itself(draw):
    return [call(SOFTMAX, [[0.0, math.log(3)], [1.0, 1.0], [5.0, 2.0]], "three rows of two")]


@exercise.check(Stage.ORACLE)
def softmax_equals_the_formula(draw):
    return [case.set(dtype="float64") for case in along_every_axis(draw, SOFTMAX)]


@exercise.check(Stage.PROPERTIES)
def weights_sum_to_one(draw):
    trials = yield along_every_axis(draw, SOFTMAX)
    for trial in trials:
        got, dim = numbers(trial), trial.case.arguments["dim"]
        expect((got >= 0).all(), "Some weights are negative.", trial)
        sums = got.sum(axis=dim)
        fact = f"Along dim={dim} the weights sum to {sums.flat[0]:.6g}, not to 1."
        expect(np.allclose(sums, 1, atol=1e-5), fact, trial)


@exercise.check(Stage.PROPERTIES)
def a_constant_changes_nothing(draw):
    case = drawn(draw, SOFTMAX, "as drawn")
    shifted = case.but("the same scores + 3", scores=case.arguments["scores"] + 3)
    first, second = yield [case, shifted]
    expect_equal(first, second, "3 was added to every score; the weights must stay.")


@exercise.check(Stage.GRADIENTS)
def softmax_gradients(draw):
    return for_gradients(draw, SOFTMAX)


@exercise.check(Stage.EDGES)
def large_scores(draw):
    return [
        call(SOFTMAX, [1000.0, 1000.0], "two scores of 1000"),
        call(SOFTMAX, [0.0, 0.0, 0.0, 100.0], "one score of 100 beside zeros"),
    ]


@exercise.check(Stage.EDGES)
def very_negative_scores(draw):
    return [
        call(SOFTMAX, [-1000.0, -1001.0], "a row far below zero"),
        call(SOFTMAX, [-100.0, -50.0, -90.0], "100 apart from zero, all negative"),
    ]


@exercise.check(Stage.EDGES)
def rows_far_apart(draw):
    return [call(SOFTMAX, [[1.0, 2.0], [1000.0, 1001.0]], "one row 1000 above the other")]


@exercise.check(Stage.EDGES)
def minus_infinity_gets_no_weight(draw):
    scores = [[1.0, -math.inf, 2.0], [-math.inf, -math.inf, -7.0]]
    return [call(SOFTMAX, scores, "some scores are -inf")]


@exercise.check(Stage.EDGES)
def softmax_in_half_precision(draw):
    scores = [[12.0, 11.0, 0.0], [50.0, 20.0, 49.0]]
    return [call(SOFTMAX, scores, "float16, where exp(12) is infinite").set(dtype="float16")]


# --- log_softmax


@exercise.check(Stage.CONTRACT, judge="shape", part=LOG)
def log_shape(draw):
    return [drawn(draw, LOG), call(LOG, [1.0, 2.0], "a single row")]


@exercise.check(Stage.CONTRACT, judge="untouched", part=LOG)
def log_leaves_the_scores_alone(draw):
    return [drawn(draw, LOG)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=LOG)
def log_keeps_the_dtype(draw):
    return [drawn(draw, LOG).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED, part=LOG)
def logarithm_of_one_row(draw):
    return [
        call(LOG, [0.0, 0.0], "two equal scores, so log ½ twice"),
        call(LOG, [0.0, math.log(3)], "the example of the docstring"),
    ]


@exercise.check(Stage.ORACLE, part=LOG)
def log_equals_the_formula(draw):
    return [case.set(dtype="float64") for case in along_every_axis(draw, LOG)]


@exercise.check(Stage.GRADIENTS, part=LOG)
def log_gradients(draw):
    return for_gradients(draw, LOG)


@exercise.check(Stage.EDGES, part=LOG)
def logarithm_of_next_to_nothing(draw):
    return [
        call(LOG, [0.0, 1000.0], "the first weight is e^-1000, too small for any float"),
        call(LOG, [[0.0, 200.0, 100.0], [-300.0, 0.0, 1.0]], "weights below the smallest float32"),
    ]


@exercise.check(Stage.EDGES, part=LOG)
def logarithm_far_from_zero(draw):
    return [
        call(LOG, [[1000.0, 1001.0], [1.0, 2.0]], "one row 1000 above the other"),
        call(LOG, [-1000.0, -1001.0], "a row far below zero"),
    ]
