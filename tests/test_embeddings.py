import math

import pytest
import torch

from companion.embeddings import TokenEmbedding


def test_scaling_brings_vectors_to_unit_variance() -> None:
    table = TokenEmbedding(2000, 64, scale=True)
    vectors = table(torch.arange(2000))
    torch.testing.assert_close(vectors, table.weight * math.sqrt(64))
    assert vectors.var().item() == pytest.approx(1.0, abs=0.02)


def test_logits_read_the_same_table_backward() -> None:
    table = TokenEmbedding(11, 5)
    hidden = torch.randn(2, 3, 5)
    logits = table.logits(hidden)
    assert logits.shape == (2, 3, 11)
    torch.testing.assert_close(logits[1, 2, 7], hidden[1, 2] @ table.weight[7])
    # One storage: a change on one side is seen on the other, and a gradient reaches it from both.
    (table(torch.tensor([3])).sum() + logits.sum()).backward()
    assert torch.count_nonzero(table.weight.grad) == table.weight.numel()


@pytest.mark.parametrize("sizes", [(0, 4), (4, 0), (-1, 4)])
def test_sizes_below_one_are_named(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"at least 1, got {min(sizes)}"):
        TokenEmbedding(*sizes)
