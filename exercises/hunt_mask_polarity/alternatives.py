"""Mends that look different; each must pass."""

import math
from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

MARKED = "return (tokens != pad_id)[:, None, :]\n    # stub"
AS_IT_WAS = (MARKED, MARKED.replace("!=", "=="))

variants.edit("inverted-where-used", AS_IT_WAS, ("& padding_mask", "& ~padding_mask"))
variants.edit("inverted-result", (MARKED, "return ~(tokens == pad_id)[:, None, :]\n    # stub"))
variants.edit(
    "all-masks-mean-hidden",
    AS_IT_WAS,
    ("bool).tril()", "bool).triu(1)"),
    ("& padding_mask", "| padding_mask"),
    ("masked_fill(~mask,", "masked_fill(mask,"),
)


@variants.function("fused")
def causal_self_attention(hidden, tokens, pad_id):
    time = hidden.size(1)
    mask = (tokens != pad_id)[:, None, :] & torch.ones(time, time, dtype=torch.bool).tril()
    return F.scaled_dot_product_attention(hidden, hidden, hidden, attn_mask=mask)


@variants.function("word-by-word")
def causal_self_attention(x, ids, pad):
    rows = []
    for sentence, row in zip(x, ids, strict=True):
        results = []
        for i, query in enumerate(sentence):
            keys = sentence[: i + 1][row[: i + 1] != pad]
            weights = torch.softmax(keys @ query / math.sqrt(x.size(-1)), dim=0)
            results.append(weights @ keys)
        rows.append(torch.stack(results))
    return torch.stack(rows)
