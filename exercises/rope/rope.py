"""Rotary positions (RoPE): queries and keys are turned by angles that grow with the position.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check rope
"""

import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor) -> Tensor:
    """Turn each pair of dimensions by its own angle, as queries and keys are before attention.

    Layout "half": dimension i and dimension i + d_head/2 form a pair, for i = 0 ... d_head/2 - 1.
    Pair i of a token at position p is turned by the angle p / 10000^(2i / d_head):

        (a, b)  becomes  (a cos - b sin, b cos + a sin)

    Args:
        x: queries or keys, (batch, heads, time, d_head), of any floating dtype
        positions: whole numbers, (batch, time): where each token stands. Rows may differ, as they
            do when sentences are padded on the left.

    Returns:
        A new tensor of the shape and dtype of x. Angles, sines and cosines are computed in float32
        even if x is bfloat16.

    Raises:
        ValueError: if d_head is odd.

    Example: one token at position 1, d_head = 4, x = [[[[1., 0., 0., 0.]]]]
        The pairs are (0, 2) and (1, 3); the first is turned by 1 radian:
        [[[[0.5403, 0., 0.8415, 0.]]]]
    """
    raise NotImplementedError
