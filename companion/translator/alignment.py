"""Does cross-attention find the words that translate each other? Alignment error rate.

Against the grammar's gold alignment, for every head of every layer (Och and Ney, 2003, section 6):

    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

with the found links A, the sure links S and the possible links P ⊇ S, all summed over the corpus.
Our gold links are all sure (S = P), and then AER is 1 minus the F1 score of the links.

From weights to links. Weights are between pieces of words: they are summed over the pieces of a
source word and averaged over the pieces of a target word. Each target word is linked with the
source word that has the largest weight, the first of equal ones. Target words that the gold
alignment leaves alone (most articles, `any`, `of`) are not asked: an argmax must name some word,
and there is none to name. A gold link that such a reading cannot give, because a target word has
two, still counts in |S|: `best_possible` is the AER of one right link for every target word asked.

Which query stands for a target word? Either the one that *predicts* it, one position earlier, which
does not know the word yet; or the one that *has read* it. `Translator.cross_attention` labels its
rows by the former, and so does the picture of `companion translate --attention`; both are scored.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from companion.translator.grammar.pair import Pair, join_english
from companion.translator.tokenizer import Tokenizer
from companion.translator.translator import Translator

Reading = Literal["predicts", "has read"]
READINGS: tuple[Reading, ...] = ("predicts", "has read")
Links = set[tuple[int, int]]
"""Pairs of indices: source word, target word."""


class AlignmentScores(NamedTuple):
    """Alignment error rates, 0 for perfect, 1 for none right."""

    reading: Reading
    sentences: int
    gold_links: int
    heads: list[list[float]]
    """By layer and head."""
    layers: list[float]
    """Of each layer's weights, averaged over its heads before the argmax."""
    diagonal: float
    """Baseline: target word j of m is linked with the source word at the same relative place."""
    uniform: float
    """Baseline: what a source word drawn at random can be expected to give."""
    best_possible: float
    """One right link for every target word that has any."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, rates rounded to four places."""
        rounded = {n: round(v, 4) for n, v in self._asdict().items() if isinstance(v, float)}
        return self._asdict() | {
            "heads": [[round(rate, 4) for rate in row] for row in self.heads],
            "layers": [round(rate, 4) for rate in self.layers],
            **rounded,
        }


def alignment_error_rate(found: Links, sure: Links, possible: Links | None = None) -> float:
    """Och and Ney's AER of one set of links; `possible` defaults to `sure`.

    >>> alignment_error_rate({(0, 0), (1, 1)}, {(0, 0), (1, 2)})
    0.5
    """
    possible = sure if possible is None else possible | sure
    return _rate(len(found & sure) + len(found & possible), len(found) + len(sure))


def _rate(agreed: int | float, total: int) -> float:
    return 1 - agreed / total if total else 0.0


def score_alignment(
    translator: Translator, pairs: Sequence[Pair], *, reading: Reading = "predicts"
) -> AlignmentScores:
    """AER of the cross-attention while the model reads the right translation of each pair.

    Raises NoAttentionError for models that do not show their attention, InputTooLongError, and
    ValueError without pairs.
    """
    if not pairs:
        raise ValueError("there are no sentences to align")
    heads, layers, baselines = [], [], []
    asked_in_all, gold_in_all = 0, 0
    for pair in pairs:
        weights = word_attention(translator, pair, reading)
        gold = torch.zeros(weights.shape[2:], dtype=torch.bool)
        for source, target in pair.alignment:
            gold[target, source] = True
        asked = gold.any(1)
        heads.append(_agreed(weights, gold))
        layers.append(_agreed(weights.mean(1), gold))
        baselines.append(
            [int(_agreed(_diagonal(gold), gold)), float(gold.float().mean(1)[asked].sum())]
        )
        asked_in_all += int(asked.sum())
        gold_in_all += int(gold.sum())
    total = asked_in_all + gold_in_all
    diagonal, uniform = (sum(column) for column in zip(*baselines, strict=True))
    return AlignmentScores(
        reading=reading,
        sentences=len(pairs),
        gold_links=gold_in_all,
        heads=[[_rate(2 * n, total) for n in row] for row in torch.stack(heads).sum(0).tolist()],
        layers=[_rate(2 * n, total) for n in torch.stack(layers).sum(0).tolist()],
        diagonal=_rate(2 * diagonal, total),
        uniform=_rate(2 * uniform, total),
        best_possible=_rate(2 * asked_in_all, total),
    )


def _agreed(
    weights: Float[Tensor, "*any target source"], gold: Bool[Tensor, "target source"]
) -> Tensor:
    """How many target words' largest weights are on a gold link. Unlinked ones never are."""
    best = weights.argmax(-1)
    return gold[torch.arange(len(gold)), best].sum(-1)


def _diagonal(gold: Bool[Tensor, "target source"]) -> Float[Tensor, "target source"]:
    """Weights with one 1 a target word: the source word in which its middle falls."""
    targets, sources = gold.shape
    places = ((torch.arange(targets) + 0.5) * sources / targets).long()
    return torch.nn.functional.one_hot(places, sources).float()


def word_attention(
    translator: Translator, pair: Pair, reading: Reading = "predicts"
) -> Float[Tensor, "layers heads target_words source_words"]:
    """Cross-attention between words: summed over source pieces, averaged over target pieces.

    Raises ValueError where the model spells the pair in another way than the grammar.
    """
    tokenizer = translator.tokenizer
    sources = words_of_pieces(tokenizer, translator.encode(pair.source), pair.source_words, "")
    target_ids = tokenizer.encode(pair.target)
    targets = words_of_pieces(tokenizer, target_ids, pair.target_words, " ")
    weights = translator.cross_attention(pair.source, pair.target).weights
    # Row t predicts piece t; the query that has read piece t is the next one.
    first = 0 if reading == "predicts" else 1
    rows = weights[:, :, first : first + len(target_ids)]
    to_target = _membership(targets, len(pair.target_words))
    to_target = to_target / to_target.sum(0, keepdim=True)
    to_source = _membership(sources, len(pair.source_words))
    return torch.einsum("lhts,tw,sv->lhwv", rows, to_target, to_source)


def _membership(words: Sequence[int | None], n_words: int) -> Float[Tensor, "pieces words"]:
    matrix = torch.zeros(len(words), n_words)
    for piece, word in enumerate(words):
        if word is not None:
            matrix[piece, word] = 1.0
    return matrix


def words_of_pieces(
    tokenizer: Tokenizer, ids: Sequence[int], words: Sequence[str], space: str
) -> list[int | None]:
    """For every piece the index of the word that its last character belongs to, or None.

    `space` stands between words (English) or nothing does (Chinese). Raises ValueError when the
    pieces do not spell these words, or a word has no piece that ends in it.
    """
    text = join_english(words) if space else "".join(words)
    if tokenizer.decode(ids) != text:
        raise ValueError(f"the pieces spell {tokenizer.decode(ids)!r}, the words {text!r}")
    owner: list[int | None] = [None] * len(text)
    start = 0
    for index, word in enumerate(words):
        start = text.index(word, start)
        owner[start : start + len(word)] = [index] * len(word)
        start += len(word)
    ends = (len(tokenizer.decode(ids[: n + 1])) for n in range(len(ids)))
    found = [owner[end - 1] if end else None for end in ends]
    if set(range(len(words))) - set(found):
        raise ValueError(f"a piece spans several words of {text!r}")
    return found
