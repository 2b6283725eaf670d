"""Grouped-query attention: several query heads share one head of keys and values.

Fill in the second function below, then run, from the folder that holds `exercises`:

    python -m exercises check grouped_query
"""

import math

import torch
from torch import Tensor


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Given: softmax(Q Kᵀ / √d) V over the last two axes; the other axes must broadcast."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1) @ value


def grouped_query_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Attend with n_heads query heads that share n_kv_heads heads of keys and values.

    Neighbouring query heads share: with 6 query heads and 2 of keys and values, query heads
    0, 1, 2 use head 0 of keys and values, and query heads 3, 4, 5 use head 1.

    Args:
        query: (batch, n_heads, query_len, d_head)
        key:   (batch, n_kv_heads, key_len, d_head)
        value: (batch, n_kv_heads, key_len, d_head)
        mask:  bool, broadcastable to (batch, n_heads, query_len, key_len). True = may attend.

    Returns:
        (batch, n_heads, query_len, d_head)

    Raises:
        ValueError: if n_kv_heads does not divide n_heads.

    Example: four query heads, a single key, values [[10.]] in head 0 and [[20.]] in head 1:
        the results are 10, 10, 20, 20.
    """
    raise NotImplementedError
