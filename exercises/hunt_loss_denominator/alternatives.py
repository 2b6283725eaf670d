"""Mends that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("words-chosen")
def sequence_loss(logits, targets, pad_id):
    words = targets != pad_id
    if not words.any():
        return 0.0 * logits[..., 0].nan_to_num().sum()
    return F.cross_entropy(logits[words], targets[words])


@variants.function("ignore-index")
def sequence_loss(logits, targets, pad_id):
    flat, wanted = logits.flatten(0, 1), targets.flatten()
    total = F.cross_entropy(flat, wanted, ignore_index=pad_id, reduction="sum")
    return total / max(int((wanted != pad_id).sum()), 1)


@variants.function("weights")
def sequence_loss(logits, targets, pad_id):
    weights = (targets != pad_id).to(logits.dtype)
    losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    losses = torch.where(weights.bool(), losses, torch.zeros_like(losses))
    return (losses * weights).sum() / weights.sum().clamp(min=1)


@variants.function("word-by-word")
def sequence_loss(logits, targets, pad_id):
    losses = [
        torch.logsumexp(row, dim=0) - row[target]
        for rows, row_targets in zip(logits, targets, strict=True)
        for row, target in zip(rows, row_targets, strict=True)
        if target != pad_id
    ]
    return torch.stack(losses).mean() if losses else torch.zeros((), dtype=logits.dtype)
