"""Attention scores: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

SCORES = "attention_scores"
WIDE = 256  # features: enough for a variance to be told from its root
exercise = Exercise(__file__, order=10, minutes=10, parts=(SCORES,))


@exercise.oracle(SCORES, axes="batch query key")
def reference(query, key):
    """One pair of query and key at a time."""
    batch, queries, d_k = query.shape
    keys = key.shape[1]
    result = np.zeros((batch, queries, keys))
    for b, q, k in np.ndindex(batch, queries, keys):
        result[b, q, k] = sum(x * y for x, y in zip(query[b, q], key[b, k], strict=True))
    return result / d_k**0.5


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random queries and keys; every size that is not given differs from all others."""
    names = ("batch", "queries", "keys", "d_k")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, q, k, d_k = (sizes.get(name, size) for name, size in drawn)
    return Case(SCORES, {"query": draw.normal(b, q, d_k), "key": draw.normal(b, k, d_k)}, label)


@exercise.check(Stage.CONTRACT, judge="shape")
def one_score_for_each_pair(draw):
    return [inputs(draw), inputs(draw, "one sentence", batch=1)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def one_feature(draw):
    arguments = {"query": np.array([[[2.0], [3.0]]]), "key": np.array([[[1.0], [10.0], [-1.0]]])}
    return [Case(SCORES, arguments, "d_k = 1, so a score is one product and √d_k is 1")]


@exercise.check(Stage.ISOLATED)
def several_features_add_up(draw):
    key = np.array([[[1.0, 1.0, 5.0, 1.0], [0.0, 1.0, 0.0, 0.0]]])
    arguments = {"query": np.array([[[1.0, 2.0, 0.0, 1.0]]]), "key": key}
    return [Case(SCORES, arguments, "the example of the docstring, d_k = 4")]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    equal = inputs(draw, "as many queries as keys", queries=3, keys=3)
    return [inputs(draw).set(dtype="float64"), equal.set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def exchanging_query_and_key_transposes(draw):
    case = inputs(draw, "as drawn")
    a = case.arguments
    exchanged = case.but("query and key exchanged", query=a["key"], key=a["query"])
    first, second = yield [case, exchanged]
    one, other = numbers(first), numbers(second).swapaxes(-2, -1)
    expect(
        one.shape == other.shape and np.allclose(one, other, 1e-4, 1e-5),
        "scores(key, query) must be the transpose of scores(query, key).",
        second,
    )


@exercise.check(Stage.PROPERTIES)
def sentences_stay_apart(draw):
    case = inputs(draw, "as drawn", batch=3)
    key = case.arguments["key"].copy()
    key[-1] += 10
    first, second = yield [case, case.but("the last sentence's keys were changed", key=key)]
    fact = "Only the last sentence's keys were changed; the other sentences' scores must stay."
    expect_equal(first, second, fact, rows=np.s_[:-1])


@exercise.check(Stage.PROPERTIES)
def spread_does_not_grow_with_the_width(draw):
    wide = inputs(draw, "256 features", batch=2, queries=20, keys=20, d_k=WIDE)
    (trial,) = yield [wide]
    spread = numbers(trial).std()
    fact = f"With {WIDE} standard normal features the scores' standard deviation is {spread:.3g}."
    expect(0.7 < spread < 1.4, fact + " It must be about 1.", trial)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=2, queries=3, keys=4, d_k=5)
    cotangent = draw.normal(2, 3, 4)
    return [case.set(dtype="float64", differentiate=("query", "key"), cotangent=cotangent)]
