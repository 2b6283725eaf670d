"""Cross-attention: the decoder asks, the encoder's memory answers.

Fill in the last function below, then run, from the folder that holds `exercises`:

    python -m exercises check cross_attention
"""

import math

import torch
from torch import Tensor


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Given: softmax(Q Kᵀ / √d) V over the last two axes; mask: (batch, heads, query, key)."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1) @ value


def split_heads(hidden: Tensor, n_heads: int) -> Tensor:
    """Given: (batch, time, n_heads * d_head) to (batch, n_heads, time, d_head)."""
    return hidden.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def merge_heads(heads: Tensor) -> Tensor:
    """Given: (batch, n_heads, time, d_head) to (batch, time, n_heads * d_head)."""
    return heads.transpose(1, 2).flatten(2)


def cross_attention(
    x: Tensor,
    memory: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    n_heads: int,
    memory_mask: Tensor | None = None,
) -> Tensor:
    """Let every position of x look at all positions of the memory.

    Args:
        x: the decoder's states, (batch, time, d_model)
        memory: the encoder's output, (batch, memory_len, d_memory). memory_len is another length
            than time, and d_memory may be another width than d_model.
        w_q: (d_model, n_heads * d_head)
        w_k, w_v: (d_memory, n_heads * d_head)
        w_o: (n_heads * d_head, d_model)
        n_heads: number of heads
        memory_mask: bool, (batch, memory_len). True = a real word, False = padding, which nobody
            may look at.

    Returns:
        (batch, time, d_model)

    Example: a memory of one position is all there is to look at, so every position of x gets
        memory @ w_v @ w_o, whatever x is.
    """
    # solution:
    query = split_heads(x @ w_q, n_heads)
    key = split_heads(memory @ w_k, n_heads)
    value = split_heads(memory @ w_v, n_heads)
    mask = None if memory_mask is None else memory_mask[:, None, None, :]
    heads = attend(query, key, value, mask)
    return merge_heads(heads) @ w_o
    # end
