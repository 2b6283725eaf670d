"""What a model is asked to predict, and how wrong it was.

Teacher forcing and label smoothing belong to the encoder-decoder (Vaswani et al., 2017,
"Attention Is All You Need", sections 3.1 and 5.4; Szegedy et al., 2016, "Rethinking the Inception
Architecture", section 7, for label smoothing).
"""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor


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
