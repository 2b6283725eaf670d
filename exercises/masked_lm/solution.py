"""Masked language modelling: spoil some tokens, and ask for the originals.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check masked_lm
"""

import torch
from torch import Tensor


def mask_tokens(
    tokens: Tensor,
    choice: Tensor,
    fate: Tensor,
    substitutes: Tensor,
    mask_id: int,
    special_ids: list[int],
) -> tuple[Tensor, Tensor]:
    """BERT's corruption. All chance comes in from outside, so that the result is determined.

    A token is chosen where `choice` is below 0.15, but never a special one. A chosen token
        becomes mask_id                 where fate < 0.8           (80%)
        becomes that of `substitutes`   where 0.8 <= fate < 0.9    (10%)
        stays as it is                  where 0.9 <= fate          (10%)

    and in all three cases the model is asked for it.

    Args:
        tokens: whole numbers, (batch, time)
        choice, fate: random numbers from 0 up to but not including 1, (batch, time)
        substitutes: random ordinary tokens, (batch, time)
        special_ids: tokens that are never chosen: padding, start, separator, …

    Returns:
        (inputs, labels), new tensors (batch, time) of whole numbers. labels hold the original token
        where it was chosen and -100 everywhere else.

    Example: mask_id = 4, special_ids = [1, 2]
        tokens  [[  1,    7,   8,    9,   6,   2]]
        choice  [[0.0, 0.1 , 0.1, 0.1 , 0.5, 0.0]]     1 and 2 are special, 6 is not chosen
        fate    [[0.0, 0.79, 0.8, 0.95, 0.0, 0.0]]
        substitutes [[11, 12, 13, 14, 15, 16]]
        inputs  [[  1,    4,  13,    9,   6,   2]]
        labels  [[-100,   7,   8,    9, -100, -100]]
    """
    # solution:
    special = torch.isin(tokens, tokens.new_tensor(special_ids))
    chosen = (choice < 0.15) & ~special
    masked = chosen & (fate < 0.8)
    replaced = chosen & (fate >= 0.8) & (fate < 0.9)
    inputs = tokens.masked_fill(masked, mask_id)
    inputs = torch.where(replaced, substitutes, inputs)
    labels = tokens.masked_fill(~chosen, -100)
    return inputs, labels
    # end
