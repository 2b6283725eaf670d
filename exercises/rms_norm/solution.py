"""RMS normalisation: every position's vector to root mean square 1, then a scale.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check rms_norm

PyTorch has it as torch.nn.functional.rms_norm. Write it with mean and square root.
"""

import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Divide each position by the root of the mean of its squares.

    Args:
        x: (batch, time, d_model)
        weight: (d_model,), the learned scale
        eps: added to the mean square, so that the division is safe

    Returns:
        x / √(mean of x² + eps) * weight, in the shape and dtype of x. The mean is each position's
        own, over its features; nothing is subtracted. In half precision the mean is to be taken
        in float32: squares of numbers above 255 do not fit into float16.

    Example: weight 1, eps 0
        x [1., 7.]: squares 1 and 49, mean 25, root 5, result [0.2, 1.4]
    """
    # solution:
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    mean_square = wide.square().mean(dim=-1, keepdim=True)
    normalised = wide * torch.rsqrt(mean_square + eps)
    return normalised.to(x.dtype) * weight
    # end
