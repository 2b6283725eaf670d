"""SwiGLU: a feed-forward network with a gate, and how wide it should be.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check swiglu
"""

import math

import torch
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """Multiply two projections of x, one of them bent by SiLU, and bring the product back.

    SiLU (also called swish) is z * sigmoid(z).

    Args:
        x: (batch, time, d_model)
        w_gate, w_up: (d_model, d_ff)
        w_down: (d_ff, d_model)

    Returns:
        (silu(x w_gate) * (x w_up)) w_down, of shape (batch, time, d_model)

    Example: d_model = d_ff = 1, all three matrices [[1.]], x [[[2.]]]
        gate silu(2) = 2 * 0.8808 = 1.7616, up 2, product 3.5232, result [[[3.5232]]]
    """
    raise NotImplementedError


def gated_width(d_model: int, multiple_of: int = 1) -> int:
    """The d_ff that gives SwiGLU as many parameters as a plain network of d_ff = 4 * d_model.

    Three matrices of d_model * d_ff must equal two of d_model * 4 d_model, so d_ff is 8/3 of
    d_model. It is cut down to a whole number first, and then rounded up to a multiple, because
    graphics cards are fastest with round sizes.

    Args:
        d_model: width of the model
        multiple_of: the result is a multiple of this

    Returns:
        A whole number (int).

    Example: gated_width(4096) is 10922; gated_width(4096, 256) is 11008 (LLaMA 7B).
    """
    raise NotImplementedError
