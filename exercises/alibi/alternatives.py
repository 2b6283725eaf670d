"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


def demand_power(n_heads: int) -> None:
    if bin(n_heads).count("1") != 1:
        raise ValueError(f"{n_heads} is no power of two")


@variants.function("list")
def alibi_slopes(n_heads):
    demand_power(n_heads)
    first = 2 ** (-8 / n_heads)
    return torch.tensor([first ** (h + 1) for h in range(n_heads)])


@variants.function("logspace")
def alibi_slopes(n):
    demand_power(n)
    return torch.logspace(-8 / n, -8, n, base=2)


@variants.function("cumulative-product")
def alibi_slopes(n_heads):
    demand_power(n_heads)
    return torch.full((n_heads,), 0.5 ** (8 / n_heads)).cumprod(0)


@variants.function("last-rows-of-a-square")
def alibi_bias(slopes, query_len, key_len):
    position = torch.arange(key_len, dtype=slopes.dtype)
    distance = torch.cdist(position[:, None].float(), position[:, None].float())
    return torch.einsum("h,qk->hqk", slopes, -distance[-query_len:].to(slopes.dtype))


@variants.function("element-by-element")
def alibi_bias(slopes, query_len, key_len):
    result = slopes.new_zeros(len(slopes), query_len, key_len)
    for query in range(query_len):
        for key in range(key_len):
            result[:, query, key] = -slopes * abs(key_len - query_len + query - key)
    return result


@variants.function("two-triangles")
def alibi_bias(slopes, query_len, key_len):
    steps = torch.arange(key_len) - torch.arange(key_len)[:, None]
    distance = steps.triu() - steps.tril()
    return -distance[key_len - query_len :] * slopes.view(-1, 1, 1)


@variants.function("minimum")
def alibi_bias(slopes, query_len, key_len):
    ahead = torch.arange(key_len) - torch.arange(key_len - query_len, key_len).unsqueeze(1)
    return torch.minimum(ahead, -ahead) * slopes.reshape(-1, 1, 1)
