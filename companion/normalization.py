"""LayerNorm and RMSNorm, written out.

    LayerNorm(x) = (x - mean) / √(var + ε) · γ + β     Ba et al. (2016), equation 4
    RMSNorm(x)   = x / √(mean(x²) + ε) · γ             Zhang and Sennrich (2019), equation 4

The variance is the biased one (divided by d, not d-1) and ε stands inside the root.

Taught in the chapter on residuals and normalisation.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from companion.config import NormSpec


class LayerNorm(nn.Module):
    """Each position's vector to mean 0 and variance 1, then a learned scale and shift."""

    def __init__(self, d_model: int, eps: float = 1e-5, *, bias: bool = True) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model)) if bias else None

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        wide = _at_least_float32(x)
        centred = wide - wide.mean(dim=-1, keepdim=True)
        variance = centred.square().mean(dim=-1, keepdim=True)
        scaled = (centred * torch.rsqrt(variance + self.eps)).to(x.dtype) * self.weight
        return scaled if self.bias is None else scaled + self.bias


class RMSNorm(nn.Module):
    """Each position's vector to root mean square 1, then a learned scale. No centring, no shift."""

    def __init__(self, d_model: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        wide = _at_least_float32(x)
        mean_square = wide.square().mean(dim=-1, keepdim=True)
        return (wide * torch.rsqrt(mean_square + self.eps)).to(x.dtype) * self.weight


def _at_least_float32(x: Tensor) -> Tensor:
    """Squares of half-precision numbers overflow at 256² in float16: compute the moments wider."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def make_norm(d_model: int, spec: NormSpec) -> LayerNorm | RMSNorm:
    """The norm that ``spec`` describes."""
    if spec.kind == "rms":
        return RMSNorm(d_model, spec.eps)
    return LayerNorm(d_model, spec.eps, bias=spec.bias)
