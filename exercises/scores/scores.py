"""Attention scores: how well does each key answer each query? Q Kᵀ / √d_k.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check scores
"""

import math

import torch
from torch import Tensor


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """One number for each pair of query and key: their dot product, divided by √d_k.

    Args:
        query: (batch, query_len, d_k)
        key:   (batch, key_len, d_k)

    Returns:
        (batch, query_len, key_len), in the dtype of the inputs. Row i belongs to query i.

    Example: one query, two keys, d_k = 4
        query [[1., 2., 0., 1.]], key [[1., 1., 5., 1.], [0., 1., 0., 0.]]
        dot products [4., 2.]; divided by √4: [[2., 1.]]
    """
    raise NotImplementedError
