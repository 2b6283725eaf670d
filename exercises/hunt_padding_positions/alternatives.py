"""Mends that look different; each must pass."""

import math
from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("leading-padding")
def positions_of(tokens, pad_id):
    first = (tokens != pad_id).int().argmax(dim=1, keepdim=True)
    return (torch.arange(tokens.size(1)) - first).clamp(min=0)


@variants.function("padding-so-far")
def positions_of(tokens, pad_id):
    padding = (tokens == pad_id).long()
    return (torch.arange(tokens.size(1)) - padding.cumsum(dim=1)).clamp(min=0)


@variants.function("counted-in-a-loop")
def positions_of(tokens, pad_id):
    result = torch.zeros_like(tokens)
    for row, ids in enumerate(tokens.tolist()):
        for column in range(len(ids)):
            result[row, column] = sum(token != pad_id for token in ids[:column])
    return result


@variants.function("each-row-by-itself")
def embed(tokens, word_table, position_table, pad_id):
    result = torch.zeros(*tokens.shape, word_table.size(1), dtype=word_table.dtype)
    for row, ids in enumerate(tokens):
        here = ids != pad_id
        words = F.embedding(ids[here], word_table) * math.sqrt(word_table.size(1))
        result[row, here] = words + position_table[: len(words)]
    return result
