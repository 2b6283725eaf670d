"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


def demand_pairs(d_head: int) -> None:
    if d_head % 2:
        raise ValueError(f"d_head = {d_head} is odd")


@variants.function("complex")
def rotate(x, positions):
    demand_pairs(x.size(-1))
    wide = x.double()
    numbers = torch.complex(*wide.chunk(2, dim=-1))
    rates = 10_000 ** (-torch.arange(0, x.size(-1), 2, dtype=torch.float64) / x.size(-1))
    turns = torch.polar(torch.ones(1, dtype=torch.float64), positions[..., None] * rates)
    turned = numbers * turns[:, None]
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


@variants.function("rotate-half")
def rotate(q, position_ids):
    d_head = q.shape[-1]
    demand_pairs(d_head)
    inverse = 1.0 / (10_000 ** (torch.arange(0, d_head, 2).float() / d_head))
    freqs = torch.einsum("bt,i->bti", position_ids.float(), inverse)
    angles = torch.cat((freqs, freqs), dim=-1).unsqueeze(1)
    cos, sin = angles.cos().to(q.dtype), angles.sin().to(q.dtype)
    half = torch.cat((-q[..., d_head // 2 :], q[..., : d_head // 2]), dim=-1)
    return q * cos + half * sin


@variants.function("matrices")
def rotate(x, positions):
    demand_pairs(x.size(-1))
    pairs = x.float().unflatten(-1, (2, -1))
    exponents = torch.arange(pairs.size(-1)) / pairs.size(-1)
    angles = positions[..., None] * 10_000.0**-exponents
    cos, sin = angles.cos(), angles.sin()
    matrix = torch.stack((torch.stack((cos, -sin)), torch.stack((sin, cos))))
    return torch.einsum("ijbtp,bhtjp->bhtip", matrix, pairs).flatten(-2).to(x.dtype)


@variants.function("pair-by-pair")
def rotate(x, positions):
    d_head = x.size(-1)
    demand_pairs(d_head)
    result = torch.empty_like(x)
    for i in range(d_head // 2):
        j = i + d_head // 2
        angle = positions[:, None, :].float() * 10_000 ** (-2 * i / d_head)
        result[..., i] = x[..., i] * angle.cos() - x[..., j] * angle.sin()
        result[..., j] = x[..., j] * angle.cos() + x[..., i] * angle.sin()
    return result
