"""A beam step by hand: the six lines, computed with NumPy from the same numbers."""

import numpy as np

from exercises.engine.case import Case
from exercises.engine.exercise import Exercise, Stage

SO_FAR = np.array([-0.4, -1.3])
NEXT = np.array([[-0.9, -0.7, -2.3], [-0.3, -2.5, -1.8]])
FINISHED, LENGTHS, ALPHA = np.array([-2.4, -2.8]), np.array([4, 8]), 0.6
LINES = ("totals", "best", "cache_rows", "penalties", "final", "winner")
exercise = Exercise(__file__, order=450, minutes=15, parts=LINES)


@exercise.oracle("totals", axes="beam word")
def totals():
    return SO_FAR[:, None] + NEXT


@exercise.oracle("best", axes="place beam/word")
def best():
    """Sorted by hand: every continuation against every other."""
    found = totals()
    return np.array(sorted(np.ndindex(2, 3), key=lambda place: -found[place])[:2])


@exercise.oracle("cache_rows", axes="place")
def cache_rows():
    return best()[:, 0]


@exercise.oracle("penalties", axes="sentence")
def penalties():
    """Wu et al. (2016), equation 14."""
    return np.exp(ALPHA * (np.log(5 + LENGTHS) - np.log(6)))


@exercise.oracle("final", axes="sentence")
def final():
    return FINISHED / penalties()


@exercise.oracle("winner", axes="")
def winner():
    return np.array(final().argmax())


def line(name: str) -> Case:
    """The numbers that stand under this name in the learner's file."""
    return Case(name, {}, dtype="two decimals")


@exercise.check(Stage.ISOLATED, part="totals", judge="by_hand")
def line_1_totals(draw):
    return [line("totals")]


@exercise.check(Stage.ISOLATED, part="best", judge="by_hand")
def line_2_best(draw):
    return [line("best")]


@exercise.check(Stage.ISOLATED, part="cache_rows", judge="by_hand")
def line_3_cache_rows(draw):
    return [line("cache_rows")]


@exercise.check(Stage.ISOLATED, part="penalties", judge="by_hand")
def line_4_penalties(draw):
    return [line("penalties")]


@exercise.check(Stage.ISOLATED, part="final", judge="by_hand")
def line_5_final(draw):
    return [line("final")]


@exercise.check(Stage.ISOLATED, part="winner", judge="by_hand")
def line_6_winner(draw):
    return [line("winner")]
