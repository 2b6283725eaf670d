"""Alignment error rate as on paper, and weights that end up at the right words."""

from pathlib import Path

import pytest
import torch

from companion.translator import alignment
from companion.translator.alignment import (
    alignment_error_rate,
    score_alignment,
    word_attention,
    words_of_pieces,
)
from companion.translator.grammar import Pair
from companion.translator.tokenizer import Tokenizer
from companion.translator.translator import Alignment, Translator


@pytest.fixture(scope="module")
def translator(trained: Path) -> Translator:
    return Translator.load(trained, device="cpu")


def make(
    source_words: tuple[str, ...], target_words: tuple[str, ...], links: tuple[tuple[int, int], ...]
) -> Pair:
    target = " ".join(target_words)
    return Pair(
        source="".join(source_words),
        target=target,
        references=(target,),
        construction="",
        parts=(),
        atoms=(),
        roles=(),
        alignment=links,
        source_words=source_words,
        target_words=target_words,
        depth=0,
    )


READS = make(("他", "看书"), ("he", "reads", "a", "book"), ((0, 0), (1, 1), (1, 3)))


def test_the_rate_by_hand() -> None:
    sure, possible = {(0, 0), (1, 1)}, {(2, 2)}
    assert alignment_error_rate(sure, sure) == 0
    assert alignment_error_rate({(0, 1)}, sure) == 1
    # |A|=2, |S|=2, |A∩S|=1, |A∩P|=2: a link that is merely possible is not wrong.
    assert alignment_error_rate({(0, 0), (2, 2)}, sure, possible) == pytest.approx(1 - 3 / 4)
    assert alignment_error_rate({(0, 0), (2, 2)}, sure) == pytest.approx(1 - 2 / 4)
    assert alignment_error_rate(set(), set()) == 0


def test_pieces_belong_to_the_word_they_end_in() -> None:
    table = Tokenizer.train(["playing", "play", "看书", "你好"] * 3, vocab_size=290)
    words = ("he", "cannot", "play", ",", "no", "?")
    ids = table.encode("he cannot play, no?")
    owners = words_of_pieces(table, ids, words, " ")
    owned = [owner for owner in owners if owner is not None]
    assert owned == sorted(owned)
    for index, word in enumerate(words):
        pieces = [piece for piece, owner in zip(ids, owners, strict=True) if owner == index]
        assert table.decode(pieces).strip() == word
    assert None in owners  # a space of its own
    assert owned.count(2) < len("play")
    # A character that is spelled in bytes belongs whole to its word.
    ids = table.encode("看鱼书")
    assert words_of_pieces(table, ids, ("看", "鱼书"), "") == [0, 1, 1, 1, 1]
    with pytest.raises(ValueError, match="the pieces spell"):
        words_of_pieces(table, ids, ("看", "书"), "")


def fixed(translator: Translator, weights: torch.Tensor, patch: pytest.MonkeyPatch) -> None:
    """Cross-attention as given, whatever is asked."""
    patch.setattr(
        translator, "cross_attention", lambda _source, _target: Alignment([], [], weights)
    )


def rows(translator: Translator, source: int, pieces: dict[int, list[float]]) -> torch.Tensor:
    """(1, 1, target pieces + 1, source pieces): given rows, the others even."""
    n_target = len(translator.tokenizer.encode(READS.target)) + 1
    weights = torch.full((1, 1, n_target, source), 1 / source)
    for row, values in pieces.items():
        weights[0, 0, row] = torch.tensor(values)
    return weights


def test_weights_are_summed_over_source_pieces(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 他 看 书: 看书 is one word of two pieces, which together outweigh 他.
    fixed(translator, rows(translator, 3, {1: [0.4, 0.3, 0.3]}), monkeypatch)
    found = word_attention(translator, READS)
    assert found.shape == (1, 1, 4, 2)
    torch.testing.assert_close(found[0, 0, 1], torch.tensor([0.4, 0.6]))


def test_the_rate_of_a_head_and_its_baselines_by_hand(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # he -> 他 (right), reads -> 他 (wrong), a -> not asked, book -> 看书 (right).
    values = {0: [0.9, 0.1, 0.0], 1: [0.8, 0.1, 0.1], 2: [1.0, 0.0, 0.0], 3: [0.2, 0.4, 0.4]}
    fixed(translator, rows(translator, 3, values), monkeypatch)
    found = score_alignment(translator, [READS, READS])
    assert (found.sentences, found.gold_links) == (2, 6)
    assert found.heads == [[pytest.approx(1 - 2 * 2 / (3 + 3))]]
    assert found.layers == [pytest.approx(1 / 3)]
    # Diagonal: he, reads -> 他; a, book -> 看书: two of three right. At random: a half each.
    assert found.diagonal == pytest.approx(1 / 3)
    assert found.uniform == pytest.approx(1 - 2 * 1.5 / 6)
    assert found.best_possible == 0
    assert found.to_dict()["heads"] == [[0.3333]]


def test_heads_are_averaged_before_the_argmax(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = rows(translator, 3, {r: [0.0, 0.5, 0.5] for r in (1, 3)} | {0: [1.0, 0.0, 0.0]})
    unsure = rows(translator, 3, {r: [0.6, 0.2, 0.2] for r in (1, 3)} | {0: [0.4, 0.3, 0.3]})
    fixed(translator, torch.cat([sure, unsure], dim=1), monkeypatch)
    found = score_alignment(translator, [READS])
    assert found.heads == [[pytest.approx(0), pytest.approx(1)]]
    assert found.layers == [pytest.approx(0)]


def test_the_two_readings_are_one_row_apart(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = {0: [1.0, 0.0, 0.0], 1: [0.0, 0.5, 0.5], 3: [0.0, 0.5, 0.5]}
    later = {row + 1: values for row, values in right.items()}
    fixed(translator, rows(translator, 3, right), monkeypatch)
    assert score_alignment(translator, [READS]).heads == [[pytest.approx(0)]]
    fixed(translator, rows(translator, 3, later), monkeypatch)
    assert score_alignment(translator, [READS], reading="has read").heads == [[pytest.approx(0)]]
    assert score_alignment(translator, [READS]).heads[0][0] > 0.3


def test_a_link_that_no_argmax_can_give_counts_against_it(translator: Translator) -> None:
    double = make(("我", "看书"), ("I", "read"), ((0, 0), (0, 1), (1, 1)))
    found = score_alignment(translator, [double])
    # Two words asked, three gold links: at best two are found.
    assert found.best_possible == pytest.approx(1 - 2 * 2 / (2 + 3))
    assert all(rate >= found.best_possible - 1e-9 for head in found.heads for rate in head)
    assert len(found.heads) == 2
    assert len(found.heads[0]) == 2


def test_nothing_to_align(translator: Translator) -> None:
    with pytest.raises(ValueError, match="no sentences"):
        score_alignment(translator, [])
    assert alignment.READINGS == ("predicts", "has read")
