"""The position-wise feed-forward network: widen, bend, narrow again.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check feed_forward
"""

import torch
from torch import Tensor


def feed_forward(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """Send every position through the same small network: relu(x w_1 + b_1) w_2 + b_2.

    Args:
        x: (batch, time, d_model)
        w_1: (d_model, d_ff), b_1: (d_ff,)
        w_2: (d_ff, d_model), b_2: (d_model,)

    Returns:
        (batch, time, d_model)

    Example: d_model = 1, d_ff = 2
        x [[[3.]]], w_1 [[1., -1.]], b_1 [0., 1.]: hidden [3., -2.], after relu [3., 0.]
        w_2 [[10.], [100.]], b_2 [5.]: result [[[35.]]]
    """
    raise NotImplementedError
