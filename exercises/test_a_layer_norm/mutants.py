"""Tests that are not good enough: they let something through or refuse what is right."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

INPUTS = "(((2, 3, 4), 0.1), ((3, 5), 1e-5))"
CLOSE = "torch.testing.assert_close(result, expected)"
KEPT = "        assert torch.equal(x, kept)\n"
WEIGHT = "torch.randn(shape[-1]), torch.randn(shape[-1])"

# --- too few inputs
variants.edit("small-eps-only", (INPUTS, "(((2, 3, 4), 1e-5), ((3, 5), 1e-5))"))
variants.edit("two-axes-only", (INPUTS, "(((4, 6), 0.1), ((3, 5), 1e-5))"))
variants.edit("three-axes-one-sentence", (INPUTS, "(((1, 1, 4), 0.1), ((1, 1, 5), 1e-5))"))
variants.edit("ones-and-zeros", (WEIGHT, "torch.ones(shape[-1]), torch.zeros(shape[-1])"))
variants.edit("no-bias-tried", (WEIGHT, "torch.randn(shape[-1]), torch.zeros(shape[-1])"))
variants.edit("centred-input", ("x.double() + 2", "x.double() - x.double().mean(-1, keepdim=True)"))

# --- too little asked
variants.edit("input-not-looked-at", (KEPT, ""))
variants.edit(
    "dtype-not-looked-at", (CLOSE, "assert torch.allclose(result.double(), expected, 1e-5, 1e-5)")
)
variants.edit("wide-tolerance", (CLOSE, CLOSE.replace("expected", "expected, rtol=0.5, atol=0.5")))


@variants.function("no-assertion")
def test_layer_norm(layer_norm):
    layer_norm(torch.randn(2, 3, 4), torch.ones(4), torch.zeros(4), 1e-5)


@variants.function("shape-only")
def test_layer_norm(layer_norm):
    x = torch.randn(2, 3, 4, dtype=torch.float64)
    result = layer_norm(x, torch.ones(4).double(), torch.zeros(4).double(), 1e-5)
    assert result.shape == x.shape
    assert result.dtype == x.dtype


@variants.function("mean-only")
def test_layer_norm(layer_norm):
    x = torch.randn(2, 3, 4) + 2
    result = layer_norm(x, torch.ones(4), torch.zeros(4), 1e-5)
    assert result.mean(-1).abs().max() < 1e-5


@variants.function("mean-and-rough-variance")
def test_layer_norm(layer_norm):
    x = torch.randn(20, 400) + 2
    result = layer_norm(x, torch.ones(400), torch.zeros(400), 1e-5)
    assert result.mean(-1).abs().max() < 1e-4
    assert (result.var(-1) - 1).abs().max() < 1e-2


# --- refuses what is right
@variants.function("exactly-equal")
def test_layer_norm(layer_norm):
    for shape, eps in (((2, 3, 4), 0.1), ((3, 5), 1e-5)):
        torch.manual_seed(0)
        x, weight, bias = (torch.randn(n).double() for n in (shape, shape[-1], shape[-1]))
        kept = x.clone() + 2
        result = layer_norm(x.add_(2), weight, bias, eps)
        assert result.dtype == x.dtype
        assert torch.equal(result, F.layer_norm(kept, shape[-1:], weight, bias, eps))
        assert torch.equal(x, kept)


@variants.function("wants-unbiased")
def test_layer_norm(layer_norm):
    x = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
    result = layer_norm(x, torch.ones(4), torch.zeros(4), 1e-5)
    assert abs(result[0, 0].item() - 1.5) < 1e-3


@variants.function("wants-the-default-eps")
def test_layer_norm(layer_norm):
    x = torch.randn(2, 3, 4, dtype=torch.float64) + 2
    weight, bias = torch.randn(4).double(), torch.randn(4).double()
    kept = x.clone()
    result = layer_norm(x, weight, bias, 0.1)
    torch.testing.assert_close(result, F.layer_norm(kept, (4,), weight, bias))
    assert torch.equal(x, kept)
