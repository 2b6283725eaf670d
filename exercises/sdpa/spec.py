"""Scaled dot-product attention: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

ATTENTION = "scaled_dot_product_attention"
exercise = Exercise(__file__, order=30, minutes=20, parts=(ATTENTION,))


@exercise.oracle(ATTENTION, axes="batch head query d_v")
def reference(query, key, value, mask=None):
    """Vaswani et al. (2017), equation 1, query by query; one that sees nothing gives zeros."""
    batch, heads, queries, d_k = query.shape
    keys, d_v = value.shape[-2:]
    allowed = np.ones((batch, heads, queries, keys), dtype=bool)
    if mask is not None:
        allowed = np.broadcast_to(mask, allowed.shape)
    result = np.zeros((batch, heads, queries, d_v))
    for b, h, q in np.ndindex(batch, heads, queries):
        seen = allowed[b, h, q]
        if not seen.any():
            continue
        scores = key[b, h, seen] @ query[b, h, q] / np.sqrt(d_k)
        weights = np.exp(scores - scores.max())
        result[b, h, q] = (weights / weights.sum()) @ value[b, h, seen]
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random query, key and value; every size that is not given differs from all others."""
    names = ("batch", "heads", "queries", "keys", "d_k", "d_v")
    b, h, q, k, d_k, d_v = (
        sizes.get(name, size) for name, size in zip(names, draw.dims(*names), strict=True)
    )
    arguments = {
        "query": draw.normal(b, h, q, d_k),
        "key": draw.normal(b, h, k, d_k),
        "value": draw.normal(b, h, k, d_v),
    }
    return Case(ATTENTION, arguments, label)


def small(draw: Draw, label: str, **sizes: int) -> Case:
    """One batch row, one head, two queries, three keys: small enough to compute by hand."""
    return inputs(draw, label, **{"batch": 1, "heads": 1, "queries": 2, "keys": 3, **sizes})


def masked(draw: Draw, case: Case, label: str, shape: str = "bhqk") -> Case:
    """Add a random mask; letters left out of ``shape`` become size 1 and broadcast."""
    b, h, q, _ = case.arguments["query"].shape
    sizes = {"b": b, "h": h, "q": q, "k": case.arguments["key"].shape[-2]}
    mask = draw.mask(*(sizes[letter] if letter in shape else 1 for letter in "bhqk"))
    return case.but(label, mask=mask)


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_one_tensor_of_the_right_shape(draw):
    case = inputs(draw)
    return [case, masked(draw, case, "with a mask")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    case = inputs(draw)
    return [case, masked(draw, case, "with a mask")]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    case = inputs(draw)
    return [case.set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def one_key_returns_its_value(draw):
    return [
        small(draw, "a single key, so its weight is 1", keys=1, d_k=1),
        inputs(draw, "a single key, so its weight is 1", keys=1, d_k=1),
    ]


@exercise.check(Stage.ISOLATED)
def equal_scores_average_the_values(draw):
    case = small(draw, "the query is zero, so all keys count the same")
    return [case.but(query=np.zeros_like(case.arguments["query"]))]


@exercise.check(Stage.ISOLATED)
def weights_without_scaling(draw):
    return [
        small(draw, "d_k = 1, so scaling changes nothing", d_k=1, d_v=2),
        inputs(draw, "d_k = 1, so scaling changes nothing", d_k=1),
    ]


@exercise.check(Stage.ISOLATED)
def scores_are_scaled(draw):
    return [small(draw, "no mask, small", d_k=4, d_v=2), inputs(draw, "no mask")]


@exercise.check(Stage.ISOLATED)
def hidden_keys_get_no_weight(draw):
    case = small(draw, "d_k = 1; each query sees some keys", d_k=1, d_v=2)
    case = case.but(mask=np.array([[True, True, False], [False, True, False]])[None, None])
    return [case]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    case = inputs(draw).set(dtype="float64")
    shapes = {"bhqk": "a full mask", "bk": "a padding mask", "qk": "one mask for all rows"}
    return [case, *(masked(draw, case, label, shape) for shape, label in shapes.items())]


@exercise.check(Stage.PROPERTIES)
def order_of_the_keys_does_not_matter(draw):
    case = masked(draw, inputs(draw), "keys in order")
    order = draw.rng.permutation(case.arguments["key"].shape[-2])
    a = case.arguments
    shuffled = case.but(
        "keys and values reordered alike",
        key=a["key"][:, :, order],
        value=a["value"][:, :, order],
        mask=a["mask"][..., order],
    )
    first, second = yield [case, shuffled]
    expect_equal(first, second, "Keys, values and mask were reordered in the same way.")


@exercise.check(Stage.PROPERTIES)
def queries_do_not_see_each_other(draw):
    case = inputs(draw, "all queries together")
    alone = case.but("the first query alone", query=case.arguments["query"][:, :, :1])
    together, single = yield [case, alone]
    a, b = numbers(together)[:, :, :1], numbers(single)
    expect(
        a.shape == b.shape and np.allclose(a, b, 1e-4, 1e-5),
        "The first query's result changes when the other queries are left out.",
        together,
    )


@exercise.check(Stage.PROPERTIES)
def a_hidden_key_cannot_be_felt(draw):
    case = masked(draw, inputs(draw), "as drawn", "qk")
    seen = case.arguments["mask"][0, 0, 0]
    key, value = case.arguments["key"].copy(), case.arguments["value"].copy()
    key[:, :, ~seen] += 10 * draw.normal(*key[:, :, ~seen].shape)
    value[:, :, ~seen] -= 50
    changed = case.but("the keys that query 0 may not see were changed", key=key, value=value)
    before, after = yield [case, changed]
    fact = "Keys and values that query 0 may not see were changed; its result must stay."
    expect_equal(before, after, fact, rows=np.s_[:, :, 0])


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=1, heads=2, queries=3, keys=4, d_k=5, d_v=2)
    case = case.set(
        dtype="float64",
        differentiate=("query", "key", "value"),
        cotangent=draw.normal(1, 2, 3, 2),
    )
    return [case, masked(draw, case, "gradients with a mask")]


@exercise.check(Stage.EDGES)
def large_scores_stay_finite(draw):
    case = small(draw, "scores in the thousands")
    return [case.but(query=2000 * case.arguments["query"])]


@exercise.check(Stage.EDGES)
def masks_in_half_precision(draw):
    case = masked(draw, inputs(draw), "float16 with a mask")
    return [case.set(dtype="float16")]


@exercise.check(Stage.EDGES)
def a_query_that_sees_nothing_gets_zeros(draw):
    case = small(draw, "query 0 may see nothing")
    mask = np.array([[False, False, False], [True, False, True]])[None, None]
    return [case.but(mask=mask), case.but(mask=mask).set(dtype="bfloat16")]


@exercise.check(Stage.EDGES, judge="finite_gradients")
def gradients_of_a_query_that_sees_nothing(draw):
    case = small(draw, "query 0 may see nothing")
    case = case.but(mask=np.array([[False, False, False], [True, False, True]])[None, None])
    return [case.set(differentiate=("query", "key", "value"))]
