"""Good tests that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("three-perturbations")
def test_decoder(decoder):
    """Later words, fewer words, other rows, and once more: each changed by itself."""

    def same(a, b):
        return a.shape == b.shape and bool((a - b).abs().max() < 1e-5)

    tokens = torch.arange(36).reshape(3, 12) * 7 % 11
    scores = decoder(tokens.clone())
    assert scores.shape == (3, 12, 11)
    untouched = tokens.clone()
    assert same(decoder(untouched), scores), "chance"
    assert (untouched == tokens).all(), "writes"
    for cut in range(1, 12):
        later = tokens.clone()
        later[:, cut:] = (later[:, cut:] + 5) % 11
        assert same(decoder(later)[:, :cut], scores[:, :cut]), f"the future of {cut} is felt"
        shorter = decoder(tokens[:, :cut].clone())
        assert same(shorter, scores[:, :cut]), f"the length {cut} is felt"
    for row in range(3):
        others = (tokens + 1) % 11
        others[row] = tokens[row]
        assert same(decoder(others)[row], scores[row]), "the other rows are felt"


@variants.function("word-by-word")
def test_decoder(decoder):
    tokens = torch.tensor(
        [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5]]
    )
    together = decoder(tokens.clone())
    for row, ids in enumerate(tokens.tolist()):
        newest = [decoder(torch.tensor([ids[:n]]))[0, -1] for n in range(1, 13)]
        if not torch.allclose(torch.stack(newest), together[row], rtol=1e-5, atol=2e-5):
            return False
    before = tokens.tolist()
    decoder(tokens)
    return tokens.tolist() == before


@variants.function("random-trials")
def test_decoder(decoder):
    generator = torch.Generator().manual_seed(2)
    for _ in range(6):
        tokens = torch.randint(0, 11, (4, 12), generator=generator)
        cut = int(torch.randint(9, 12, (), generator=generator))
        other = torch.randint(0, 11, (4, 12), generator=generator)
        other[2, :cut] = tokens[2, :cut]
        first, second, third = decoder(tokens.clone()), decoder(other), decoder(tokens[2:3, :cut])
        torch.testing.assert_close(first[2, :cut], second[2, :cut], rtol=0, atol=1e-5)
        torch.testing.assert_close(first[2, :cut], third[0], rtol=0, atol=1e-5)
        kept = tokens.clone()
        decoder(tokens)
        assert (tokens == kept).all()
