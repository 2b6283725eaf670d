"""Residual connection with pre- and post-norm: the references and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

POST, PRE = "post_norm", "pre_norm"
exercise = Exercise(__file__, order=130, minutes=8, parts=(POST, PRE))


def normalise(vector, gain):
    """What the driver's norm does with one position."""
    if gain is None:
        return vector
    return gain * vector / np.sqrt(np.mean(vector**2) + 1e-5)


@exercise.oracle(POST, axes="batch time feature")
def post_reference(x, weight, gain):
    """Vaswani et al. (2017), §3.1: LayerNorm(x + Sublayer(x)), position by position."""
    result = np.zeros(x.shape)
    for b, t in np.ndindex(x.shape[:2]):
        result[b, t] = normalise(x[b, t] + np.tanh(weight.T @ x[b, t]), gain)
    return result


@exercise.oracle(PRE, axes="batch time feature")
def pre_reference(x, weight, gain):
    """Radford et al. (2019), §2.3: x + Sublayer(LayerNorm(x)), position by position."""
    result = np.zeros(x.shape)
    for b, t in np.ndindex(x.shape[:2]):
        result[b, t] = x[b, t] + np.tanh(weight.T @ normalise(x[b, t], gain))
    return result


def inputs(draw: Draw, function: str, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states, a random sublayer, and a norm whose gain differs from 1."""
    names = ("batch", "time", "d_model")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, t, d = (sizes.get(name, size) for name, size in drawn)
    arguments = {
        "x": 3 * draw.normal(b, t, d),
        "weight": draw.normal(d, d) / d**0.5,
        "gain": 1.5 + draw.rng.random(d),
    }
    return Case(function, arguments, label, via="around_a_sublayer")


def without_sublayer(draw: Draw, function: str) -> Case:
    """A sublayer that gives zeros."""
    case = inputs(draw, function, batch=1, time=1, d_model=3)
    return case.but("the sublayer gives zeros", weight=np.zeros((3, 3)))


def without_norm(draw: Draw, function: str) -> Case:
    """A norm that changes nothing."""
    case = inputs(draw, function, batch=1, time=1, d_model=3)
    return case.but("the norm changes nothing", gain=None)


def for_gradients(draw: Draw, function: str) -> Case:
    """A small case with a random cotangent."""
    case = inputs(draw, function, "gradients", batch=2, time=3, d_model=4)
    differentiate = ("x", "weight", "gain")
    return case.set(dtype="float64", differentiate=differentiate, cotangent=draw.normal(2, 3, 4))


# --- post_norm


@exercise.check(Stage.CONTRACT, judge="shape")
def post_shape(draw):
    return [inputs(draw, POST)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def post_leaves_x_alone(draw):
    return [inputs(draw, POST)]


@exercise.check(Stage.ISOLATED)
def post_without_a_norm(draw):
    return [without_norm(draw, POST)]


@exercise.check(Stage.ISOLATED)
def post_without_a_sublayer(draw):
    return [without_sublayer(draw, POST)]


@exercise.check(Stage.ORACLE)
def post_equals_the_formula(draw):
    return [inputs(draw, POST).set(dtype="float64"), inputs(draw, POST, "one vector", batch=1)]


@exercise.check(Stage.PROPERTIES)
def post_result_is_normalised(draw):
    (trial,) = yield [inputs(draw, POST, "as drawn")]
    size = np.sqrt(np.mean((numbers(trial) / trial.case.arguments["gain"]) ** 2, axis=-1))
    fact = f"Divided by gain, the first result has root mean square {size.flat[0]:.4g}, not 1."
    expect(np.allclose(size, 1, 1e-3), fact, trial)


@exercise.check(Stage.GRADIENTS)
def post_gradients(draw):
    return [for_gradients(draw, POST)]


# --- pre_norm


@exercise.check(Stage.CONTRACT, judge="shape", part=PRE)
def pre_shape(draw):
    return [inputs(draw, PRE)]


@exercise.check(Stage.CONTRACT, judge="untouched", part=PRE)
def pre_leaves_x_alone(draw):
    return [inputs(draw, PRE)]


@exercise.check(Stage.ISOLATED, part=PRE)
def pre_without_a_norm(draw):
    return [without_norm(draw, PRE)]


@exercise.check(Stage.ISOLATED, part=PRE)
def pre_without_a_sublayer(draw):
    return [without_sublayer(draw, PRE)]


@exercise.check(Stage.ORACLE, part=PRE)
def pre_equals_the_formula(draw):
    return [inputs(draw, PRE).set(dtype="float64"), inputs(draw, PRE, "one vector", batch=1)]


@exercise.check(Stage.PROPERTIES, part=PRE)
def the_sublayer_never_feels_the_size_of_x(draw):
    case = inputs(draw, PRE, "as drawn")
    larger = case.but("x ten times as large", x=10 * case.arguments["x"])
    trials = yield [case, larger]
    added = [numbers(trial) - trial.case.arguments["x"] for trial in trials]
    same = added[0].shape == added[1].shape and np.allclose(*added, 1e-2, 1e-3)
    fact = "x was made ten times as large; what is added to it must stay the same."
    expect(same, fact, trials[1])


@exercise.check(Stage.GRADIENTS, part=PRE)
def pre_gradients(draw):
    return [for_gradients(draw, PRE)]
