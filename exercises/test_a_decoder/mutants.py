"""Tests that are not good enough: they let something through or refuse what is right."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

TOKENS = "tokens = torch.randint(0, 11, (3, 12))"
KEPT = "    assert torch.equal(tokens, kept)\n"
ROWS = "for row in range(3)"
LENGTHS = "range(1, 13)"
ALONE = "decoder(kept[row : row + 1, :length])"
CLOSE = "rtol=0, atol=1e-5"

# --- too few inputs
variants.edit(
    "short-only",
    (TOKENS, TOKENS.replace("12", "6")),
    (LENGTHS, "range(1, 7)"),
    ("12, 11)", "6, 11)"),
)
variants.edit("first-row-only", (ROWS, "for row in range(1)"))
variants.edit("rows-together", (ALONE, "decoder(kept[:, :length])[row : row + 1]"))
variants.edit("same-words", (TOKENS, "tokens = torch.full((3, 12), 4)"))

# --- too little asked
variants.edit("tokens-not-looked-at", (KEPT, ""), (ALONE, ALONE.replace("h])", "h].clone())")))
variants.edit("wide-tolerance", (CLOSE, "rtol=0, atol=0.1"))
variants.edit("nearly-exact", (CLOSE, "rtol=0, atol=0"))


@variants.function("no-assertion")
def test_decoder(decoder):
    decoder(torch.randint(0, 11, (3, 12)))


@variants.function("shape-only")
def test_decoder(decoder):
    tokens = torch.randint(0, 11, (3, 12))
    before = tokens.clone()
    assert decoder(tokens).shape == (3, 12, 11)
    assert torch.equal(tokens, before)


@variants.function("twice-the-same")
def test_decoder(decoder):
    tokens = torch.randint(0, 11, (3, 12))
    assert torch.allclose(decoder(tokens.clone()), decoder(tokens.clone()), atol=1e-5)


@variants.function("last-word-changed-first-looked-at")
def test_decoder(decoder):
    tokens = torch.randint(0, 11, (1, 12))
    changed = tokens.clone()
    changed[0, -1] = (changed[0, -1] + 1) % 11
    before, after = decoder(tokens.clone()), decoder(changed)
    assert torch.allclose(before[:, :4], after[:, :4], atol=1e-5)


@variants.function("perturbed-only")
def test_decoder(decoder):
    tokens = torch.randint(0, 11, (1, 12))
    before = decoder(tokens.clone())
    for position in range(1, 12):
        changed = tokens.clone()
        changed[:, position:] = (changed[:, position:] + 3) % 11
        after = decoder(changed)
        assert torch.allclose(before[:, :position], after[:, :position], rtol=0, atol=1e-5)


# --- refuses what is right
@variants.function("past-must-matter")
def test_decoder(decoder):
    torch.manual_seed(0)
    tokens = torch.randint(0, 11, (3, 12))
    kept, scores = tokens.clone(), decoder(tokens)
    assert torch.equal(tokens, kept)
    for row in range(3):
        for length in range(1, 13):
            alone = decoder(kept[row : row + 1, :length])
            assert torch.allclose(alone[0], scores[row, :length], rtol=0, atol=1e-5)
    changed = kept.clone()
    changed[:, 0] = (changed[:, 0] + 1) % 11
    assert not torch.allclose(decoder(changed)[:, -1], scores[:, -1], atol=1e-5)


@variants.function("changed-position-must-stay")
def test_decoder(decoder):
    tokens = torch.randint(0, 11, (1, 12))
    changed = tokens.clone()
    changed[0, 5] = (changed[0, 5] + 1) % 11
    before, after = decoder(tokens.clone()), decoder(changed)
    assert torch.allclose(before[:, :6], after[:, :6], atol=1e-5)


@variants.function("wants-probabilities")
def test_decoder(decoder):
    scores = decoder(torch.randint(0, 11, (3, 12)))
    assert torch.allclose(scores.sum(-1), torch.ones(3, 12), atol=1e-4)
