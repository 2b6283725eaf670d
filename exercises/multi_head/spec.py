"""Multi-head attention: the reference, one head after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

ATTENTION = "multi_head_attention"
WEIGHTS = ("w_q", "w_k", "w_v", "w_o")
exercise = Exercise(__file__, order=60, minutes=20, parts=(ATTENTION,))


@exercise.oracle(ATTENTION, axes="batch time feature")
def reference(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """Vaswani et al. (2017), §3.2.2: W_i are slices of the columns, W_O of the rows."""
    batch, time, d_model = x.shape
    size = w_q.shape[1] // n_heads
    allowed = np.ones((batch, n_heads, time, time), dtype=bool)
    if mask is not None:
        allowed = np.broadcast_to(mask, allowed.shape)
    result = np.zeros((batch, time, d_model))
    for b, h in np.ndindex(batch, n_heads):
        part = slice(h * size, (h + 1) * size)
        query, key, value = x[b] @ w_q[:, part], x[b] @ w_k[:, part], x[b] @ w_v[:, part]
        scores = np.where(allowed[b, h], query @ key.T / np.sqrt(size), -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        result[b] += weights / weights.sum(axis=1, keepdims=True) @ value @ w_o[part]
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states and matrices; every size that is not given differs from all others."""
    names = ("batch", "time", "heads", "d_head", "d_model")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, t, h, d, d_model = (sizes.get(name, size) for name, size in drawn)
    arguments = {"x": draw.normal(b, t, d_model)}
    arguments |= {w: draw.normal(d_model, h * d) / d_model**0.5 for w in WEIGHTS[:3]}
    arguments |= {"w_o": draw.normal(h * d, d_model) / (h * d) ** 0.5, "n_heads": h}
    return Case(ATTENTION, arguments, label)


def square(draw: Draw, label: str, **sizes: int) -> Case:
    """d_model = n_heads * d_head, so a transposed matrix fits as well."""
    return inputs(draw, label, **{"batch": 2, "heads": 2, "d_head": 3, "d_model": 6, **sizes})


def masked(draw: Draw, case: Case, label: str) -> Case:
    """With a random mask of its own for every sentence and query, shared by the heads."""
    batch, time, _ = case.arguments["x"].shape
    return case.but(label, mask=draw.mask(batch, 1, time, time))


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    case = inputs(draw)
    return [case, masked(draw, case, "with a mask"), square(draw, "d_model = n_heads * d_head")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def one_position_looks_at_itself(draw):
    return [
        square(draw, "one position, one head", time=1, batch=1, heads=1, d_head=6),
        square(draw, "one position, two heads", time=1),
    ]


@exercise.check(Stage.ISOLATED)
def one_head_is_plain_attention(draw):
    case = square(draw, "one head; w_o is the identity", batch=1, time=3, heads=1, d_head=6)
    return [case.but(w_o=np.eye(6))]


@exercise.check(Stage.ISOLATED)
def two_heads_side_by_side(draw):
    return [square(draw, "two heads; w_o is the identity", batch=1, time=4).but(w_o=np.eye(6))]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    case = inputs(draw).set(dtype="float64")
    return [case, square(draw, "d_model = n_heads * d_head", time=4).set(dtype="float64")]


@exercise.check(Stage.ORACLE)
def masks_reach_every_head(draw):
    case = inputs(draw).set(dtype="float64")
    time = case.arguments["x"].shape[1]
    heads = case.arguments["n_heads"]
    return [
        masked(draw, case, "a mask for each sentence"),
        case.but("a mask for each head", mask=draw.mask(1, heads, time, time)),
        case.but("a causal mask", mask=np.tril(np.ones((time, time), dtype=bool))),
    ]


@exercise.check(Stage.PROPERTIES)
def is_the_sum_of_its_heads(draw):
    case = inputs(draw, "all heads", heads=3)
    a = case.arguments
    size = a["w_q"].shape[1] // 3
    alone = []
    for h in range(3):
        part = slice(h * size, (h + 1) * size)
        slices = {w: a[w][:, part] for w in WEIGHTS[:3]} | {"w_o": a["w_o"][part]}
        alone.append(case.but(f"head {h} alone", n_heads=1, **slices))
    trials = yield [case, *alone]
    together, total = numbers(trials[0]), sum(numbers(trial) for trial in trials[1:])
    same = together.shape == total.shape and np.allclose(together, total, 1e-3, 1e-4)
    fact = "Three heads together must give the sum of each alone, with its slices of the matrices."
    expect(same, fact, trials[0])


@exercise.check(Stage.PROPERTIES)
def order_in_order_out(draw):
    case = inputs(draw, "as drawn", time=5)
    shuffled = case.but("positions shuffled", x=case.arguments["x"][:, [3, 0, 4, 1, 2]])
    first, second = yield [case, shuffled]
    a, b = numbers(first), numbers(second)
    same = a.shape == b.shape and np.allclose(a[:, [3, 0, 4, 1, 2]], b, 1e-3, 1e-4)
    expect(same, "The positions were shuffled; the results must be shuffled alike.", second)


@exercise.check(Stage.PROPERTIES)
def the_future_cannot_be_felt(draw):
    case = inputs(draw, "as drawn, with a causal mask", time=4)
    case = case.but(mask=np.tril(np.ones((4, 4), dtype=bool)))
    x = case.arguments["x"].copy()
    x[:, -1] += 10
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed, and a causal mask hides it from all others."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=1, time=3, heads=2, d_head=3, d_model=4)
    differentiate = ("x", *WEIGHTS)
    cotangent = draw.normal(1, 3, 4)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]
