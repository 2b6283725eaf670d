"""Attention by hand: the four lines, computed with NumPy from the same three matrices."""

import numpy as np

from exercises.engine.case import Case
from exercises.engine.exercise import Exercise, Stage

QUERIES = np.array([[1, 0], [0, 2], [1, 1]])
KEYS = np.array([[2, 1], [0, 1], [1, -1]])
VALUES = np.array([[1, 0], [0, 1], [-1, 1]])
LINES = ("scores", "scaled", "weights", "output")
exercise = Exercise(__file__, order=430, minutes=20, parts=LINES)


@exercise.oracle("scores", axes="query key")
def scores():
    return QUERIES @ KEYS.T


@exercise.oracle("scaled", axes="query key")
def scaled():
    return scores() / np.sqrt(2)


@exercise.oracle("weights", axes="query key")
def weights():
    powers = np.exp(scaled())
    return powers / powers.sum(axis=1, keepdims=True)


@exercise.oracle("output", axes="query feature")
def output():
    return weights() @ VALUES


def line(name: str) -> Case:
    """The numbers that stand under this name in the learner's file."""
    return Case(name, {}, dtype="two decimals")


@exercise.check(Stage.ISOLATED, part="scores", judge="by_hand")
def line_1_scores(draw):
    return [line("scores")]


@exercise.check(Stage.ISOLATED, part="scaled", judge="by_hand")
def line_2_scaled(draw):
    return [line("scaled")]


@exercise.check(Stage.ISOLATED, part="weights", judge="by_hand")
def line_3_weights(draw):
    return [line("weights")]


@exercise.check(Stage.ISOLATED, part="output", judge="by_hand")
def line_4_output(draw):
    return [line("output")]
