"""Layer normalisation: every position's vector to mean 0 and variance 1, then scale and shift.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check layer_norm

PyTorch has it as torch.nn.functional.layer_norm. Write it with mean and square root.
"""

import torch
from torch import Tensor


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise each position over its own features.

    Args:
        x: (batch, time, d_model)
        weight, bias: (d_model,), the learned scale and shift
        eps: added to the variance, so that the division is safe

    Returns:
        (x - mean) / √(variance + eps) * weight + bias, in the shape and dtype of x. Mean and
        variance are each position's own, and the variance is the mean of the squared
        deviations (divided by d_model, not by d_model - 1). In half precision the sums are
        to be taken in float32: squares of numbers above 255 do not fit into float16.

    Example: weight 1, bias 0, eps 0
        x [1., 0., 0., 0.]: mean 0.25, variance 0.1875, result [1.7321, -0.5774, -0.5774, -0.5774]
    """
    raise NotImplementedError
