"""Good tests that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("one-example-worked-out")
def test_causal_mask(causal_mask):
    expected = [
        [1, 1, 1, 1, 0, 0],
        [1, 1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1, 1],
    ]
    torch.testing.assert_close(causal_mask(3, 6), torch.tensor(expected, dtype=torch.bool))


@variants.function("returns-a-verdict")
def test_causal_mask(make):
    def right(q, k):
        mask, wanted = make(q, k), torch.ones(q, k, dtype=torch.bool).tril(k - q)
        return (
            mask.dtype == wanted.dtype
            and mask.shape == wanted.shape
            and bool((mask == wanted).all())
        )

    return all(right(q, k) for k in range(1, 7) for q in range(1, k + 1))


@variants.function("raises-its-own-error")
def test_causal_mask(causal_mask):
    mask = causal_mask(3, 6)
    if mask.dtype is not torch.bool or tuple(mask.shape) != (3, 6):
        raise TypeError(f"a bool tensor of shape (3, 6), not {mask.dtype} {tuple(mask.shape)}")
    for q, k in ((q, k) for q in range(3) for k in range(6)):
        if bool(mask[q, k]) != (k <= q + 3):
            raise ValueError(f"query {q}, key {k}")


@variants.function("properties")
def test_causal_mask(causal_mask):
    mask = causal_mask(3, 7)
    assert mask.dtype == torch.bool
    assert mask.shape == (3, 7)
    assert mask.sum(dim=1).tolist() == [5, 6, 7]
    assert mask[:, :5].all()
    assert (mask[1:] >= mask[:-1]).all()
    assert mask[1, 5]
