"""What a model is asked to predict, and how wrong it was.

Teacher forcing and label smoothing belong to the encoder-decoder (Vaswani et al., 2017,
"Attention Is All You Need", sections 3.1 and 5.4; Szegedy et al., 2016, "Rethinking the Inception
Architecture", section 7, for label smoothing). The shift alone is the objective of a decoder-only
language model (Radford et al., 2018, section 3.1); masked words and next sentences are BERT's
(Devlin et al., 2019, section 3.1), agreement with itself R-Drop's (Liang et al., 2021).

Taught in the chapters on training, on decoder-only models and on encoder-only models.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# The label of a position that is not asked about; PyTorch's own default.
IGNORED = -100

Sentence = TypeVar("Sentence")


def teacher_forcing_shift(
    target: Int[Tensor, "batch time"], *, bos_id: int, eos_id: int, pad_id: int
) -> tuple[Int[Tensor, "batch time_plus_1"], Int[Tensor, "batch time_plus_1"]]:
    """Decoder input `bos y₁ … yₙ` and labels `y₁ … yₙ eos` for targets padded on the right.

    At every position the decoder has read what stands before the label and never the label itself;
    the end token is learned as a label and never fed. Raises ValueError when padding stands
    anywhere but at the end, or when a target already holds the start or end token.
    """
    real = target != pad_id
    if bool((real[:, 1:] & ~real[:, :-1]).any()):
        raise ValueError(
            f"targets must be padded on the right: pad_id={pad_id} stands before a token"
        )
    if bool(((target == bos_id) | (target == eos_id)).any()):
        raise ValueError(
            f"targets must not hold bos_id={bos_id} or eos_id={eos_id}: the shift adds them"
        )
    column = target.new_full((target.shape[0], 1), pad_id)
    decoder_input = torch.cat([torch.full_like(column, bos_id), target], dim=1)
    lengths = real.sum(dim=1, keepdim=True)
    labels = torch.cat([target, column], dim=1).scatter(1, lengths, eos_id)
    return decoder_input, labels


def label_smoothed_cross_entropy(
    logits: Float[Tensor, "*rows vocab"],
    labels: Int[Tensor, "*rows"],
    *,
    ignore_index: int,
    smoothing: float = 0.0,
    reduction: Literal["mean", "sum"] = "mean",
) -> Float[Tensor, ""]:
    """Cross-entropy in nats against `(1 - ε)·one_hot + ε/vocab`, over the labels that count.

    Positions whose label is `ignore_index` (padding) add nothing, neither to the sum nor to the
    number that the mean divides by, so more padding changes nothing. Without a single label that
    counts the loss is 0 with zero gradients (`F.cross_entropy` gives NaN there). `"sum"` is for
    training in several parts, where the sum is divided by the count over all parts.

    Computed in float32 at least. Raises ValueError for a smoothing outside [0, 1).
    """
    if not 0.0 <= smoothing < 1.0:
        raise ValueError(f"smoothing must lie in [0, 1), got {smoothing}")
    if reduction not in ("mean", "sum"):
        raise ValueError(f'reduction must be "mean" or "sum", got {reduction!r}')
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    counts = labels != ignore_index
    # An ignored label may be no index at all (-100); any index does, its loss is dropped below.
    index = labels.long().masked_fill(~counts, 0).unsqueeze(-1)
    log_normaliser = logits.logsumexp(dim=-1)
    loss = log_normaliser - logits.gather(-1, index).squeeze(-1)
    if smoothing > 0.0:
        uniform = log_normaliser - logits.mean(dim=-1)
        loss = (1.0 - smoothing) * loss + smoothing * uniform
    total = loss.masked_fill(~counts, 0.0).sum()
    return total if reduction == "sum" else total / counts.sum().clamp(min=1)


def symmetric_divergence(
    first: Float[Tensor, "*rows vocab"],
    second: Float[Tensor, "*rows vocab"],
    counts: Bool[Tensor, "*rows"],
) -> Float[Tensor, ""]:
    """How far apart two predictions are: `½ KL(p₁‖p₂) + ½ KL(p₂‖p₁)` nats, summed where `counts`.

    Of two forward passes that dropout has made different, it asks for one answer: the consistency
    term of R-Drop (Liang et al., 2021, "R-Drop: Regularized Dropout for Neural Networks", section
    2.1). Computed in float32 at least.
    """
    wide = torch.promote_types(first.dtype, torch.float32)
    first_log, second_log = (logits.to(wide).log_softmax(dim=-1) for logits in (first, second))
    # Both directions in one sum: Σ (p₁ − p₂)(log p₁ − log p₂) = KL(p₁‖p₂) + KL(p₂‖p₁).
    both = ((first_log.exp() - second_log.exp()) * (first_log - second_log)).sum(dim=-1)
    return both.masked_fill(~counts, 0.0).sum() / 2


def causal_shift(
    tokens: Int[Tensor, "batch time"], *, pad_id: int | None = None, ignore_index: int = IGNORED
) -> tuple[Int[Tensor, "batch time_minus_1"], Int[Tensor, "batch time_minus_1"]]:
    """Inputs `x₁ … xₙ₋₁` and labels `x₂ … xₙ` for a language model.

    A label is `ignore_index` where the input or the label is padding, on either side: no model is
    asked for the first token after left padding, which it would have to guess from nothing.
    `pad_id=None` says that there is no padding (GPT-2 has no token for it).

    Raises:
        ValueError: if there are fewer than two columns, so nothing to predict.
    """
    if tokens.shape[1] < 2:
        raise ValueError(f"nothing to predict: the rows hold {tokens.shape[1]} token(s), not two")
    inputs, labels = tokens[:, :-1], tokens[:, 1:]
    if pad_id is None:
        return inputs, labels
    return inputs, labels.masked_fill((inputs == pad_id) | (labels == pad_id), ignore_index)


class Masked(NamedTuple):
    """A corrupted sentence and what has to be restored.

    Attributes:
        inputs: the tokens that the model reads.
        labels: the original token where one was chosen, `ignore_index` elsewhere.
    """

    inputs: Int[Tensor, "batch time"]
    labels: Int[Tensor, "batch time"]


def mask_tokens(
    tokens: Int[Tensor, "batch time"],
    *,
    mask_id: int,
    vocab_size: int,
    special_ids: Sequence[int],
    probability: float = 0.15,
    split: tuple[float, float] = (0.8, 0.1),
    word_ids: Int[Tensor, "batch time"] | None = None,
    generator: torch.Generator | None = None,
    ignore_index: int = IGNORED,
) -> Masked:
    """Masked-language-model corruption.

    Every token is chosen with `probability`. Of the chosen, 80% become the mask token, 10% a random
    ordinary token (which may by chance be the same), 10% stay as they are: the model cannot tell
    which tokens it will be asked about.

    Args:
        special_ids: never chosen and never drawn: padding, start, separator, the mask itself.
        split: shares of the chosen that are masked and that are replaced; the rest stays.
        word_ids: number of the word that a piece belongs to, negative for none. All pieces of a
            word are then chosen together (whole-word masking); each meets its own fate.
        generator: on the device of the tokens; seed it and the corruption repeats.

    Raises:
        ValueError: for a probability outside (0, 1], shares that are negative or exceed 1,
            a `mask_id` outside the vocabulary, or no ordinary token to draw.

    Source: Devlin et al. (2019), section 3.1 and appendix A.1. BERT's code chooses an exact number
    per sentence, here each choice is independent.
    """
    masked, replaced = split
    _check_masking(probability, split, mask_id, vocab_size)
    chosen = _choose_words(tokens, word_ids, probability, generator)
    chosen &= ~torch.isin(tokens, tokens.new_tensor([*special_ids, mask_id]))
    fate = torch.rand(tokens.shape, generator=generator, device=tokens.device)
    ordinary = _ordinary_ids(vocab_size, {*special_ids, mask_id}, like=tokens)
    drawn = torch.randint(len(ordinary), tokens.shape, generator=generator, device=tokens.device)
    inputs = torch.where(chosen & (fate < masked), mask_id, tokens)
    replace = chosen & (fate >= masked) & (fate < masked + replaced)
    inputs = torch.where(replace, ordinary[drawn], inputs)
    return Masked(inputs, tokens.masked_fill(~chosen, ignore_index))


def _check_masking(
    probability: float, split: tuple[float, float], mask_id: int, vocab_size: int
) -> None:
    if not 0 < probability <= 1:
        raise ValueError(f"probability must lie in (0, 1], got {probability}")
    if min(split) < 0 or sum(split) > 1:
        raise ValueError(f"split must hold two shares that sum to at most 1, got {split}")
    if not 0 <= mask_id < vocab_size:
        raise ValueError(f"mask_id={mask_id} is no token of a vocabulary of {vocab_size}")


def _choose_words(
    tokens: Tensor, word_ids: Tensor | None, probability: float, generator: torch.Generator | None
) -> Bool[Tensor, "batch time"]:
    """True for the pieces of chosen words; without word numbers every token is a word."""
    if tokens.numel() == 0:
        return torch.zeros_like(tokens, dtype=torch.bool)
    if word_ids is None:
        word_ids = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    n_words = max(int(word_ids.max()) + 1, 1)
    draws = torch.rand(len(tokens), n_words, generator=generator, device=tokens.device)
    of_each_piece = draws.gather(1, word_ids.long().clamp(min=0))
    return (of_each_piece < probability) & (word_ids >= 0)


def _ordinary_ids(vocab_size: int, special: set[int], like: Tensor) -> Int[Tensor, " ordinary"]:
    ids = torch.arange(vocab_size, device=like.device, dtype=like.dtype)
    ids = ids[~torch.isin(ids, like.new_tensor(sorted(special)))]
    if len(ids) == 0:
        raise ValueError(f"all {vocab_size} tokens are special: no ordinary one is left to draw")
    return ids


@dataclass(frozen=True)
class SentencePair(Generic[Sentence]):
    """Two sentences, and whether the second followed the first in its document.

    Attributes:
        label: 0 if it did ("IsNext"), 1 if it was drawn from another document: BERT's numbering.
    """

    first: Sentence
    second: Sentence
    label: int


def next_sentence_pairs(
    documents: Sequence[Sequence[Sentence]], *, seed: int, probability: float = 0.5
) -> list[SentencePair[Sentence]]:
    """A pair for every sentence that has a successor in its document.

    The second sentence is the true successor with `probability`, else any sentence of another
    document. Sentences are whatever the documents hold: strings or token ids.

    Raises:
        ValueError: if fewer than two documents hold a sentence, or `probability` is outside [0, 1].

    Source: Devlin et al. (2019), section 3.1, task 2.
    """
    if not 0 <= probability <= 1:
        raise ValueError(f"probability must lie in [0, 1], got {probability}")
    filled = [document for document in documents if document]
    if len(filled) < 2:
        raise ValueError(
            "a wrong successor comes from another document: two that are not empty are needed, "
            f"got {len(filled)}"
        )
    rng = random.Random(seed)
    pairs = []
    for index, document in enumerate(filled):
        for first, successor in pairwise(document):
            if rng.random() < probability:
                pairs.append(SentencePair(first, successor, 0))
            else:
                other = rng.randrange(len(filled) - 1)
                other += other >= index  # any document but this one
                pairs.append(SentencePair(first, rng.choice(filled[other]), 1))
    return pairs


def pack_pair(
    first: Sequence[int], second: Sequence[int], *, cls_id: int, sep_id: int, max_len: int
) -> tuple[list[int], list[int]]:
    """Token ids `[CLS] first [SEP] second [SEP]` and their types: 0 up to the first separator, 1.

    While the pair is too long, the longer of the two loses its last token.

    Raises:
        ValueError: if `max_len` has no room for the three special tokens and one of each sentence.

    Source: Devlin et al. (2019), figure 2, and the released code.
    """
    if max_len < 5:
        raise ValueError(f"max_len must hold three special tokens and two others, got {max_len}")
    a, b = list(first), list(second)
    while len(a) + len(b) > max_len - 3:
        (a if len(a) > len(b) else b).pop()
    tokens = [cls_id, *a, sep_id, *b, sep_id]
    return tokens, [0] * (len(a) + 2) + [1] * (len(b) + 1)
