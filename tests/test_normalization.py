import pytest
import torch
import torch.nn.functional as F

from companion.config import NormSpec
from companion.normalization import LayerNorm, RMSNorm, make_norm


@pytest.mark.parametrize("eps", [1e-5, 1e-12, 0.1])
@pytest.mark.parametrize("bias", [True, False])
def test_layer_norm_equals_torch_in_value_and_gradient(eps: float, bias: bool) -> None:
    norm = LayerNorm(7, eps, bias=bias).double()
    torch.nn.init.normal_(norm.weight)
    if norm.bias is not None:
        torch.nn.init.normal_(norm.bias)
    x = torch.randn(2, 3, 7, dtype=torch.float64, requires_grad=True)
    outputs = norm(x), F.layer_norm(x, (7,), norm.weight, norm.bias, eps)
    torch.testing.assert_close(*outputs, rtol=1e-10, atol=1e-10)
    grads = [torch.autograd.grad(y.pow(3).sum(), [x, norm.weight]) for y in outputs]
    for ours, theirs in zip(*grads, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("eps", [1e-6, 0.1])
def test_rms_norm_equals_torch(eps: float) -> None:
    norm = RMSNorm(7, eps).double()
    torch.nn.init.normal_(norm.weight)
    x = torch.randn(2, 3, 7, dtype=torch.float64)
    torch.testing.assert_close(norm(x), F.rms_norm(x, (7,), norm.weight, eps))


def test_the_variance_is_the_biased_one_with_eps_inside_the_root() -> None:
    x = torch.tensor([1.0, 0.0, 0.0, 0.0])
    assert f"{LayerNorm(4)(x)[0]:.4f}" == "1.7320"
    assert f"{(x[0] - x.mean()) / x.std():.4f}" == "1.5000"  # what the unbiased one would give


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("kind", ["layer", "rms"])
def test_large_half_precision_values_do_not_overflow(dtype: torch.dtype, kind: str) -> None:
    norm = make_norm(64, NormSpec(kind=kind)).to(dtype)
    x = torch.randn(3, 64) * 1000  # squares reach 1e6, float16 ends at 65,504
    output = norm(x.to(dtype))
    assert output.dtype == dtype
    expected = make_norm(64, NormSpec(kind=kind))(x)
    torch.testing.assert_close(output.float(), expected, rtol=0.02, atol=0.02)


def test_specs_build_what_they_say() -> None:
    assert isinstance(make_norm(4, NormSpec(kind="rms")), RMSNorm)
    assert make_norm(4, NormSpec(bias=False)).bias is None
    assert make_norm(4, NormSpec(eps=0.25)).eps == 0.25
