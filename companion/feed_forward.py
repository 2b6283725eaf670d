"""Position-wise feed-forward layers: the same small network at every position.

    FFN(x) = act(x W₁ + b₁) W₂ + b₂                    Vaswani et al. (2017), equation 2
    GLU(x) = (act(x W_gate) ⊙ x W_up) W_down           Shazeer (2020), equation 6

Taught in the chapter on feed-forward networks.
"""

import math

from jaxtyping import Float
from torch import Tensor, nn

from companion.activations import ACTIVATIONS
from companion.config import FeedForwardSpec


class FeedForward(nn.Module):
    """Widen, bend, narrow again."""

    def __init__(self, d_model: int, spec: FeedForwardSpec) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[spec.activation]
        self.up_proj = nn.Linear(d_model, spec.d_ff, bias=spec.bias)
        self.down_proj = nn.Linear(spec.d_ff, d_model, bias=spec.bias)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return self.down_proj(self.activation(self.up_proj(x)))


class GatedFeedForward(nn.Module):
    """A feed-forward layer whose hidden values are let through by a gate: SwiGLU, GeGLU."""

    def __init__(self, d_model: int, spec: FeedForwardSpec) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[spec.activation]
        self.gate_proj = nn.Linear(d_model, spec.d_ff, bias=spec.bias)
        self.up_proj = nn.Linear(d_model, spec.d_ff, bias=spec.bias)
        self.down_proj = nn.Linear(spec.d_ff, d_model, bias=spec.bias)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return self.down_proj(self.activation(self.gate_proj(x)) * self.up_proj(x))


def make_feed_forward(d_model: int, spec: FeedForwardSpec) -> FeedForward | GatedFeedForward:
    """The layer that ``spec`` describes."""
    return (GatedFeedForward if spec.gated else FeedForward)(d_model, spec)


def gated_width(d_model: int, *, multiple_of: int = 1) -> int:
    """Hidden width that gives a gated layer the parameters of an ungated one of width 4·d_model.

    Three matrices instead of two: ⅔ · 4·d_model = 8/3·d_model, truncated, then rounded up to a
    multiple (LLaMA: ``gated_width(4096, multiple_of=256)`` is 11,008).

    Source: Shazeer (2020), §3; Touvron et al. (2023), §2.2.
    """
    width = 8 * d_model // 3
    return math.ceil(width / multiple_of) * multiple_of
