"""Write the test: a layer norm.

The function is given and the test is yours. It will be tried on several implementations of
`layer_norm`: it must accept every right one and refuse every wrong one. From the folder that holds
`exercises`:

    python -m exercises check test_a_layer_norm
"""

from collections.abc import Callable

import torch
from torch import Tensor

LayerNorm = Callable[[Tensor, Tensor, Tensor, float], Tensor]


def test_layer_norm(layer_norm: LayerNorm) -> bool | None:
    """Refuse a wrong implementation: raise (an `assert` will do) or return False.

    What a right `layer_norm(x, weight, bias, eps)` returns, for floating x of shape
    (…, d_model) with any number of axes before the last, weight and bias of shape (d_model,):
        (x - mean) / √(variance + eps) * weight + bias, with mean and variance over the last axis,
        the variance divided by d_model (not d_model - 1); the shape and dtype of x. Rounding may
        differ. The inputs stay as they are.

    Example: x [[1., 0., 0., 0.]], weight ones, bias zeros, eps tiny gives
        [[1.7320, -0.5774, -0.5774, -0.5774]]
    """
    raise NotImplementedError
