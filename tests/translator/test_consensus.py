"""The hypothesis is taken that the others, weighed by their probability, agree with most."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from companion.translator.consensus import most_agreed

TEXTS = ["I am hungry.", "I'm hungry now.", "I'm hungry.", "Let's eat."]
SCORES = [-0.9, -1.0, -1.1, -1.0]


def test_the_middle_one_is_taken_where_all_count_alike() -> None:
    assert most_agreed(TEXTS, [0.0] * 4, 1.0) == 2


def test_near_zero_the_most_probable_one_is_taken() -> None:
    assert most_agreed(TEXTS, SCORES, 1e-3) == 0
    assert most_agreed(TEXTS, SCORES, 1.0) == 2


def test_an_improbable_crowd_is_not_heard() -> None:
    texts = ["The bank is closed.", *["He sat by the river."] * 5]
    assert most_agreed(texts, [-1.0, *[-9.0] * 5], 0.5) == 0
    assert most_agreed(texts, [-1.0, *[-9.0] * 5], 50.0) == 1


@given(
    st.lists(st.tuples(st.text("ab c", max_size=8), st.floats(-50, 0)), min_size=1, max_size=5),
    st.floats(0.05, 10),
)
def test_it_is_the_expected_score_under_the_tempered_distribution(
    hypotheses: list[tuple[str, float]], temperature: float
) -> None:
    """By the definition, with probabilities that add up to one and every pair scored."""
    texts, scores = (list(column) for column in zip(*hypotheses, strict=True))
    masses = [math.exp((score - max(scores)) / temperature) for score in scores]
    chrf = CHRF()

    def expected(text: str) -> float:
        parts = [
            mass * (100.0 if text == other else chrf.sentence_score(text, [other]).score)
            for mass, other in zip(masses, texts, strict=True)
        ]
        return sum(parts) / sum(masses)

    chosen = most_agreed(texts, scores, temperature)
    assert expected(texts[chosen]) == pytest.approx(max(map(expected, texts)), rel=1e-9, abs=1e-9)


def test_what_cannot_be_chosen_from() -> None:
    with pytest.raises(ValueError, match="no hypotheses"):
        most_agreed([], [], 1.0)
    for temperature in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="temperature must be positive, got"):
            most_agreed(["a"], [0.0], temperature)
