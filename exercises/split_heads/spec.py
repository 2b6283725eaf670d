"""Split and merge heads: the references, one head after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect_equal

SPLIT, MERGE = "split_heads", "merge_heads"
exercise = Exercise(__file__, order=50, minutes=10, parts=(SPLIT, MERGE))


@exercise.oracle(SPLIT, axes="batch head time feature")
def split_reference(hidden, n_heads):
    """Slice the features of each head out."""
    d_model = hidden.shape[-1]
    if d_model % n_heads:
        raise ValueError("n_heads does not divide d_model")
    size = d_model // n_heads
    heads = [hidden[:, :, h * size : (h + 1) * size] for h in range(n_heads)]
    return np.stack(heads, axis=1)


@exercise.oracle(MERGE, axes="batch time feature")
def merge_reference(heads):
    """Lay the heads side by side."""
    return np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1)


def hidden_state(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call of split_heads; batch, heads, time and d_head all differ."""
    names = ("batch", "heads", "time", "d_head")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, h, t, d = (sizes.get(name, size) for name, size in drawn)
    return Case(SPLIT, {"hidden": draw.normal(b, t, h * d), "n_heads": h}, label)


def separate_heads(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call of merge_heads."""
    names = ("batch", "heads", "time", "d_head")
    drawn = zip(names, draw.dims(*names), strict=True)
    shape = [sizes.get(name, size) for name, size in drawn]
    return Case(MERGE, {"heads": draw.normal(*shape)}, label)


def counted(*shape: int) -> np.ndarray:
    """1, 2, 3, … in the given shape: where each number went is easy to see."""
    return np.arange(1.0, np.prod(shape) + 1).reshape(shape)


# --- split_heads


@exercise.check(Stage.CONTRACT, judge="shape", part=SPLIT)
def split_shape(draw):
    return [hidden_state(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=SPLIT)
def split_keeps_the_dtype(draw):
    return [hidden_state(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.CONTRACT, judge="untouched", part=SPLIT)
def split_leaves_the_input_alone(draw):
    return [hidden_state(draw)]


@exercise.check(Stage.ISOLATED, part=SPLIT)
def one_position(draw):
    arguments = {"hidden": counted(1, 1, 6), "n_heads": 2}
    return [Case(SPLIT, arguments, "one position, features 1 to 6, two heads")]


@exercise.check(Stage.ISOLATED, part=SPLIT)
def two_positions(draw):
    arguments = {"hidden": counted(1, 2, 4), "n_heads": 2}
    return [Case(SPLIT, arguments, "two positions, two heads, as in the example")]


@exercise.check(Stage.ORACLE, part=SPLIT)
def equals_slicing(draw):
    return [hidden_state(draw), hidden_state(draw, "one sentence", batch=1)]


@exercise.check(Stage.PROPERTIES, part=SPLIT)
def positions_stay_apart(draw):
    case = hidden_state(draw, "as drawn", time=4)
    changed = case.arguments["hidden"].copy()
    changed[:, -1] += 10
    first, second = yield [case, case.but("the last position was changed", hidden=changed)]
    fact = "Only the last position's features were changed; no other position may change."
    expect_equal(first, second, fact, rows=np.s_[:, :, :-1])


@exercise.check(Stage.GRADIENTS, part=SPLIT)
def split_gradients(draw):
    case = hidden_state(draw, "gradients", batch=2, heads=3, time=4, d_head=5)
    cotangent = draw.normal(2, 3, 4, 5)
    return [case.set(dtype="float64", differentiate=("hidden",), cotangent=cotangent)]


@exercise.check(Stage.EDGES, part=SPLIT)
def heads_must_divide(draw):
    return [Case(SPLIT, {"hidden": counted(1, 2, 6), "n_heads": 4}, "4 heads, d_model = 6")]


# --- merge_heads


@exercise.check(Stage.CONTRACT, judge="shape", part=MERGE)
def merge_shape(draw):
    return [separate_heads(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=MERGE)
def merge_keeps_the_dtype(draw):
    return [separate_heads(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED, part=MERGE)
def merge_two_positions(draw):
    heads = split_reference(counted(1, 2, 4), 2)
    return [Case(MERGE, {"heads": heads}, "the heads of the example")]


@exercise.check(Stage.ORACLE, part=MERGE)
def equals_concatenation(draw):
    return [separate_heads(draw), separate_heads(draw, "one sentence", batch=1)]


@exercise.check(Stage.GRADIENTS, part=MERGE)
def merge_gradients(draw):
    case = separate_heads(draw, "gradients", batch=2, heads=3, time=4, d_head=5)
    cotangent = draw.normal(2, 4, 15)
    return [case.set(dtype="float64", differentiate=("heads",), cotangent=cotangent)]
