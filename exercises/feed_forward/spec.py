"""The position-wise feed-forward network: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

FEED_FORWARD = "feed_forward"
exercise = Exercise(__file__, order=90, minutes=8, parts=(FEED_FORWARD,))


@exercise.oracle(FEED_FORWARD, axes="batch time feature")
def reference(x, w_1, b_1, w_2, b_2):
    """Vaswani et al. (2017), equation 2, one position and one hidden unit at a time."""
    batch, time, d_model = x.shape
    result = np.zeros((batch, time, d_model))
    for b, t in np.ndindex(batch, time):
        result[b, t] = b_2
        for unit in range(len(b_1)):
            value = float(w_1[:, unit] @ x[b, t]) + b_1[unit]
            if value > 0:
                result[b, t] += value * w_2[unit]
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states and parameters; every size that is not given differs from all others."""
    names = ("batch", "time", "d_model", "d_ff")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, d, d_ff = (sizes.get(name, size) for name, size in drawn)
    arguments = {
        "x": draw.normal(b, t, d),
        "w_1": draw.normal(d, d_ff) / d**0.5,
        "b_1": draw.normal(d_ff),
        "w_2": draw.normal(d_ff, d) / d_ff**0.5,
        "b_2": draw.normal(d),
    }
    return Case(FEED_FORWARD, arguments, label)


def tiny(x: list, label: str, **changes: list) -> Case:
    """The example of the docstring, with other numbers in some places."""
    arguments = {
        "x": [[[3.0]]],
        "w_1": [[1.0, -1.0]],
        "b_1": [0.0, 1.0],
        "w_2": [[10.0], [100.0]],
        "b_2": [5.0],
    }
    arguments |= {"x": x, **changes}
    return Case(FEED_FORWARD, {name: np.array(value) for name, value in arguments.items()}, label)


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    return [tiny([[[3.0]]], "one number in, one number out"), inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def all_units_active(draw):
    open_units = {"b_1": [10.0, 10.0]}
    return [
        tiny([[[1.0]]], "x = 1, hidden values 11 and 9: the relu cuts nothing off", **open_units),
        tiny([[[-1.0]]], "x = -1, hidden values 9 and 11: the relu cuts nothing off", **open_units),
    ]


@exercise.check(Stage.ISOLATED)
def one_unit_cut_off(draw):
    return [
        tiny([[[3.0]]], "the docstring's example: hidden values 3 and -2"),
        tiny([[[0.5]]], "small hidden values: both ½", b_2=[-9.0]),
    ]


@exercise.check(Stage.ISOLATED)
def all_units_cut_off(draw):
    return [tiny([[[1.0]]], "hidden values -8 and -9: only b_2 is left", b_1=[-9.0, -8.0])]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    square = inputs(draw, "d_ff = d_model, so transposed matrices fit", d_model=4, d_ff=4)
    return [inputs(draw).set(dtype="float64"), square.set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def positions_do_not_see_each_other(draw):
    case = inputs(draw, "as drawn", time=4)
    x = case.arguments["x"].copy()
    x[:, -1] += 10
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed; the results of the others must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.PROPERTIES)
def one_position_alone_gives_the_same(draw):
    case = inputs(draw, "all positions", time=4)
    alone = case.but("the third position alone", x=case.arguments["x"][:, 2:3])
    together, single = yield [case, alone]
    a, b = numbers(together)[:, 2:3], numbers(single)
    same = a.shape == b.shape and np.allclose(a, b, 1e-4, 1e-5)
    expect(same, "The third position's result changes when the others are left out.", together)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=2, time=3, d_model=4, d_ff=5)
    differentiate = ("x", "w_1", "b_1", "w_2", "b_2")
    cotangent = draw.normal(2, 3, 4)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]
