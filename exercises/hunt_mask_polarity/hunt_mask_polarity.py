"""Bug hunt: attention looks where it must not.

The code below runs, and its author is content: shapes are right, the loss falls. But a user
reports: "The same sentence gets another result when it stands in a batch with a longer one, and a
sentence without padding does not seem to look at its own words at all." Find the mistake and mend
it. Only `causal_self_attention` is called; change whatever you like. Then run, from the folder that
holds `exercises`:

    python -m exercises check hunt_mask_polarity
"""

import math

import torch
from torch import Tensor


def causal_mask(time: int) -> Tensor:
    """Position i looks at itself and at what stands before it: bool, (time, time)."""
    return torch.ones(time, time, dtype=torch.bool).tril()


def padding_mask(tokens: Tensor, pad_id: int) -> Tensor:
    """Marks the padding: bool, (batch, 1, time), the same for every query."""
    return (tokens == pad_id)[:, None, :]


def attention_weights(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the keys, under the mask; both are (batch, query, key)."""
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1)


def causal_self_attention(hidden: Tensor, tokens: Tensor, pad_id: int) -> Tensor:
    """One head without projections: every position looks at itself and back, never at padding.

    Args:
        hidden: (batch, time, d_model), the queries, keys and values
        tokens: whole numbers, (batch, time); padding stands on the right, no sentence is empty

    Returns:
        (batch, time, d_model)
    """
    scores = hidden @ hidden.transpose(-2, -1) / math.sqrt(hidden.size(-1))
    mask = causal_mask(hidden.size(1)) & padding_mask(tokens, pad_id)
    return attention_weights(scores, mask) @ hidden
