"""Right answers that look different; each must pass."""

import math
from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("einsum")
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = torch.where(mask, weights, torch.zeros_like(weights))
    return torch.einsum("bhqk,bhkv->bhqv", weights, value)


@variants.function("softmax-by-hand")
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q / math.sqrt(q.size(-1))) @ k.mT
    allowed = torch.ones_like(scores) if mask is None else mask.to(scores.dtype).expand_as(scores)
    shifted = torch.where(allowed.bool(), scores, scores.detach().amin(-1, keepdim=True))
    weights = torch.exp(shifted - shifted.detach().amax(-1, keepdim=True)) * allowed
    return (
        weights
        / weights.sum(-1, keepdim=True).clamp(min=1e-9 if q.dtype != torch.float16 else 1e-7)
        @ v
    )


@variants.function("fused")
def scaled_dot_product_attention(query, key, value, mask=None):
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value)
    sees = mask.any(dim=-1, keepdim=True)
    safe = F.scaled_dot_product_attention(query, key, value, attn_mask=mask | ~sees)
    return safe.masked_fill(~sees, 0.0)


@variants.function("batched-matrix-product")
def scaled_dot_product_attention(query, key, value, mask=None):
    batch, heads, queries, d_k = query.shape
    keys, d_v = value.shape[-2:]
    flat_key = key.reshape(batch * heads, keys, d_k)
    scores = torch.bmm(query.reshape(batch * heads, queries, d_k), flat_key.transpose(1, 2))
    scores = scores.view(batch, heads, queries, keys) / d_k**0.5
    hidden = torch.zeros((), dtype=torch.bool) if mask is None else ~mask
    weights = scores.masked_fill(hidden, torch.finfo(scores.dtype).min).softmax(dim=-1)
    weights = weights.masked_fill(hidden, 0).reshape(batch * heads, queries, keys)
    return torch.bmm(weights, value.reshape(batch * heads, keys, d_v)).view(
        batch, heads, queries, d_v
    )
