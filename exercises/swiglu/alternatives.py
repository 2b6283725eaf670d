"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("one-product-for-both")
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat([w_gate, w_up], dim=1)).chunk(2, dim=-1)
    return (up * gate * torch.sigmoid(gate)) @ w_down


@variants.function("linear")
def swiglu(x, w_gate, w_up, w_down):
    return F.linear(F.silu(F.linear(x, w_gate.T)) * F.linear(x, w_up.T), w_down.T)


@variants.function("einsum")
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("btm,mf->btf", x, w_gate)
    gate = z / (1 + torch.exp(-z))
    return torch.einsum("btf,btf,fm->btm", gate, x @ w_up, w_down)


@variants.function("unit-by-unit")
def swiglu(x, w_gate, w_up, w_down):
    total = torch.zeros_like(x)
    for gate, up, down in zip(w_gate.T, w_up.T, w_down, strict=True):
        total = total + (F.silu(x @ gate) * (x @ up))[..., None] * down
    return total


@variants.function("integers-only")
def gated_width(d_model, multiple_of=1):
    width = int(2 * (4 * d_model) / 3)
    return multiple_of * ((width + multiple_of - 1) // multiple_of)


@variants.function("negative-floor")
def gated_width(d_model, multiple_of=1):
    return -(-(d_model * 8 // 3) // multiple_of) * multiple_of


@variants.function("counting-up")
def gated_width(d_model, multiple_of=1):
    width = 2 * d_model + 2 * d_model // 3
    while width % multiple_of:
        width += 1
    return width
