"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("einsum")
def attention_scores(q, k):
    return torch.einsum("bqd,bkd->bqk", q, k) * q.shape[-1] ** -0.5


@variants.function("query-scaled-first")
def attention_scores(query, key):
    return torch.bmm(query * query.size(-1) ** -0.5, key.mT)


@variants.function("broadcast-and-sum")
def attention_scores(query, key):
    pairs = query.unsqueeze(2) * key.unsqueeze(1)
    return pairs.sum(dim=-1) / torch.tensor(query.size(-1), dtype=query.dtype).sqrt()


@variants.function("fused-multiply-add")
def attention_scores(query, key):
    empty = query.new_zeros(query.size(0), query.size(1), key.size(1))
    return torch.baddbmm(empty, query, key.permute(0, 2, 1), beta=0, alpha=query.size(-1) ** -0.5)


@variants.function("pair-by-pair")
def attention_scores(query, key):
    root = query.size(-1) ** 0.5
    rows = [
        torch.stack([(q * k).sum(-1) / root for k in key.unbind(1)], dim=-1)
        for q in query.unbind(1)
    ]
    return torch.stack(rows, dim=1)
