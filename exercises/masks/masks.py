"""Masks: which query may look at which key. True = may attend.

Fill in the three functions below, then run, from the folder that holds `exercises`:

    python -m exercises check masks
"""

import torch
from torch import Tensor


def causal_mask(query_len: int, key_len: int) -> Tensor:
    """Position i may look at itself and at what stands before it.

    The queries are the *last* query_len positions of the key_len positions, as when a decoder has
    already stored the earlier keys.

    Returns:
        bool, (query_len, key_len)

    Example: causal_mask(2, 4), the two newest positions of four
        [[True, True, True, False],
         [True, True, True, True ]]
    """
    raise NotImplementedError


def padding_mask(tokens: Tensor, pad_id: int) -> Tensor:
    """No query may look at padding. Padding may stand on the right, on the left, or anywhere.

    Args:
        tokens: whole numbers, (batch, key_len)

    Returns:
        bool, (batch, 1, 1, key_len): the same for all heads and all queries.

    Example: padding_mask([[5, 7, 0]], pad_id=0) is [[[[True, True, False]]]]
    """
    raise NotImplementedError


def combine_masks(causal: Tensor, padding: Tensor) -> Tensor:
    """A key may be attended to only if both masks allow it.

    Args:
        causal: bool, (query_len, key_len)
        padding: bool, (batch, 1, 1, key_len)

    Returns:
        bool, (batch, 1, query_len, key_len)
    """
    raise NotImplementedError
