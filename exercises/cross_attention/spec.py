"""Cross-attention: the reference, query by query, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

CROSS = "cross_attention"
exercise = Exercise(__file__, order=70, minutes=15, parts=(CROSS,))


@exercise.oracle(CROSS, axes="batch time feature")
def reference(x, memory, w_q, w_k, w_v, w_o, n_heads, memory_mask=None):
    """Vaswani et al. (2017), §3.2.3: queries from the decoder, keys and values from the memory."""
    batch, time, d_model = x.shape
    size = w_q.shape[1] // n_heads
    result = np.zeros((batch, time, d_model))
    for b, t, h in np.ndindex(batch, time, n_heads):
        words = memory[b] if memory_mask is None else memory[b, memory_mask[b]]
        part = slice(h * size, (h + 1) * size)
        scores = words @ w_k[:, part] @ (x[b, t] @ w_q[:, part]) / size**0.5
        weights = np.exp(scores - scores.max())
        result[b, t] += weights / weights.sum() @ (words @ w_v[:, part]) @ w_o[part]
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states, memory and matrices; every size that is not given differs from all others."""
    names = ("batch", "time", "memory", "heads", "d_head", "d_model", "d_memory")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, t, m, h, d, d_model, d_memory = (sizes.get(name, size) for name, size in drawn)
    arguments = {
        "x": draw.normal(b, t, d_model),
        "memory": draw.normal(b, m, d_memory),
        "w_q": draw.normal(d_model, h * d) / d_model**0.5,
        "w_k": draw.normal(d_memory, h * d) / d_memory**0.5,
        "w_v": draw.normal(d_memory, h * d) / d_memory**0.5,
        "w_o": draw.normal(h * d, d_model) / (h * d) ** 0.5,
        "n_heads": h,
    }
    return Case(CROSS, arguments, label)


def alike(draw: Draw, label: str, **sizes: int) -> Case:
    """All widths 6, as in the original, so whatever is mixed up fits."""
    widths = {"batch": 2, "heads": 2, "d_head": 3, "d_model": 6, "d_memory": 6}
    return inputs(draw, label, **{**widths, **sizes})


def padded(draw: Draw, case: Case, label: str) -> Case:
    """With padding anywhere in the memory."""
    return case.but(label, memory_mask=draw.mask(*case.arguments["memory"].shape[:2]))


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    case = inputs(draw)
    return [
        alike(draw, "all widths 6; memory longer than x", time=3, memory=5),
        padded(draw, case, "all sizes different, with padding"),
    ]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [padded(draw, inputs(draw), "with padding")]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def a_memory_of_one_position(draw):
    return [
        alike(draw, "one position in the memory, one in x", batch=1, time=1, memory=1),
        alike(draw, "one position in the memory, three in x", batch=1, time=3, memory=1),
    ]


@exercise.check(Stage.ISOLATED)
def a_memory_of_several_positions(draw):
    return [alike(draw, "one query, four positions in the memory", batch=1, time=1, memory=4)]


@exercise.check(Stage.ISOLATED)
def padding_gets_no_weight(draw):
    case = alike(draw, "one query; the last two of four are padding", batch=1, time=1, memory=4)
    return [case.but(memory_mask=np.array([[True, True, False, False]]))]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    case = inputs(draw).set(dtype="float64")
    equal = alike(draw, "widths and lengths equal", time=4, memory=4).set(dtype="float64")
    return [case, equal]


@exercise.check(Stage.ORACLE)
def padding_in_every_sentence(draw):
    equal = alike(draw, "as many sentences as heads, x and memory equally long", time=2, memory=2)
    return [
        padded(draw, inputs(draw), "all sizes different").set(dtype="float64"),
        padded(draw, equal, "sizes that coincide").set(dtype="float64"),
    ]


@exercise.check(Stage.PROPERTIES)
def order_of_the_memory_does_not_matter(draw):
    case = padded(draw, inputs(draw, memory=5), "as drawn")
    order = [2, 4, 0, 1, 3]
    a = case.arguments
    memory, mask = a["memory"][:, order], a["memory_mask"][:, order]
    first, second = yield [case, case.but("shuffled", memory=memory, memory_mask=mask)]
    expect_equal(first, second, "The memory and its mask were shuffled alike.")


@exercise.check(Stage.PROPERTIES)
def padding_cannot_be_felt(draw):
    case = padded(draw, inputs(draw), "as drawn")
    memory = case.arguments["memory"].copy()
    memory[~case.arguments["memory_mask"]] += 10
    first, second = yield [case, case.but("the padding was changed", memory=memory)]
    expect_equal(first, second, "Only padding in the memory was changed; nothing may change.")


@exercise.check(Stage.PROPERTIES)
def each_position_asks_for_itself(draw):
    case = inputs(draw, "all positions", time=4)
    alone = case.but("the second position alone", x=case.arguments["x"][:, 1:2])
    together, single = yield [case, alone]
    a, b = numbers(together)[:, 1:2], numbers(single)
    same = a.shape == b.shape and np.allclose(a, b, 1e-4, 1e-5)
    fact = "The second position's result changes when the others are left out."
    expect(same, fact, together)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    sizes = {"heads": 2, "d_head": 2, "d_model": 4, "d_memory": 3}
    case = inputs(draw, "gradients", batch=1, time=2, memory=3, **sizes)
    differentiate = ("x", "memory", "w_q", "w_k", "w_v", "w_o")
    cotangent = draw.normal(1, 2, 4)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]
