"""Hunt for the mask that half precision cannot hold: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage

ATTENTION = "masked_attention"
exercise = Exercise(__file__, order=390, minutes=15, parts=(ATTENTION,))


@exercise.oracle(ATTENTION, axes="batch query d_v")
def reference(query, key, value, mask):
    """Query by query, over the keys that it may see; none gives zeros."""
    result = np.zeros((*query.shape[:2], value.shape[-1]))
    for b, q in np.ndindex(*query.shape[:2]):
        seen = mask[b, q]
        if seen.any():
            scores = key[b, seen] @ query[b, q] / np.sqrt(query.shape[-1])
            weights = np.exp(scores - scores.max())
            result[b, q] = weights @ value[b, seen] / weights.sum()
    return result


def case(draw: Draw, label: str, mask: list[list[bool]] | None = None) -> Case:
    """Two queries, three keys."""
    shown = np.array([mask or [[True, True, False], [False, True, True]]])
    arguments = {
        "query": draw.normal(1, 2, 4),
        "key": draw.normal(1, 3, 4),
        "value": draw.normal(1, 3, 2),
        "mask": shown,
    }
    return Case(ATTENTION, arguments, label)


def batch(draw: Draw, label: str) -> Case:
    """All sizes different."""
    b, q, k, d_k, d_v = draw.dims("batch", "queries", "keys", "d_k", "d_v")
    arguments = {
        "query": draw.normal(b, q, d_k),
        "key": draw.normal(b, k, d_k),
        "value": draw.normal(b, k, d_v),
        "mask": draw.mask(b, q, k),
    }
    return Case(ATTENTION, arguments, label)


def empty(draw: Draw, label: str) -> Case:
    """Query 0 may see nothing."""
    return case(draw, label, [[False, False, False], [True, False, True]])


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [case(draw, "two queries, three keys").set(dtype=d) for d in ("float32", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def works_in_float32(draw):
    return [case(draw, "two queries, three keys"), batch(draw, "all sizes different")]


@exercise.check(Stage.ISOLATED)
def works_in_float16(draw):
    return [
        case(draw, "float16").set(dtype="float16"),
        batch(draw, "float16, all sizes different").set(dtype="float16"),
    ]


@exercise.check(Stage.ORACLE)
def works_in_every_dtype(draw):
    return [batch(draw, dtype).set(dtype=dtype) for dtype in ("float64", "bfloat16", "float16")]


@exercise.check(Stage.PROPERTIES)
def scores_may_be_very_negative(draw):
    made = case(draw, "all scores are -28,800")  # a number that float16 has
    large = made.but(query=np.full((1, 2, 4), 120.0), key=np.full((1, 3, 4), -120.0))
    return [large.set(dtype="float64"), large.set(dtype="float16")]


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    made = case(draw, "gradients").set(dtype="float64", cotangent=draw.normal(1, 2, 2))
    return [made.set(differentiate=("query", "key", "value"))]


@exercise.check(Stage.EDGES)
def a_query_that_sees_nothing_gets_zeros(draw):
    made = empty(draw, "query 0 may see nothing")
    return [made, made.set(dtype="float16"), made.set(dtype="bfloat16")]


@exercise.check(Stage.EDGES, judge="finite_gradients")
def gradients_of_a_query_that_sees_nothing(draw):
    made = empty(draw, "query 0 may see nothing")
    large = {"query": np.full((1, 2, 4), 120.0), "key": np.full((1, 3, 4), -120.0)}
    low = made.but("query 0 may see nothing; all scores are -28,800", **large).set(dtype="float16")
    return [case.set(differentiate=("query", "key", "value")) for case in (made, low)]
