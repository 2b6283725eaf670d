"""Hunt for layers that are one layer: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

ENCODER = "Encoder"
NORM_EPS = 1e-5
exercise = Exercise(__file__, order=370, minutes=15, parts=(ENCODER,))


@exercise.oracle(ENCODER, axes="batch position feature")
def reference(hidden=None, state=None, **sizes):
    """Layer by layer, with the given weights."""
    if state is None:
        raise LookupError("an encoder that is only looked at computes nothing")
    n_layers = 1 + max(int(name.split(".")[1]) for name in state)
    for index in range(n_layers):
        weights = {k.split(".", 2)[2]: v for k, v in state.items() if int(k.split(".")[1]) == index}
        centred = hidden - hidden.mean(-1, keepdims=True)
        normed = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + NORM_EPS)
        normed = normed * weights["norm.weight"] + weights["norm.bias"]
        inner = np.maximum(normed @ weights["up.weight"].T + weights["up.bias"], 0)
        hidden = hidden + inner @ weights["down.weight"].T + weights["down.bias"]
    return hidden


def looked_at(via: str, label: str, d_model: int, d_ff: int, n_layers: int) -> Case:
    """Build an encoder and look at it in the way that ``driver.py`` calls ``via``."""
    sizes = {"d_model": d_model, "d_ff": d_ff, "n_layers": n_layers}
    return Case(ENCODER, sizes, label, via=via)


def run(draw: Draw, label: str, d_model: int, d_ff: int, n_layers: int) -> Case:
    """Run an encoder with given weights, other ones in every layer."""
    shapes = {
        "norm.weight": (d_model,),
        "norm.bias": (d_model,),
        "up.weight": (d_ff, d_model),
        "up.bias": (d_ff,),
        "down.weight": (d_model, d_ff),
        "down.bias": (d_model,),
    }
    layers = range(n_layers)
    state = {
        f"layers.{i}.{k}": 0.5 * draw.normal(*shape) for i in layers for k, shape in shapes.items()
    }
    sizes = {"d_model": d_model, "d_ff": d_ff, "n_layers": n_layers}
    arguments = {"hidden": draw.normal(2, 3, d_model), "state": state}
    return Case(ENCODER, arguments, label, dtype="float64", construct=sizes)


def size_of(d_model: int, d_ff: int) -> int:
    """Parameters of one layer."""
    return 2 * d_model + 2 * d_model * d_ff + d_ff + d_model


@exercise.check(Stage.ISOLATED)
def every_layer_has_parameters_of_its_own(draw):
    d_model, d_ff, n_layers = draw.dims("d_model", "d_ff", "layers")
    small = looked_at("count", "one layer", 2, 3, 1)
    large = looked_at("count", "all sizes different", d_model, d_ff, n_layers)
    trials = yield [small, large]
    for trial, wanted in zip(
        trials, (size_of(2, 3), n_layers * size_of(d_model, d_ff)), strict=True
    ):
        trained, saved = numbers(trial).tolist()
        fact = f"An optimizer would train {trained} numbers; it must be {wanted}. "
        fact += f"The checkpoint holds {saved}."
        expect(trained == wanted and saved == wanted, fact, trial)


@exercise.check(Stage.ISOLATED)
def names_of_the_parameters(draw):
    (trial,) = yield [looked_at("names", "three layers", 2, 3, 3)]
    found = numbers(trial)
    fact = "Names such as layers.0.up.weight are not all there."
    expect(found.shape == (3, 6) and found.all(), fact, trial)


@exercise.check(Stage.ISOLATED)
def layers_start_differently(draw):
    (trial,) = yield [looked_at("different_at_the_start", "four layers", 3, 5, 4)]
    differ = numbers(trial)
    equal = [(i, j) for i, j in np.argwhere(~differ).tolist() if i < j]
    fact = f"These layers start with equal weights: {', '.join(f'{i} and {j}' for i, j in equal)}."
    expect(differ.shape == (4, 4) and not equal, fact, trial)


@exercise.check(Stage.ISOLATED)
def two_encoders_start_differently(draw):
    (trial,) = yield [looked_at("two_encoders_differ", "two encoders", 3, 5, 3)]
    fact = "Two encoders, built one after the other, start with equal weights."
    expect(numbers(trial).all(), fact, trial)


@exercise.check(Stage.ISOLATED)
def weights_are_as_wide_as_usual(draw):
    (trial,) = yield [looked_at("spread", "three layers", 64, 64, 3)]
    fact = f"The weights' spread is {numbers(trial).tolist()} times that of a fresh nn.Linear."
    expect((numbers(trial) == 1).all(), fact, trial)


@exercise.check(Stage.ORACLE)
def runs_through_all_layers(draw):
    d_model, d_ff, n_layers = draw.dims("d_model", "d_ff", "layers")
    return [
        run(draw, "one layer", 2, 3, 1),
        run(draw, "two layers with other weights", 2, 3, 2),
        run(draw, "all sizes different", d_model, d_ff, n_layers),
    ]


@exercise.check(Stage.PROPERTIES)
def one_step_moves_every_layer(draw):
    (trial,) = yield [looked_at("moved_by_one_step", "four layers", 3, 5, 4)]
    still = np.flatnonzero(~numbers(trial)).tolist()
    fact = f"One step of gradient descent left layer {', '.join(map(str, still))} where it was."
    expect(not still, fact, trial)
