"""SwiGLU and its width: the references and what must hold."""

from fractions import Fraction

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal

SWIGLU, WIDTH = "swiglu", "gated_width"
exercise = Exercise(__file__, order=100, minutes=12, parts=(SWIGLU, WIDTH))


@exercise.oracle(SWIGLU, axes="batch time feature")
def reference(x, w_gate, w_up, w_down):
    """Shazeer (2020), equation 6, one position at a time."""
    batch, time, d_model = x.shape
    result = np.zeros((batch, time, d_model))
    for b, t in np.ndindex(batch, time):
        z = w_gate.T @ x[b, t]
        result[b, t] = w_down.T @ (z / (1 + np.exp(-z)) * (w_up.T @ x[b, t]))
    return result


@exercise.oracle(WIDTH, axes="")
def width_reference(d_model, multiple_of=1):
    """Touvron et al. (2023), §2.2: the first multiple that is not below ⌊8/3 · d_model⌋."""
    least = int(Fraction(8, 3) * d_model)
    return np.asarray(next(n for n in range(0, 10**7, multiple_of) if n >= least))


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states and matrices; every size that is not given differs from all others."""
    names = ("batch", "time", "d_model", "d_ff")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, d, d_ff = (sizes.get(name, size) for name, size in drawn)
    arguments = {
        "x": draw.normal(b, t, d),
        "w_gate": 2 * draw.normal(d, d_ff) / d**0.5,
        "w_up": draw.normal(d, d_ff) / d**0.5,
        "w_down": draw.normal(d_ff, d) / d_ff**0.5,
    }
    return Case(SWIGLU, arguments, label)


def one_number(x: float, gate: float, up: float, label: str) -> Case:
    """d_model = d_ff = 1 and w_down = 1."""
    arguments = {"x": x, "w_gate": gate, "w_up": up, "w_down": 1.0}
    arrays = {k: np.full((1, 1, 1) if k == "x" else (1, 1), v) for k, v in arguments.items()}
    return Case(SWIGLU, arrays, label)


def width(d_model: int, multiple_of: int = 1) -> Case:
    """A call of gated_width."""
    return Case(WIDTH, {"d_model": d_model, "multiple_of": multiple_of})


# --- swiglu


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def gate_wide_open(draw):
    return [one_number(2.0, 20.0, 1.5, "silu(40) is 40, so the result is 40 · 3")]


@exercise.check(Stage.ISOLATED)
def gate_half_open(draw):
    return [
        one_number(2.0, 1.0, 1.0, "the docstring's example"),
        one_number(1.0, -1.0, 3.0, "a negative gate: silu(-1) = -0.2689, up 3"),
        one_number(-1.0, -1.0, 3.0, "a negative up: silu(1) = 0.7311, up -3"),
    ]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    square = inputs(draw, "d_ff = d_model, so transposed matrices fit", d_model=4, d_ff=4)
    return [inputs(draw).set(dtype="float64"), square.set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def linear_in_the_up_projection(draw):
    case = inputs(draw, "as drawn")
    a = case.arguments
    doubled = case.but("w_up doubled, w_down halved", w_up=2 * a["w_up"], w_down=a["w_down"] / 2)
    first, second = yield [case, doubled]
    expect_equal(first, second, "w_up was doubled and w_down halved; the result must stay.")


@exercise.check(Stage.PROPERTIES)
def positions_do_not_see_each_other(draw):
    case = inputs(draw, "as drawn", time=4)
    x = case.arguments["x"].copy()
    x[:, -1] += 10
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed; the results of the others must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=2, time=3, d_model=4, d_ff=5)
    differentiate = ("x", "w_gate", "w_up", "w_down")
    cotangent = draw.normal(2, 3, 4)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]


@exercise.check(Stage.EDGES)
def far_from_zero(draw):
    return [
        one_number(1.0, -200.0, 1.0, "silu(-200) is 0"),
        one_number(1.0, 200.0, 1.0, "silu(200) is 200"),
    ]


# --- gated_width


@exercise.check(Stage.CONTRACT, part=WIDTH)
def width_is_a_whole_number(draw):
    (trial,) = yield [width(3)]
    kind = type(trial.outcome.value).__name__
    expect(kind == "int", f"gated_width(3) is of type {kind}.", trial)


@exercise.check(Stage.ISOLATED, part=WIDTH)
def eight_thirds(draw):
    return [width(3), width(768)]


@exercise.check(Stage.ORACLE, part=WIDTH)
def cut_down_to_a_whole_number(draw):
    return [
        width(4),
        width(5),
        width(4096),
        width(30_000),
        *(width(int(d)) for d in draw.integers(10, 9999, 3)),
    ]


@exercise.check(Stage.ORACLE, part=WIDTH)
def rounded_up_to_a_multiple(draw):
    published = [width(4096, 256), width(5120, 256), width(8192, 256)]
    return [width(4, 3), width(5, 4), *published]


@exercise.check(Stage.EDGES, part=WIDTH)
def already_a_multiple(draw):
    return [width(12, 32), width(384, 256), width(96, 256)]
