import pytest
import torch
import torch.nn.functional as F

from companion.activations import ACTIVATIONS
from companion.config import FeedForwardSpec
from companion.feed_forward import FeedForward, gated_width, make_feed_forward

TORCH = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_equal_torch_in_value_and_gradient(name: str) -> None:
    x = torch.linspace(-6, 6, 101, dtype=torch.float64, requires_grad=True)
    ours, theirs = ACTIVATIONS[name](x), TORCH[name](x)
    torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
    grads = [torch.autograd.grad(y.sum(), x)[0] for y in (ours, theirs)]
    away_from_zero = x.abs() > 1e-9  # relu's kink may be given any slope
    torch.testing.assert_close(*(g[away_from_zero] for g in grads), rtol=1e-10, atol=1e-10)


def test_the_two_gelus_differ_by_the_documented_amount() -> None:
    x = torch.linspace(-6, 6, 100_001, dtype=torch.float64)
    gap = (ACTIVATIONS["gelu"](x) - ACTIVATIONS["gelu_tanh"](x)).abs().max().item()
    assert 4.7e-4 < gap < 4.8e-4


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("bias", [True, False])
def test_feed_forward_equals_functionals(activation: str, bias: bool) -> None:
    spec = FeedForwardSpec(d_ff=11, activation=activation, bias=bias)
    layer = make_feed_forward(5, spec).double()
    x = torch.randn(2, 3, 5).double()
    up, down = layer.up_proj, layer.down_proj
    hidden = TORCH[activation](F.linear(x, up.weight, up.bias))
    torch.testing.assert_close(layer(x), F.linear(hidden, down.weight, down.bias))


@pytest.mark.parametrize("activation", ["silu", "gelu"])
def test_gated_feed_forward_equals_functionals(activation: str) -> None:
    spec = FeedForwardSpec(d_ff=11, activation=activation, gated=True, bias=False)
    layer = make_feed_forward(5, spec).double()
    x = torch.randn(2, 3, 5).double()
    gate = TORCH[activation](x @ layer.gate_proj.weight.T)
    expected = (gate * (x @ layer.up_proj.weight.T)) @ layer.down_proj.weight.T
    torch.testing.assert_close(layer(x), expected)


def test_each_position_is_transformed_alone() -> None:
    layer = FeedForward(5, FeedForwardSpec(d_ff=11))
    x = torch.randn(1, 4, 5)
    one_by_one = torch.stack([layer(x[0, t]) for t in range(4)])
    torch.testing.assert_close(layer(x)[0], one_by_one)


@pytest.mark.parametrize(
    ("d_model", "multiple_of", "width"), [(4096, 256, 11_008), (768, 1, 2048), (100, 1, 266)]
)
def test_gated_width_keeps_the_parameter_count(d_model: int, multiple_of: int, width: int) -> None:
    assert gated_width(d_model, multiple_of=multiple_of) == width
    assert abs(3 * gated_width(d_model) - 8 * d_model) <= 3
