"""Online softmax: attention over keys that come in blocks, each seen only once.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check online_softmax

The blocks come from an iterator, like tiles that are loaded into a small fast memory: it can be
read once, and each block is overwritten by the next one. So nothing of a block may be kept, except
what you compute from it.
"""

import math
from collections.abc import Iterable

import torch
from torch import Tensor


def streaming_logsumexp(blocks: Iterable[Tensor]) -> Tensor:
    """log Σ exp(score) of every row, in one pass and without overflow.

    Keep two numbers for each row: the largest score so far, and the sum of exp(score - largest).
    When a larger score comes, the old sum was relative to the old one and has to be rescaled.

    Args:
        blocks: at least one; each (rows, width), with its own width. A score can be -inf, for a
            hidden key; a whole block can be hidden, and for a row that is hidden everywhere the
            result is -inf.

    Returns:
        (rows,), in the dtype of the scores.

    Example: one row, blocks [[0., 1.]] and [[3.]]
        after the first block: largest 1, sum exp(-1) + exp(0) = 1.3679
        after the second: largest 3, sum 1.3679 · exp(1 - 3) + exp(0) = 1.1851; result 3.1698
    """
    raise NotImplementedError


def blockwise_attention(query: Tensor, blocks: Iterable[tuple[Tensor, Tensor]]) -> Tensor:
    """softmax(Q Kᵀ / √d_k) V, when keys and values come in blocks.

    Besides the two numbers it needs the sum of exp(score - largest) · value, rescaled alike.

    Args:
        query: (batch, heads, query_len, d_k)
        blocks: pairs of key (batch, heads, width, d_k) and value (batch, heads, width, d_v)

    Returns:
        (batch, heads, query_len, d_v), in the dtype of the query.
    """
    raise NotImplementedError
