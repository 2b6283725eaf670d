"""Rotary positions: the reference, one pair after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

ROTATE = "rotate"
exercise = Exercise(__file__, order=160, minutes=20, parts=(ROTATE,))


@exercise.oracle(ROTATE, axes="batch head time feature")
def reference(x, positions):
    """Su et al. (2021), equation 34: a rotation matrix for every token and every pair."""
    size = x.shape[-1]
    if size % 2:
        raise ValueError("d_head is odd")
    result = np.zeros_like(x)
    for row, place in np.ndindex(*positions.shape):
        for i in range(size // 2):
            angle = positions[row, place] * 10_000.0 ** (-2 * i / size)
            c, s = np.cos(angle), np.sin(angle)
            pair = [i, i + size // 2]
            result[row, :, place, pair] = np.array([[c, -s], [s, c]]) @ x[row, :, place, pair]
    return result


def heads(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call in which every row begins at a position of its own."""
    names = ("batch", "heads", "time", "pairs")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, h, t, pairs = (sizes.get(name, size) for name, size in drawn)
    positions = 2 + 3 * np.arange(b)[::-1, None] + np.arange(t)
    return Case(ROTATE, {"x": draw.normal(b, h, t, 2 * pairs), "positions": positions}, label)


def one_token(x: list[float], position: int, label: str) -> Case:
    """A single token in a single head."""
    return Case(ROTATE, {"x": np.array([[[x]]]), "positions": np.array([[position]])}, label)


def turned(trial: Trial) -> np.ndarray:
    """The result, which must have the shape of x."""
    got, wanted = numbers(trial), trial.case.arguments["x"].shape
    expect(got.shape == wanted, f"The result has shape {got.shape}; expected {wanted}.", trial)
    return got


@exercise.check(Stage.CONTRACT, judge="shape")
def keeps_the_shape(draw):
    return [heads(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [heads(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [heads(draw)]


@exercise.check(Stage.ISOLATED)
def position_zero_changes_nothing(draw):
    return [one_token([1.0, 2.0, 3.0, 4.0], 0, "position 0, so all angles are 0")]


@exercise.check(Stage.ISOLATED)
def a_single_pair_turns(draw):
    return [
        one_token([1.0, 0.0], 1, "d_head = 2, one radian"),
        one_token([3.0, 1.0], 2, "d_head = 2, two radians"),
    ]


@exercise.check(Stage.ISOLATED)
def the_halves_form_the_pairs(draw):
    return [
        one_token([1.0, 0.0, 0.0, 0.0], 1, "the example: dimension 0 is paired with 2"),
        one_token([0.0, 1.0, 0.0, 0.0], 30, "dimension 1 is paired with 3, at position 30"),
    ]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    return [heads(draw), heads(draw, "one sentence", batch=1)]


@exercise.check(Stage.PROPERTIES)
def lengths_stay(draw):
    case = heads(draw)
    (trial,) = yield [case]
    before = np.linalg.norm(case.arguments["x"], axis=-1)
    after = np.linalg.norm(turned(trial), axis=-1)
    fact = "The vectors got longer or shorter; a rotation keeps every length."
    expect(np.allclose(before, after, 1e-4, 1e-5), fact, trial)


@exercise.check(Stage.PROPERTIES)
def scores_know_only_the_distance(draw):
    case = heads(draw, "as drawn")
    later = case.but("everything 11 positions later", positions=case.arguments["positions"] + 11)
    first, second = yield [case, later]
    a, b = turned(first), turned(second)
    scores = [rows @ rows.swapaxes(-1, -2) for rows in (a, b)]
    fact = (
        "All positions were moved by 11, so all distances stayed; the dot products between the "
        "turned vectors changed all the same."
    )
    expect(np.allclose(*scores, 1e-3, 1e-4), fact, second)


@exercise.check(Stage.PROPERTIES)
def a_token_is_turned_by_its_own_position(draw):
    case = heads(draw, "all tokens together", time=4)
    a = case.arguments
    alone = case.but(
        "the last token alone, at its position",
        x=a["x"][:, :, -1:],
        positions=a["positions"][:, -1:],
    )
    together, single = yield [case, alone]
    last = turned(together)[:, :, -1:]
    fact = "The last token comes out differently when the tokens before it are left out."
    expect(np.allclose(last, turned(single), 1e-4, 1e-5), fact, single)


@exercise.check(Stage.PROPERTIES)
def rows_have_positions_of_their_own(draw):
    case = heads(draw, "two sentences", batch=2)
    a = case.arguments
    second = case.but("the second alone", x=a["x"][1:], positions=a["positions"][1:])
    both, single = yield [case, second]
    last, alone = turned(both)[1:], turned(single)
    fact = "The second sentence comes out differently when the first is left out of the batch."
    expect(np.allclose(last, alone, 1e-4, 1e-5), fact, single)


@exercise.check(Stage.GRADIENTS, judge="finite_gradients")
def gradients_flow(draw):
    return [heads(draw).set(differentiate=("x",))]


@exercise.check(Stage.EDGES)
def far_positions_in_bfloat16(draw):
    case = heads(draw, "positions from 300 on, bfloat16", batch=1, heads=1, time=3, pairs=4)
    case = case.but(positions=np.array([[300, 301, 303]]))
    return [case.set(dtype="bfloat16"), case.but("positions from 300 on")]


@exercise.check(Stage.EDGES)
def d_head_must_be_even(draw):
    return [one_token([1.0, 2.0, 3.0], 1, "d_head = 3")]
