"""Tests that are not good enough: they let something through or refuse what is right."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

SIZES = "((1, 1), (1, 5), (4, 4), (2, 7))"
DTYPE = "        assert mask.dtype == torch.bool\n"
SHAPE = "        assert mask.shape == (query_len, key_len)\n"
SEEN = "seen = [key <= position for key in range(key_len)]"
EQUAL = "assert mask[query].tolist() == seen, "

# --- too few inputs
variants.edit("squares-only", (SIZES, "((1, 1), (2, 2), (4, 4), (7, 7))"))
variants.edit("single-steps-only", (SIZES, "((1, 1), (1, 3), (1, 5), (1, 7))"))
variants.edit("one-token-only", (SIZES, "((1, 1),)"))
variants.edit("short-only", (SIZES, "((1, 1), (1, 2), (3, 3), (2, 4))"))

# --- too little asked
variants.edit(
    "values-only", (DTYPE, ""), (SHAPE, ""), (EQUAL, "assert mask[query].tolist() == seen or ")
)
variants.edit("no-dtype", (DTYPE, ""))
variants.edit("future-only", (EQUAL, "assert not any(mask[query].tolist()[position + 1 :]), "))
variants.edit("past-only", (EQUAL, "assert all(mask[query].tolist()[: position + 1]), "))
variants.edit("counts-only", (EQUAL, "assert int(mask[query].sum()) == sum(seen), "))


@variants.function("no-assertion")
def test_causal_mask(causal_mask):
    causal_mask(2, 4)


@variants.function("shape-only")
def test_causal_mask(causal_mask):
    mask = causal_mask(2, 4)
    assert mask.shape == (2, 4)
    assert mask.dtype == torch.bool


@variants.function("result-not-returned")
def test_causal_mask(causal_mask):
    mask = causal_mask(4, 4)
    torch.equal(mask, torch.ones(4, 4, dtype=torch.bool).tril())
    assert mask.dtype == torch.bool


@variants.function("verdict-inverted")
def test_causal_mask(causal_mask):
    mask = causal_mask(2, 7)
    right = torch.ones(2, 7, dtype=torch.bool).tril(5)
    return not (mask.shape == right.shape and torch.equal(mask, right))


# --- refuses what is right
@variants.function("wants-top-left")
def test_causal_mask(causal_mask):
    for query_len, key_len in ((4, 4), (2, 7)):
        right = torch.ones(query_len, key_len, dtype=torch.bool).tril()
        assert torch.equal(causal_mask(query_len, key_len), right)


@variants.function("wants-additive")
def test_causal_mask(causal_mask):
    hidden = torch.ones(2, 7, dtype=torch.bool).triu(6)
    right = torch.zeros(2, 7).masked_fill(hidden, float("-inf"))
    assert torch.equal(causal_mask(2, 7), right)


@variants.function("wants-contiguous")
def test_causal_mask(causal_mask):
    for query_len, key_len in ((1, 5), (4, 4), (2, 7)):
        mask = causal_mask(query_len, key_len)
        right = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
        assert mask.dtype == torch.bool
        assert mask.shape == right.shape
        assert mask.view(-1).tolist() == right.view(-1).tolist()
