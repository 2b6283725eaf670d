"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("functional-embedding")
def embed(tokens, table):
    return F.embedding(tokens, table) * table.shape[1] ** 0.5


@variants.function("one-hot-product")
def embed(x, weight):
    vocab, d_model = weight.shape
    return F.one_hot(x, vocab).to(weight.dtype) @ weight * d_model**0.5


@variants.function("index-select")
def embed(tokens, table):
    rows = table.index_select(0, tokens.flatten())
    return rows.view(*tokens.shape, -1).mul(table.size(-1) ** 0.5)


@variants.function("gather")
def embed(tokens, table):
    d_model = table.size(1)
    rows = tokens.reshape(-1, 1).expand(-1, d_model)
    return table.gather(0, rows).reshape(*tokens.shape, d_model) * d_model**0.5


@variants.function("linear")
def logits(hidden, table):
    return F.linear(hidden, table)


@variants.function("einsum")
def logits(h, weight):
    return torch.einsum("btd,vd->btv", h, weight)


@variants.function("sum-of-products")
def logits(hidden, table):
    return (hidden[:, :, None, :] * table).sum(dim=-1)


@variants.function("columns-first")
def logits(hidden, table):
    return (table @ hidden.mT).mT
