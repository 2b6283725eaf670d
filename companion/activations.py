"""The activation functions of feed-forward layers, by name.

``gelu`` is exact (with the error function); ``gelu_tanh`` is the approximation that GPT-2's weights
were trained with. Loading weights under the other one is a quiet mistake of up to 4.8e-4 a value.

Sources: Nair and Hinton (2010); Hendrycks and Gimpel (2016); Elfwing et al. (2018).
"""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from companion._checks import check_choice

Activation = Callable[[Tensor], Tensor]


def relu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """max(0, x)."""
    return x.clamp(min=0)


def gelu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """x · Φ(x), Φ the standard normal distribution function."""
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def gelu_tanh(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """GELU with Φ approximated by a tanh."""
    return x * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def silu(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """x · sigmoid(x), also called Swish."""
    return x * torch.sigmoid(x)


ACTIVATIONS: dict[str, Activation] = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
}


def check_activation(name: str) -> None:
    """Raises ValueError for a name that is not in ``ACTIVATIONS``."""
    check_choice("activation", name, tuple(ACTIVATIONS))
