"""ALiBi: the further away a key, the more is taken off its score.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check alibi
"""

import torch
from torch import Tensor


def alibi_slopes(n_heads: int) -> Tensor:
    """How much each head takes off for every position of distance.

    A geometric sequence that ends at 2^-8: head h (from 0) has the slope 2^(-8 (h + 1) / n_heads).

    Args:
        n_heads: a power of two

    Returns:
        float32, (n_heads,)

    Raises:
        ValueError: if n_heads is no power of two, for which the paper gives no formula.

    Example: alibi_slopes(4) is [1/4, 1/16, 1/64, 1/256]
    """
    # solution:
    if n_heads < 1 or n_heads & (n_heads - 1):
        raise ValueError(f"n_heads = {n_heads} is no power of two")
    exponents = torch.arange(1, n_heads + 1) * (8 / n_heads)
    return 2.0**-exponents
    # end


def alibi_bias(slopes: Tensor, query_len: int, key_len: int) -> Tensor:
    """What is added to the attention scores: -slope · distance.

    The queries are the *last* query_len positions of the key_len positions, as when a decoder has
    already stored the earlier keys. Distances count alike in both directions; hiding the future is
    the mask's task, not the bias's.

    Args:
        slopes: (heads,)

    Returns:
        (heads, query_len, key_len), in the dtype of the slopes

    Example: alibi_bias(torch.tensor([0.5]), 2, 3), the two newest positions of three
        [[[-0.5,  0. , -0.5],
          [-1. , -0.5,  0. ]]]
    """
    # solution:
    keys = torch.arange(key_len)
    queries = torch.arange(key_len - query_len, key_len)
    distance = (keys - queries[:, None]).abs()
    return -slopes[:, None, None] * distance
    # end
