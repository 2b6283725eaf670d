"""Good tests that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("against-pytorch")
def test_layer_norm(layer_norm):
    generator = torch.Generator().manual_seed(1)
    for shape in ((7,), (4, 6), (2, 3, 5), (2, 3, 4, 5)):
        for eps in (1e-5, 0.5):
            x, w, b = (
                torch.randn(n, generator=generator, dtype=torch.float64)
                for n in (shape, shape[-1:], shape[-1:])
            )
            before = x.clone()
            try:
                result = layer_norm(x, w, b, eps)
            except IndexError:
                raise AssertionError("one axis must do") from None
            assert result.dtype == before.dtype
            assert torch.allclose(result, F.layer_norm(before, shape[-1:], w, b, eps), 1e-6, 1e-8)
            assert (x == before).all()


@variants.function("worked-out-example")
def test_layer_norm(layer_norm):
    x = torch.tensor([[[1.0, 0, 0, 0], [2, 2, 0, 0]], [[0, 0, 0, 0], [4, 0, 0, 4]]]).double()
    weight, bias = torch.tensor([1.0, 2, 3, 4]).double(), torch.tensor([0.0, 0, 1, 1]).double()
    found = layer_norm(x, weight, bias, 0.0625)
    unit = torch.tensor([[[1.5, -0.5, -0.5, -0.5], [0, 0, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 0]]])
    unit = unit.double()
    unit[0, 1] = torch.tensor([1.0, 1, -1, -1]) / 1.0625**0.5
    unit[1, 1] = torch.tensor([2.0, -2, -2, 2]) / 4.0625**0.5
    return (
        found.dtype == torch.float64
        and torch.allclose(found, unit * weight + bias, 1e-4)
        and x[1, 1].tolist() == [4, 0, 0, 4]
        and x[0, 0, 0].item() == 1
    )


@variants.function("number-by-number")
def test_layer_norm(layer_norm):
    torch.manual_seed(3)
    x, weight, bias = torch.rand(2, 3, 4), torch.rand(4), torch.rand(4)
    x, weight, bias = x.double(), weight.double(), bias.double()
    rows = x.tolist()
    result = layer_norm(x, weight, bias, 0.25)
    assert x.tolist() == rows, "the input was changed"
    assert result.dtype is torch.float64
    for i in range(2):
        for j in range(3):
            row = rows[i][j]
            mean = sum(row) / 4
            variance = sum((number - mean) ** 2 for number in row) / 4
            for k in range(4):
                expected = (row[k] - mean) / (variance + 0.25) ** 0.5 * weight[k] + bias[k]
                assert abs(float(result[i, j, k] - expected)) < 1e-6
