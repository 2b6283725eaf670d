"""Bug hunt: the mask that half precision cannot hold.

A user reports: "In float32 everything works. In float16 attention raises 'value cannot be converted
to type at::Half without overflow'. And in float32, too, an empty sentence in a batch, all of it
hidden, gets the average of its padding instead of zeros." Find the one line behind both and mend
it. Only `masked_attention` is called; change whatever you like. Then run, from the folder that
holds `exercises`:

    python -m exercises check hunt_fp16_mask
"""

import math

import torch
from torch import Tensor


def attention_weights(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the keys that may be seen; both are (batch, query, key)."""
    # solution:
    hidden = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1)
    return weights.masked_fill(~mask, 0.0)
    # stub:
    # hidden = -1e9
    # return torch.softmax(scores.masked_fill(~mask, hidden), dim=-1)
    # end


def masked_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Attention under a mask, in whatever precision the inputs have.

    Args:
        query: (batch, query_len, d_k)
        key: (batch, key_len, d_k)
        value: (batch, key_len, d_v)
        mask: bool, (batch, query_len, key_len); True = may attend. A query that may attend to
            nothing gets zeros, and finite gradients.

    Returns:
        (batch, query_len, d_v), in the dtype of the inputs.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return attention_weights(scores, mask) @ value
