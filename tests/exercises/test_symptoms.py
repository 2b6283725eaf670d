"""What is said about a wrong array that nobody foresaw."""

import numpy as np
import pytest

from exercises.engine.case import Case, Outcome, Tensor
from exercises.engine.judges import Broken, Trial, expect_equal
from exercises.engine.symptoms import symptoms

AXES = ("row", "column")
RIGHT = np.random.default_rng(0).standard_normal((3, 4))
TRIANGLE = np.tri(3, dtype=bool)
CASE = Case("f", {"value": RIGHT + 1.0, "n": 2})

WRONG = {
    "constant factor": (2.5 * RIGHT, RIGHT, "2.5 times the expected"),
    "negated": (-RIGHT, RIGHT, "-1 times the expected"),
    "offset": (RIGHT + 0.5, RIGHT, "off by the same amount, 0.5"),
    "precision": (RIGHT + 1e-4 * np.sign(RIGHT), RIGHT, "lost precision"),
    "almost a factor of 1": (RIGHT * (1 + 3e-4), RIGHT, "lost precision"),
    "zeros": (0 * RIGHT, RIGHT, "Every element of the result is 0"),
    "regrouped": (RIGHT.T.reshape(3, 4), RIGHT, "in the wrong places"),
    "flipped": (RIGHT[::-1].copy(), RIGHT, "reverse order along row"),
    "same rows": (RIGHT[[0, 0, 0]], RIGHT, "the same for every index of row"),
    "one wrong row": (RIGHT + np.eye(3)[:, [1]] * RIGHT**2, RIGHT, "right at 0, 2; wrong at 1"),
    "nan": (np.where(RIGHT > 1, np.nan, RIGHT), RIGHT, "NaN"),
    "infinite": (np.where(RIGHT > 1, np.inf, RIGHT), RIGHT, "infinity"),
    "an input": (RIGHT + 1.0, RIGHT**2, "equals the input `value`"),
    "axes swapped": (RIGHT.T, RIGHT, "two axes are swapped"),
    "how to swap back": (RIGHT.T, RIGHT, "permute(1, 0)"),
    "axis size": (RIGHT[:2], RIGHT, "wrong along: row"),
    "merged": (RIGHT.reshape(12), RIGHT, "number of elements is right"),
    "opposite mask": (~TRIANGLE, TRIANGLE, "opposite"),
    "transposed mask": (TRIANGLE.T, TRIANGLE, "transposed"),
    "mask of ones": (TRIANGLE | True, TRIANGLE, "Every element is True"),
    "permissive mask": (np.tri(3, k=1, dtype=bool), TRIANGLE, "wrongly True are 2"),
    "strict mask": (np.tri(3, k=-1, dtype=bool), TRIANGLE, "wrongly False are 3"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_symptom_is_recognised(kind: str) -> None:
    got, expected, words = WRONG[kind]
    assert words in " ".join(symptoms(got, expected, AXES, CASE))


def test_first_wrong_index_with_both_values() -> None:
    got = RIGHT.copy()
    got[2, 1] = 7
    text = symptoms(got, RIGHT, AXES, CASE)[0]
    assert f"the first at [row 2, column 1]: expected {RIGHT[2, 1]:.6g}, got 7" in text
    assert "1 of 12" in text


SEQUENCES = {
    "shown whole": ([1, 2, 9], "Expected [1, 2, 3], got [1, 2, 9]."),
    "too long": ([1, 2, 3, 0], "too much at the end: [0]"),
    "too long at the start": ([7, 1, 2, 3], "too much at the start: [7]"),
    "too short": ([1, 2], "missing at the end: [3]"),
    "too short at the start": ([3], "missing at the start: [1, 2]"),
    "nothing": ([], "got []"),
}


@pytest.mark.parametrize("kind", SEQUENCES)
def test_token_ids_are_shown_as_a_list(kind: str) -> None:
    got, words = SEQUENCES[kind]
    array = np.array(got, dtype=np.int64)
    assert words in " ".join(symptoms(array, np.array([1, 2, 3]), ("position",), CASE))


def test_unknown_axes_are_numbered() -> None:
    assert "[0, 0]" in symptoms(RIGHT + 1, RIGHT, (), CASE)[0]


def test_one_number_is_shown_with_its_ratio_and_difference() -> None:
    words = " ".join(symptoms(np.array(1.5), np.array(2.0), (), CASE))
    assert "Expected 2, got 1.5." in words
    assert "0.75 times" in words
    assert "-0.5" in words
    assert symptoms(np.array(np.nan), np.array(2.0), (), CASE) == ["Expected 2, got nan."]
    assert symptoms(np.array(1.0), np.array(0.0), (), CASE) == ["Expected 0, got 1."]


def test_two_numbers_that_should_be_equal_are_shown_without_an_index() -> None:
    first, second = (Trial(CASE, Outcome(Tensor(np.array(n), "float32")), None) for n in (1.0, 2.0))
    with pytest.raises(Broken, match="The first call gave 1, the second 2") as broken:
        expect_equal(first, second, "They must agree.")
    assert "[]" not in str(broken.value)


def test_a_small_result_is_shown_whole() -> None:
    got, expected = np.array([[1.0, -0.0], [2.0, 30521.0]]), np.array([[1.0, 0.5], [2.0, 30521.0]])
    words = " ".join(symptoms(got, expected, AXES, CASE))
    assert "Expected [[1, 0.5], [2, 3.052e+04]], got [[1, 0], [2, 3.052e+04]]." in words
    ids = symptoms(np.array([[30521, 7]]), np.array([[30522, 7]]), AXES, CASE)
    assert "Expected [[30522, 7]], got [[30521, 7]]." in " ".join(ids)
    large = " ".join(symptoms(np.zeros((5, 5)), np.ones((5, 5)), AXES, CASE))
    assert "[[" not in large
