"""Multi-head attention: project, split into heads, attend, merge, project.

Fill in the second function below, then run, from the folder that holds `exercises`:

    python -m exercises check multi_head
"""

import math

import torch
from torch import Tensor


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Given: softmax(Q Kᵀ / √d) V over the last two axes, for every head by itself."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1) @ value


def multi_head_attention(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    n_heads: int,
    mask: Tensor | None = None,
) -> Tensor:
    """Let every position look at all positions, in n_heads different ways at once.

    Args:
        x: (batch, time, d_model)
        w_q, w_k, w_v: (d_model, n_heads * d_head), for x @ w. The first d_head columns belong to
            head 0, the next to head 1, ... n_heads * d_head is often d_model, but need not be.
        w_o: (n_heads * d_head, d_model)
        n_heads: number of heads
        mask: bool, broadcastable to (batch, n_heads, time, time). True = may attend.

    Returns:
        (batch, time, d_model)

    Example: one position looks only at itself, so the result is x @ w_v @ w_o, whatever the heads.
    """
    # solution:
    batch, time, _ = x.shape
    query, key, value = (
        (x @ w).view(batch, time, n_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v)
    )
    heads = attend(query, key, value, mask)
    merged = heads.transpose(1, 2).reshape(batch, time, -1)
    return merged @ w_o
    # end
