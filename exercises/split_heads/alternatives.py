"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


def demand_division(d_model: int, n_heads: int) -> None:
    if d_model % n_heads:
        raise ValueError(f"{n_heads} heads do not divide {d_model}")


@variants.function("chunks")
def split_heads(hidden, n_heads):
    demand_division(hidden.size(-1), n_heads)
    return torch.stack(hidden.chunk(n_heads, dim=-1), dim=1)


@variants.function("unflatten")
def split_heads(x, n_heads):
    demand_division(x.size(-1), n_heads)
    return x.unflatten(-1, (n_heads, -1)).permute(0, 2, 1, 3)


@variants.function("contiguous")
def split_heads(hidden, n_heads):
    batch, time, d_model = hidden.shape
    demand_division(d_model, n_heads)
    heads = hidden.reshape(batch, time, n_heads, -1)
    return torch.einsum("bthd->bhtd", heads).contiguous()


@variants.function("slices")
def split_heads(hidden, n_heads):
    demand_division(hidden.size(-1), n_heads)
    size = hidden.size(-1) // n_heads
    slices = [hidden[..., h * size : (h + 1) * size] for h in range(n_heads)]
    return torch.cat([part.unsqueeze(1) for part in slices], dim=1)


@variants.function("flatten")
def merge_heads(heads):
    return heads.transpose(1, 2).flatten(2)


@variants.function("contiguous-view")
def merge_heads(x):
    batch, n_heads, time, d_head = x.shape
    return x.transpose(1, 2).contiguous().view(batch, time, n_heads * d_head)


@variants.function("concatenate")
def merge_heads(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)
