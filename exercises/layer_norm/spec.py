"""Layer normalisation: the reference, position by position, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

NORM = "layer_norm"
exercise = Exercise(__file__, order=110, minutes=12, parts=(NORM,))


@exercise.oracle(NORM, axes="batch time feature")
def reference(x, weight, bias, eps=1e-5):
    """Ba et al. (2016), equation 4, one position at a time."""
    result = np.zeros(x.shape)
    for b, t in np.ndindex(x.shape[:2]):
        vector = x[b, t]
        mean = sum(vector) / len(vector)
        variance = sum((value - mean) ** 2 for value in vector) / len(vector)
        for i, value in enumerate(vector):
            result[b, t, i] = weight[i] * (value - mean) / (variance + eps) ** 0.5 + bias[i]
    return result


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states, not centred, of unequal spread; random weight and bias."""
    names = ("batch", "time", "d_model")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, d = (sizes.get(name, size) for name, size in drawn)
    x = draw.normal(b, t, d) * (0.5 + 3 * draw.rng.random((b, t, 1))) + 2 * draw.normal(b, t, 1)
    arguments = {"x": x, "weight": 1 + draw.normal(d) / 2, "bias": draw.normal(d), "eps": 1e-5}
    return Case(NORM, arguments, label)


def plain(x: list, label: str, eps: float = 0.0) -> Case:
    """One sentence of the given positions; weight 1, bias 0."""
    array = np.array([x], dtype=float)
    arguments = {"x": array, "weight": np.ones(array.shape[-1]), "bias": 0 * array[0, 0]}
    return Case(NORM, {**arguments, "eps": eps}, label)


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
        plain([[1.0, 0.0, 0.0, 0.0]], "the docstring's example: weight 1, bias 0, eps 0"),
        plain([[3.0, -1.0, 1.0, 5.0, 2.0]], "mean 2, variance 4; weight 1, bias 0, eps 0"),
    ]


@exercise.check(Stage.ISOLATED)
def each_position_by_itself(draw):
    return [plain([[1.0, 3.0, 2.0], [10.0, 50.0, 30.0]], "two positions of three features, eps 0")]


@exercise.check(Stage.ISOLATED)
def eps_inside_the_root(draw):
    return [plain([[2.0, -2.0, 2.0, -2.0]], "mean 0, variance 4, eps 12: √16 = 4", eps=12.0)]


@exercise.check(Stage.ISOLATED)
def scaled_then_shifted(draw):
    case = plain([[2.0, -2.0, 2.0, -2.0]], "normalised 1, -1, 1, -1; then weight and bias")
    return [case.but(weight=np.array([1.0, 2.0, 3.0, 0.0]), bias=np.array([0.0, 5.0, -1.0, 7.0]))]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    cube = inputs(draw, "batch, time and d_model all 4", batch=4, time=4, d_model=4)
    return [inputs(draw).set(dtype="float64"), cube.set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def scale_and_offset_of_x_do_not_matter(draw):
    case = inputs(draw, "as drawn").but(eps=0.0)
    moved = case.but("3 x + 7", x=3 * case.arguments["x"] + 7)
    first, second = yield [case, moved]
    expect_equal(first, second, "x was multiplied by 3 and 7 added; the result must stay.")


@exercise.check(Stage.PROPERTIES)
def positions_do_not_see_each_other(draw):
    case = inputs(draw, "as drawn", time=4)
    x = case.arguments["x"].copy()
    x[:, -1] += 10 * draw.normal(*x[:, -1].shape)
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed; the results of the others must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.PROPERTIES)
def mean_zero_variance_one(draw):
    case = inputs(draw, "weight 1, bias 0, eps 0", d_model=7)
    case = case.but(weight=np.ones(7), bias=np.zeros(7), eps=0.0)
    (trial,) = yield [case]
    got = numbers(trial)
    mean, variance = got.mean(axis=-1).flat[0], got.var(axis=-1).flat[0]
    right = np.allclose(got.mean(axis=-1), 0, atol=1e-4) and np.allclose(got.var(axis=-1), 1, 1e-3)
    fact = f"The first position has mean {mean:.4g} and variance {variance:.4g}, not 0 and 1."
    expect(right, fact, trial)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=2, time=3, d_model=5)
    differentiate = ("x", "weight", "bias")
    cotangent = draw.normal(2, 3, 5)
    return [case.set(dtype="float64", differentiate=differentiate, cotangent=cotangent)]


@exercise.check(Stage.EDGES)
def a_constant_position_gives_the_bias(draw):
    case = inputs(draw, "every feature of every position is 3", batch=1, time=2, d_model=4)
    return [case.but(x=np.full((1, 2, 4), 3.0))]


@exercise.check(Stage.EDGES)
def small_numbers(draw):
    case = inputs(draw, "numbers around 0.001, where eps matters", batch=2, time=3, d_model=5)
    return [case.but(x=1e-3 * draw.normal(2, 3, 5))]


@exercise.check(Stage.EDGES)
def far_from_zero(draw):
    return [plain([[10_001.0, 10_003.0, 10_002.0, 10_006.0]], "numbers around 10,000", eps=1e-5)]


@exercise.check(Stage.EDGES)
def large_numbers_in_half_precision(draw):
    case = plain([[300.0, -500.0, 100.0, 900.0, -800.0]], "float16, numbers in the hundreds")
    return [case.but(eps=1e-5).set(dtype="float16")]
