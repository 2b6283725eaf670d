"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("compare-positions")
def causal_mask(query_len, key_len):
    query = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len) <= query[:, None]


@variants.function("not-the-upper-triangle")
def causal_mask(query_len, key_len):
    return ~torch.ones(query_len, key_len).triu(key_len - query_len + 1).bool()


@variants.function("last-rows-of-a-square")
def causal_mask(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[-query_len:]


@variants.function("not-equal")
def padding_mask(tokens, pad_id):
    return tokens.ne(pad_id).view(tokens.size(0), 1, 1, -1)


@variants.function("unsqueezed")
def padding_mask(tokens, pad_id):
    return ~(tokens == pad_id).unsqueeze(1).unsqueeze(2)


@variants.function("product")
def combine_masks(causal, padding):
    return causal * padding


@variants.function("logical-and")
def combine_masks(causal, padding):
    return torch.logical_and(causal[None, None], padding)


@variants.function("minimum")
def combine_masks(first, second):
    return torch.where(second, first, False)
