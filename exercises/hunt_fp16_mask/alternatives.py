"""Mends that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("infinite-where-something-is-seen")
def attention_weights(scores, mask):
    sees = mask.any(dim=-1, keepdim=True)
    closed = scores.masked_fill(~mask & sees, float("-inf"))
    return torch.softmax(closed, dim=-1) * sees


@variants.function("in-float32")
def attention_weights(scores, mask):
    wide = scores.float() if scores.dtype != torch.float64 else scores
    weights = torch.softmax(wide.masked_fill(~mask, torch.finfo(wide.dtype).min), dim=-1)
    return torch.where(mask, weights, 0.0).to(scores.dtype)


@variants.function("exponentials")
def attention_weights(scores, mask):
    lowest = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    highest = lowest.amax(dim=-1, keepdim=True).detach()
    powers = torch.where(mask, lowest - highest, 0.0).exp() * mask
    total = powers.sum(dim=-1, keepdim=True)
    return powers / torch.where(total > 0, total, torch.ones_like(total))


@variants.function("fused")
def masked_attention(query, key, value, mask):
    sees = mask.any(dim=-1, keepdim=True)
    result = F.scaled_dot_product_attention(query, key, value, attn_mask=mask | ~sees)
    return result.masked_fill(~sees, 0.0)
