"""Scaled dot-product attention: softmax(Q Kᵀ / √d_k) V.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check sdpa
"""

import math

import torch
from torch import Tensor


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Mix the values, each weighted by how well its key answers the query.

    Args:
        query: (batch, heads, query_len, d_k)
        key:   (batch, heads, key_len, d_k)
        value: (batch, heads, key_len, d_v); d_v may differ from d_k
        mask:  bool, broadcastable to (batch, heads, query_len, key_len). True = may attend.
            A query that may attend to nothing gets zeros, and finite gradients.

    Returns:
        (batch, heads, query_len, d_v), in the dtype of the inputs.

    Example: one query, two keys, d_k = 1.
        query [[2.]], key [[0.], [1.]], value [[10.], [20.]]
        scores [0., 2.], divided by √1; weights [0.1192, 0.8808]; result [[18.808]]
    """
    raise NotImplementedError
