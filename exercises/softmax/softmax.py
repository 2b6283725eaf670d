"""Softmax, written out so that no exponential overflows; and its logarithm.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check softmax

PyTorch has both as torch.softmax and torch.log_softmax. Write them with exp, log, sum and maximum.
"""

import math

import torch
from torch import Tensor


def softmax(scores: Tensor, dim: int = -1) -> Tensor:
    """Turn scores into weights: positive, and summing to 1 along one axis.

    Args:
        scores: any shape; finite numbers of any size, and -inf for "this one not at all"
            (but not along a whole row)
        dim: the axis along which the weights sum to 1

    Returns:
        exp(scores) / sum of exp(scores), in the shape and dtype of the scores.

    Example:
        scores [0., log 3]: exponentials [1., 3.], result [0.25, 0.75]
        scores [1000., 1000.]: result [0.5, 0.5]
    """
    raise NotImplementedError


def log_softmax(scores: Tensor, dim: int = -1) -> Tensor:
    """The logarithm of the softmax, right even where the softmax itself is too small to store.

    Args:
        scores: any shape, finite
        dim: the axis along which the softmax sums to 1

    Returns:
        log(softmax(scores)), in the shape and dtype of the scores.

    Example:
        scores [0., log 3]: result [log 0.25, log 0.75] = [-1.3863, -0.2877]
        scores [0., 1000.]: result [-1000., 0.]
    """
    raise NotImplementedError
