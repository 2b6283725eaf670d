"""Mends that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("lower-right")
def causal_attention(query, key, value):
    mask = causal_lower_right(query.size(-2), key.size(-2))
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask._materialize())


@variants.function("positions-compared")
def causal_attention(query, key, value):
    where = torch.arange(key.size(-2))
    seen = where[-query.size(-2) :, None] >= where
    scores = (query @ key.mT / query.size(-1) ** 0.5).masked_fill(~seen, float("-inf"))
    return scores.softmax(-1) @ value


@variants.function("one-query-after-the-other")
def attend_with_cache(query, key, value, past_key, past_value):
    results = []
    for step in range(query.size(-2)):
        keys = torch.cat([past_key, key[:, :, : step + 1]], dim=-2)
        values = torch.cat([past_value, value[:, :, : step + 1]], dim=-2)
        newest = query[:, :, step : step + 1]
        results.append(F.scaled_dot_product_attention(newest, keys, values))
    return torch.cat(results, dim=-2)


@variants.function("cache-and-new-apart")
def attend_with_cache(query, key, value, past_key, past_value):
    scale = query.size(-1) ** -0.5
    hidden = torch.ones(query.size(-2), query.size(-2), dtype=torch.bool).triu(1)
    old = query @ past_key.mT * scale
    new = (query @ key.mT * scale).masked_fill(hidden, torch.finfo(query.dtype).min)
    weights = torch.cat([old, new], dim=-1).softmax(-1)
    stored = past_key.size(-2)
    return weights[..., :stored] @ past_value + weights[..., stored:] @ value
