"""The n-gram model counts as the textbook does."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.ngram import BOS, EOS, UNK, AddK, KneserNey, NGram

TEXT = [s.split() for s in ("the cat sat", "the cat ran", "a dog sat", "the dog ran to the cat")]


@settings(deadline=None, max_examples=60)
@given(
    sentences=st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=6),
    history=st.lists(st.sampled_from("abcde"), max_size=5),
    order=st.integers(1, 4),
    smoothing=st.sampled_from([AddK(1.0), AddK(0.01), KneserNey(), KneserNey(0.75)]),
)
def test_what_can_come_next_sums_to_one(
    sentences: list[list[str]], history: list[str], order: int, smoothing: AddK | KneserNey
) -> None:
    model = NGram(sentences, order=order, smoothing=smoothing)
    distribution = model.distribution(history)
    assert sum(distribution.values()) == pytest.approx(1)
    assert min(distribution.values()) > 0
    assert EOS in distribution
    assert BOS not in distribution


def test_add_k_by_hand() -> None:
    model = NGram(TEXT, order=2, smoothing=AddK(0.5))
    # cat follows the 4 times; the vocabulary: a cat dog ran sat the to </s> <unk>.
    assert len(model.vocabulary) == 9
    assert model.probability("cat", ["the"]) == pytest.approx((3 + 0.5) / (4 + 0.5 * 9))
    assert model.probability("the") == pytest.approx((3 + 0.5) / (4 + 0.5 * 9))
    assert model.probability("sat", ["elephant"]) == pytest.approx(1 / 9)
    assert model.probability("mouse", ["the"]) == model.probability(UNK, ["the"])
    assert model.probability(EOS, ["cat"]) == pytest.approx((1 + 0.5) / (3 + 0.5 * 9))


def test_kneser_ney_by_hand() -> None:
    sentences = [["san", "francisco"]] * 3 + [["new", "glasses"], ["old", "glasses"]]
    model = NGram(sentences, order=2, smoothing=KneserNey(0.75))
    # Distinct bigrams: <s> san, <s> new, <s> old, san francisco, new glasses, old glasses,
    # francisco </s>, glasses </s>: 8, ending on 6 different tokens.
    base = 0.75 * 6 / 8 / len(model.vocabulary)
    one, two = (1 - 0.75) / 8 + base, (2 - 0.75) / 8 + base
    assert model.probability("glasses", ["reading"]) == pytest.approx(two)
    # Francisco is the more frequent word and yet the less likely one in a new context.
    assert model.probability("francisco", ["reading"]) == pytest.approx(one)
    assert model.probability("francisco", ["san"]) == pytest.approx((3 - 0.75 + 0.75 * one) / 3)
    assert model.probability("glasses", ["new"]) == pytest.approx(1 - 0.75 + 0.75 * two)


def test_the_discount_is_estimated_from_ones_and_twos() -> None:
    model = NGram(TEXT, order=2)
    counts = Counter(pair for s in TEXT for pair in zip([BOS, *s], [*s, EOS], strict=True))
    sizes = Counter(counts.values())
    discount = sizes[1] / (sizes[1] + 2 * sizes[2])
    lower = model.probability("to", ["elephant"])
    after_ran = discount * 2 * lower / 2  # "ran" ends one sentence and goes on to "to" once
    assert model.probability("to", ["ran"]) == pytest.approx((1 - discount) / 2 + after_ran)


def test_only_the_last_tokens_count() -> None:
    model = NGram(TEXT, order=3)
    long = model.probability("sat", ["ran", "to", "the", "cat"])
    assert long == model.probability("sat", ["the", "cat"])
    assert long != model.probability("sat", ["a", "cat"])
    unigram = NGram(TEXT, order=1, smoothing=AddK(1.0))
    assert unigram.probability("cat", ["the"]) == unigram.probability("cat")


def test_perplexity_of_a_fair_die_is_its_number_of_faces() -> None:
    model = NGram([["a", "b"], ["b", "a"]], order=1, smoothing=AddK(1e9))
    assert model.perplexity([["a", "a", "b"], []]) == pytest.approx(len(model.vocabulary))


def test_perplexity_is_the_exponential_of_the_mean_over_tokens_and_ends() -> None:
    model = NGram(TEXT, order=2)
    total = model.log_probability(["the", "cat"]) + model.log_probability(["a"])
    assert model.perplexity([["the", "cat"], ["a"]]) == pytest.approx(math.exp(-total / 5))
    assert model.log_probability(["a"]) == pytest.approx(
        math.log(model.probability("a")) + math.log(model.probability(EOS, ["a"]))
    )


def test_more_history_fits_the_training_text_better() -> None:
    perplexities = [NGram(TEXT, order=n).perplexity(TEXT) for n in (1, 2, 3)]
    assert perplexities == sorted(perplexities, reverse=True)


def test_samples_follow_the_distribution_and_the_seed() -> None:
    model = NGram(TEXT, order=2, smoothing=AddK(0.1))
    samples = [model.sample(seed=s) for s in range(1500)]
    assert samples[:20] == [model.sample(seed=s) for s in range(20)]
    first = Counter(s[0] if s else EOS for s in samples)
    for token, p in model.distribution().items():
        assert first[token] / 1500 == pytest.approx(p, abs=4 * math.sqrt(p / 1500))
    assert all(BOS not in s and EOS not in s for s in samples)
    assert len(model.sample(seed=1, max_new_tokens=1)) <= 1


def test_bad_settings_are_named() -> None:
    with pytest.raises(ValueError, match="k must be above 0, got 0"):
        AddK(0.0)
    with pytest.raises(ValueError, match=r"discount must lie in \(0, 1\), got 1.5"):
        KneserNey(1.5)
    with pytest.raises(ValueError, match="order must be at least 1, got 0"):
        NGram(TEXT, order=0)
    with pytest.raises(ValueError, match="no sentence to count"):
        NGram([])
    with pytest.raises(ValueError, match="no sentence to score"):
        NGram(TEXT).perplexity([])


def test_unknown_words_in_the_history_are_read_as_the_training_texts_own_unknowns() -> None:
    model = NGram([[UNK, "sat"], ["cat", "ran"]], order=2)
    assert model.probability("sat", ["elephant"]) == model.probability("sat", [UNK]) > 0.25
