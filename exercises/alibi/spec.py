"""ALiBi: the references, one pair of positions after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

SLOPES, BIAS = "alibi_slopes", "alibi_bias"
exercise = Exercise(__file__, order=170, minutes=15, parts=(SLOPES, BIAS))


@exercise.oracle(SLOPES, axes="head")
def slopes_reference(n_heads):
    """Press et al. (2022), section 3: each slope is the one before times the first."""
    if 2 ** (n_heads.bit_length() - 1) != n_heads:
        raise ValueError("no power of two")
    first = 0.5 ** (8 / n_heads)
    return np.cumprod(np.full(n_heads, first))


@exercise.oracle(BIAS, axes="head query key")
def bias_reference(slopes, query_len, key_len):
    """One head, one query and one key at a time."""
    result = np.zeros((len(slopes), query_len, key_len))
    for head, query, key in np.ndindex(*result.shape):
        position = key_len - query_len + query
        result[head, query, key] = -slopes[head] * abs(position - key)
    return result


def slopes(n_heads: int, label: str = "") -> Case:
    """A call of alibi_slopes."""
    return Case(SLOPES, {"n_heads": n_heads}, label)


def bias(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call of alibi_bias; heads, queries and keys differ, and keys outnumber queries."""
    heads, *lengths = draw.dims("heads", "queries", "keys")
    queries, keys = sorted(lengths)
    queries, keys = sizes.get("queries", queries), sizes.get("keys", keys)
    steep = np.abs(draw.normal(sizes.get("heads", heads))) + 0.1
    return Case(BIAS, {"slopes": steep, "query_len": queries, "key_len": keys}, label)


def biases(trial: Trial) -> np.ndarray:
    """The returned biases, which must have the right shape to be looked at row by row."""
    got, wanted = numbers(trial), trial.expected.shape
    expect(got.shape == wanted, f"The result has shape {got.shape}; expected {wanted}.", trial)
    return got


# --- alibi_slopes


@exercise.check(Stage.CONTRACT, judge="shape", part=SLOPES)
def slopes_shape(draw):
    return [slopes(8)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=SLOPES)
def slopes_are_float32(draw):
    return [slopes(8)]


@exercise.check(Stage.ISOLATED, part=SLOPES)
def eight_heads(draw):
    return [slopes(8, "8 heads: 1/2, 1/4, ..., 1/256, as printed in the paper")]


@exercise.check(Stage.ORACLE, part=SLOPES)
def other_numbers_of_heads(draw):
    return [slopes(n) for n in (4, 2, 16, 1, 32)]


@exercise.check(Stage.EDGES, part=SLOPES)
def no_power_of_two(draw):
    return [slopes(12), slopes(6)]


# --- alibi_bias


@exercise.check(Stage.CONTRACT, judge="shape", part=BIAS)
def bias_shape(draw):
    return [bias(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=BIAS)
def bias_keeps_the_dtype(draw):
    return [bias(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.CONTRACT, judge="untouched", part=BIAS)
def bias_leaves_the_slopes_alone(draw):
    return [bias(draw)]


@exercise.check(Stage.ISOLATED, part=BIAS)
def as_many_queries_as_keys(draw):
    half = np.array([0.5])
    return [Case(BIAS, {"slopes": half, "query_len": 4, "key_len": 4}, "one head, slope 1/2")]


@exercise.check(Stage.ISOLATED, part=BIAS)
def one_new_token(draw):
    arguments = {"slopes": np.array([1.0]), "query_len": 1, "key_len": 5}
    return [Case(BIAS, arguments, "one new token, four stored ones, slope 1")]


@exercise.check(Stage.ORACLE, part=BIAS)
def equals_slope_times_distance(draw):
    square = bias(draw, "as many heads as queries and keys", heads=3, queries=3, keys=3)
    return [bias(draw), square]


@exercise.check(Stage.PROPERTIES, part=BIAS)
def no_bias_on_itself(draw):
    (trial,) = yield [bias(draw)]
    last = biases(trial)[:, -1, -1]
    fact = f"The newest query looks at itself with the biases {last.round(3).tolist()}, not 0."
    expect(not last.any(), fact, trial)


@exercise.check(Stage.PROPERTIES, part=BIAS)
def a_cache_changes_nothing(draw):
    case = bias(draw, "with earlier keys stored")
    keys = case.arguments["key_len"]
    full, cached = yield [case.but("all positions at once", query_len=keys), case]
    a, b = biases(full)[:, -case.arguments["query_len"] :], biases(cached)
    fact = "The last rows of the full bias differ from those that are computed with a cache."
    expect(np.allclose(a, b, 1e-4, 1e-5), fact, cached)


@exercise.check(Stage.EDGES, part=BIAS)
def long_contexts(draw):
    case = bias(draw, "two queries after 600 keys", heads=2, queries=2, keys=600)
    return [case]
