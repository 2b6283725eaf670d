"""Grouped-query attention: the reference, head by head, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

GROUPED = "grouped_query_attention"
exercise = Exercise(__file__, order=80, minutes=15, parts=(GROUPED,))


@exercise.oracle(GROUPED, axes="batch head query feature")
def reference(query, key, value, mask=None):
    """Ainslie et al. (2023), §2.2: query head h belongs to group ⌊h · n_kv_heads / n_heads⌋."""
    batch, heads, queries, size = query.shape
    groups, keys = key.shape[1:3]
    if heads % groups:
        raise ValueError("n_kv_heads does not divide n_heads")
    allowed = np.ones((batch, heads, queries, keys), dtype=bool)
    if mask is not None:
        allowed = np.broadcast_to(mask, allowed.shape)
    result = np.zeros(query.shape)
    for b, h, q in np.ndindex(batch, heads, queries):
        group, seen = h * groups // heads, allowed[b, h, q]
        scores = key[b, group, seen] @ query[b, h, q] / size**0.5
        weights = np.exp(scores - scores.max())
        result[b, h, q] = weights / weights.sum() @ value[b, group, seen]
    return result


def inputs(draw: Draw, label: str, *, groups: int, sharers: int, **sizes: int) -> Case:
    """Random inputs with ``groups`` heads of keys and values, each for ``sharers`` query heads."""
    names = ("batch", "queries", "keys", "d_head")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, q, k, d = (sizes.get(name, size) for name, size in drawn)
    arguments = {
        "query": draw.normal(b, groups * sharers, q, d),
        "key": draw.normal(b, groups, k, d),
        "value": draw.normal(b, groups, k, d),
    }
    return Case(GROUPED, arguments, label)


def six_in_two(draw: Draw, label: str = "6 query heads, 2 of keys and values") -> Case:
    """The docstring's example: 0, 1, 2 share head 0; 3, 4, 5 share head 1."""
    return inputs(draw, label, groups=2, sharers=3)


def masked(draw: Draw, case: Case, label: str) -> Case:
    """With a mask of its own for every query head."""
    b, h, q, _ = case.arguments["query"].shape
    return case.but(label, mask=draw.mask(b, h, q, case.arguments["key"].shape[2]))


@exercise.check(Stage.CONTRACT, judge="shape")
def one_result_for_each_query_head(draw):
    case = six_in_two(draw)
    return [case, masked(draw, case, "with a mask")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [six_in_two(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [six_in_two(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def as_many_heads_of_each(draw):
    return [inputs(draw, "3 heads of each: ordinary attention", groups=3, sharers=1)]


@exercise.check(Stage.ISOLATED)
def one_head_of_keys_for_all(draw):
    return [inputs(draw, "1 head of keys and values for 3 query heads", groups=1, sharers=3)]


@exercise.check(Stage.ISOLATED)
def neighbours_share(draw):
    value = np.array([10.0, 20.0]).reshape(1, 2, 1, 1)
    arguments = {"query": np.ones((1, 4, 1, 1)), "key": np.ones((1, 2, 1, 1)), "value": value}
    return [Case(GROUPED, arguments, "4 query heads, a single key with values 10 and 20")]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    groups = [(2, 3), (3, 2), (4, 2)]
    return [
        inputs(
            draw, f"{g * s} query heads, {g} of keys and values", groups=g, sharers=s, batch=2
        ).set(dtype="float64")
        for g, s in groups
    ]


@exercise.check(Stage.ORACLE)
def masks_belong_to_query_heads(draw):
    case = six_in_two(draw).set(dtype="float64")
    keys = case.arguments["key"].shape[2]
    return [
        masked(draw, case, "a mask for each query head"),
        case.but("a mask that all heads share", mask=draw.mask(2, 1, 1, keys)[:1]),
    ]


@exercise.check(Stage.PROPERTIES)
def a_group_feels_only_its_own_keys(draw):
    case = six_in_two(draw)
    a = {name: case.arguments[name].copy() for name in ("key", "value")}
    a["key"][:, 1] += draw.normal(*a["key"][:, 1].shape)
    a["value"][:, 1] += 10
    first, second = yield [case, case.but("keys and values of head 1 were changed", **a)]
    fact = "Only head 1 of keys and values was changed; query heads 0, 1 and 2 use head 0."
    expect_equal(first, second, fact, rows=np.s_[:, :3])


@exercise.check(Stage.PROPERTIES)
def heads_that_share_still_differ(draw):
    case = inputs(draw, "1 head of keys and values for 3 query heads", groups=1, sharers=3, keys=5)
    (trial,) = yield [case]
    got = numbers(trial)
    differ = got.shape[1] == 1 or not np.allclose(got[:, 0], got[:, 1], 1e-4, 1e-5)
    expect(differ, "Query heads 0 and 1 give the same result although they ask differently.", trial)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", groups=2, sharers=2, batch=1, queries=2, keys=3, d_head=3)
    differentiate = ("query", "key", "value")
    cotangent = draw.normal(1, 4, 2, 3)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]


@exercise.check(Stage.EDGES)
def heads_must_divide(draw):
    case = inputs(draw, "", groups=4, sharers=1, batch=1, queries=1, keys=2, d_head=2)
    query = draw.normal(1, 6, 1, 2)
    return [
        case.but("6 query heads, 4 of keys and values", query=query),
        case.but("2 query heads, 4 of keys and values", query=query[:, :2]),
    ]
