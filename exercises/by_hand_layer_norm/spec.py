"""A layer norm by hand: the five lines, computed with NumPy from the same numbers."""

import numpy as np

from exercises.engine.case import Case
from exercises.engine.exercise import Exercise, Stage

X = np.array([[4.0, 0, -2, 6], [0, 0, 0, 4]])
EPS = 6
WEIGHT, BIAS = np.array([2, 1, -1, 0.5]), np.array([0, 1, 0.5, -1])
LINES = ("mean", "centred", "variance", "normalised", "output")
exercise = Exercise(__file__, order=440, minutes=15, parts=LINES)


@exercise.oracle("mean", axes="position")
def mean():
    return X.mean(axis=1)


@exercise.oracle("centred", axes="position feature")
def centred():
    return X - mean()[:, None]


@exercise.oracle("variance", axes="position")
def variance():
    return (centred() ** 2).mean(axis=1)


@exercise.oracle("normalised", axes="position feature")
def normalised():
    return centred() / np.sqrt(variance() + EPS)[:, None]


@exercise.oracle("output", axes="position feature")
def output():
    return normalised() * WEIGHT + BIAS


def line(name: str) -> Case:
    """The numbers that stand under this name in the learner's file."""
    return Case(name, {}, dtype="two decimals")


@exercise.check(Stage.ISOLATED, part="mean", judge="by_hand")
def line_1_mean(draw):
    return [line("mean")]


@exercise.check(Stage.ISOLATED, part="centred", judge="by_hand")
def line_2_centred(draw):
    return [line("centred")]


@exercise.check(Stage.ISOLATED, part="variance", judge="by_hand")
def line_3_variance(draw):
    return [line("variance")]


@exercise.check(Stage.ISOLATED, part="normalised", judge="by_hand")
def line_4_normalised(draw):
    return [line("normalised")]


@exercise.check(Stage.ISOLATED, part="output", judge="by_hand")
def line_5_output(draw):
    return [line("output")]
