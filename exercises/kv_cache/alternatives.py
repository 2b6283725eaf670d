"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("counted-and-shifted")
def new_positions(cache, new_len):
    past = cache.get("key", torch.empty(0, 0, 0, 0)).shape[2]
    return torch.ones(new_len, dtype=torch.long).cumsum(0) - 1 + past


@variants.function("end-of-a-longer-range")
def new_positions(cache, new_len):
    total = new_len + (cache["value"].shape[-2] if "value" in cache else 0)
    return torch.arange(total)[total - new_len :]


@variants.function("fused-with-a-mask")
def cached_attention(query, key, value, cache):
    for name, new in (("key", key), ("value", value)):
        cache[name] = torch.cat((*([cache[name]] if name in cache else []), new), dim=2)
    total, new = cache["key"].shape[2], query.shape[2]
    seen = torch.arange(total) <= torch.arange(total - new, total)[:, None]
    return F.scaled_dot_product_attention(query, cache["key"], cache["value"], attn_mask=seen)


@variants.function("token-by-token")
def cached_attention(query, key, value, cache):
    rows = []
    for t in range(query.size(2)):
        now = slice(t, t + 1)
        keys = [cache["key"], key[:, :, now]] if cache else [key[:, :, now]]
        values = [cache["value"], value[:, :, now]] if cache else [value[:, :, now]]
        cache.update(key=torch.cat(keys, -2), value=torch.cat(values, -2))
        scores = torch.einsum("bhd,bhkd->bhk", query[:, :, t], cache["key"])
        weights = torch.softmax(scores * query.size(-1) ** -0.5, dim=-1)
        rows.append(torch.einsum("bhk,bhkd->bhd", weights, cache["value"]))
    return torch.stack(rows, dim=2)


@variants.function("last-rows-of-a-square-mask")
def cached_attention(q, k, v, memory):
    past = memory.get("key")
    memory["key"] = k if past is None else torch.cat([past, k], 2)
    memory["value"] = v if past is None else torch.cat([memory["value"], v], 2)
    n = memory["key"].shape[2]
    future = torch.full((n, n), float("-inf"), dtype=q.dtype).triu(1)[-q.shape[2] :]
    scores = (q * q.shape[-1] ** -0.5).matmul(memory["key"].mT) + future
    return scores.softmax(-1).matmul(memory["value"])
