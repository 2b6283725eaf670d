"""Bug hunt: the loss that falls when the batch gets longer.

A user reports: "With batch size 1 the loss is 5.2. The same sentences in one batch: 2.1. And the
batches with one very long sentence have the lowest loss of all. Training works, but the learning
rate that I found for short sentences is too small for mixed ones." Find the mistake and mend it.
Only `sequence_loss` is called; change whatever you like. Then run, from the folder that holds
`exercises`:

    python -m exercises check hunt_loss_denominator
"""

import torch
from torch import Tensor


def token_losses(logits: Tensor, targets: Tensor) -> Tensor:
    """-log p(target) of every position, padding included: (batch, time)."""
    log_probs = torch.log_softmax(logits, dim=-1)
    return -log_probs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)


def sequence_loss(logits: Tensor, targets: Tensor, pad_id: int) -> Tensor:
    """The average loss of a word; padding neither costs nor counts.

    Args:
        logits: (batch, time, vocab_size); some may be -inf, e.g. that of the padding
        targets: whole numbers, (batch, time), padded with pad_id anywhere

    Returns:
        one number, (); 0 if everything is padding.
    """
    padding = targets == pad_id
    losses = token_losses(logits, targets).masked_fill(padding, 0.0)
    return losses.mean()
