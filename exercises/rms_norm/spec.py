"""RMS normalisation: the reference, position by position, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

NORM = "rms_norm"
exercise = Exercise(__file__, order=120, minutes=8, parts=(NORM,))


@exercise.oracle(NORM, axes="batch time feature")
def reference(x, weight, eps=1e-6):
    """Zhang and Sennrich (2019), equation 4, one position at a time."""
    result = np.zeros(x.shape)
    for b, t in np.ndindex(x.shape[:2]):
        vector = x[b, t]
        root = (sum(value**2 for value in vector) / len(vector) + eps) ** 0.5
        for i, value in enumerate(vector):
            result[b, t, i] = weight[i] * value / root
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states, not centred, of unequal size; random weight."""
    names = ("batch", "time", "d_model")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, d = (sizes.get(name, size) for name, size in drawn)
    x = draw.normal(b, t, d) * (0.5 + 3 * draw.rng.random((b, t, 1))) + 2 * draw.normal(b, t, 1)
    return Case(NORM, {"x": x, "weight": 1 + draw.normal(d) / 2, "eps": 1e-6}, label)


def plain(x: list, label: str, eps: float = 0.0) -> Case:
    """One sentence of the given positions; weight 1."""
    array = np.array([x], dtype=float)
    return Case(NORM, {"x": array, "weight": np.ones(array.shape[-1]), "eps": eps}, label)


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
def one_position(draw):
    return [
        plain([[1.0, 7.0]], "the docstring's example: weight 1, eps 0"),
        plain([[1.0, -2.0, 6.0, 3.0, 0.0]], "mean of the squares 10; weight 1, eps 0"),
    ]


@exercise.check(Stage.ISOLATED)
def each_position_by_itself(draw):
    return [plain([[1.0, -3.0, 2.0], [10.0, -30.0, 20.0]], "the second is 10 times the first")]


@exercise.check(Stage.ISOLATED)
def eps_inside_the_root(draw):
    return [plain([[2.0, -2.0, 2.0, 2.0]], "mean square 4, eps 12: √16 = 4", eps=12.0)]


@exercise.check(Stage.ISOLATED)
def scaled_by_the_weight(draw):
    case = plain([[2.0, -2.0, 2.0, -2.0]], "normalised 1, -1, 1, -1; then the weight")
    return [case.but(weight=np.array([1.0, 2.0, -3.0, 0.0]))]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    cube = inputs(draw, "batch, time and d_model all 4", batch=4, time=4, d_model=4)
    return [inputs(draw).set(dtype="float64"), cube.set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def size_of_x_does_not_matter(draw):
    case = inputs(draw, "as drawn").but(eps=0.0)
    first, second = yield [case, case.but("3 x", x=3 * case.arguments["x"])]
    expect_equal(first, second, "x was multiplied by 3; the result must stay.")


@exercise.check(Stage.PROPERTIES)
def positions_do_not_see_each_other(draw):
    case = inputs(draw, "as drawn", time=4)
    x = case.arguments["x"].copy()
    x[:, -1] += 10 * draw.normal(*x[:, -1].shape)
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed; the results of the others must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.PROPERTIES)
def mean_square_one(draw):
    case = inputs(draw, "weight 1, eps 0", d_model=7).but(weight=np.ones(7), eps=0.0)
    (trial,) = yield [case]
    squares = (numbers(trial) ** 2).mean(axis=-1)
    fact = f"The first position's squares have mean {squares.flat[0]:.4g}, not 1."
    expect(np.allclose(squares, 1, 1e-3), fact, trial)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=2, time=3, d_model=5)
    cotangent = draw.normal(2, 3, 5)
    return [case.set(dtype="float64", differentiate=("x", "weight"), cotangent=cotangent)]


@exercise.check(Stage.EDGES)
def a_position_of_zeros_stays_zero(draw):
    case = inputs(draw, "the first position is all zeros", batch=1, time=2, d_model=4)
    return [case.but(x=np.array([[[0.0] * 4, [1.0, 2.0, 3.0, 4.0]]]))]


@exercise.check(Stage.EDGES)
def small_numbers(draw):
    case = inputs(draw, "numbers around 0.001, where eps matters", batch=2, time=3, d_model=5)
    return [case.but(x=1e-3 * draw.normal(2, 3, 5), eps=1e-5)]


@exercise.check(Stage.EDGES)
def large_numbers_in_half_precision(draw):
    case = plain([[300.0, -500.0, 100.0, 900.0, -800.0]], "float16, numbers in the hundreds")
    return [case.but(eps=1e-6).set(dtype="float16")]
