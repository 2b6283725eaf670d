"""Tiled attention is exact, in value and gradient, and never makes an n×n tensor."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from companion.attention import scaled_dot_product_attention
from companion.masks import causal_mask
from companion.tiled_attention import OnlineSoftmax, tiled_attention


def inputs(n_queries: int, n_keys: int, *, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    generator = torch.Generator().manual_seed(n_queries * 100 + n_keys)
    shapes = [(2, 3, n_queries, 5), (2, 3, n_keys, 5), (2, 3, n_keys, 4)]
    return [torch.randn(s, dtype=torch.float64, generator=generator).to(dtype) for s in shapes]


def values_and_gradients(function: Any, tensors: list[Tensor], **options: Any) -> list[Tensor]:
    leaves = [t.clone().requires_grad_() for t in tensors]
    output = function(*leaves, **options)
    generator = torch.Generator().manual_seed(7)
    weight = torch.randn(output.shape, dtype=torch.float64, generator=generator)
    (output * weight.to(output.dtype)).sum().backward()
    return [output.detach(), *(t.grad for t in leaves if t.grad is not None)]


def assert_same(tensors: list[Tensor], mask: Tensor | None, **options: Any) -> None:
    plain = values_and_gradients(scaled_dot_product_attention, tensors, mask=mask, fused=False)
    tiled = values_and_gradients(tiled_attention, tensors, **({"mask": mask} | options))
    assert len(tiled) == len(plain) == 4
    for ours, theirs in zip(tiled, plain, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-10)


@settings(deadline=None, max_examples=40)
@given(
    n_queries=st.integers(1, 9),
    more_keys=st.integers(0, 9),
    tile_size=st.integers(1, 20),
    masked=st.booleans(),
    causal=st.booleans(),
)
def test_equal_to_the_plain_path_whatever_the_tile(
    n_queries: int, more_keys: int, tile_size: int, masked: bool, causal: bool
) -> None:
    n_keys = n_queries + more_keys
    generator = torch.Generator().manual_seed(0)
    mask = torch.rand(2, 1, n_queries, n_keys, generator=generator) < 0.6 if masked else None
    whole = mask
    if causal:
        future = causal_mask(n_queries, n_keys)
        whole = future if mask is None else mask & future
    tensors = inputs(n_queries, n_keys)
    plain = values_and_gradients(scaled_dot_product_attention, tensors, mask=whole, fused=False)
    tiled = values_and_gradients(
        tiled_attention, tensors, mask=mask, causal=causal, tile_size=tile_size
    )
    for ours, theirs in zip(tiled, plain, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-10)


def test_masks_of_every_rank_broadcast() -> None:
    tensors = inputs(6, 8)
    generator = torch.Generator().manual_seed(1)
    for shape in [(8,), (6, 8), (6, 1), (2, 1, 1, 8), (1, 3, 6, 8)]:
        assert_same(tensors, torch.rand(shape, generator=generator) < 0.7, tile_size=3)


def test_gradcheck_with_a_fully_masked_row() -> None:
    query, key, value = (t[:1, :1].requires_grad_() for t in inputs(4, 5))
    mask = torch.tensor([[1, 1, 0, 0, 1], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 0, 1, 0]]).bool()
    assert torch.autograd.gradcheck(
        lambda q, k, v: tiled_attention(q, k, v, mask=mask, tile_size=2), (query, key, value)
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_fully_masked_rows_are_zero_with_finite_gradients(dtype: torch.dtype) -> None:
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    output, *gradients = values_and_gradients(
        tiled_attention, inputs(4, 6, dtype=dtype), mask=mask, tile_size=4
    )
    assert output.dtype == dtype
    assert (output[..., 1, :] == 0).all()
    assert (output[..., 0, :] != 0).all()
    for gradient in gradients:
        assert gradient.dtype == dtype
        assert gradient.isfinite().all()
    assert (gradients[0][..., 1, :] == 0).all()


def test_half_precision_is_accumulated_in_float32() -> None:
    # A sum of ones in bfloat16 stops growing at 256, and would double the mean of 600 values.
    query, value = torch.zeros(1, 2), torch.linspace(0, 1, 600)[:, None]
    for dtype in (torch.float16, torch.bfloat16):
        key = torch.zeros(600, 2, dtype=dtype)
        mean = tiled_attention(query.to(dtype), key, value.to(dtype), tile_size=1)
        torch.testing.assert_close(mean.item(), 0.5, rtol=4e-3, atol=0)


def test_scores_far_beyond_exp_stay_finite() -> None:
    query, key, value = (t * s for t, s in zip(inputs(5, 7), (1e3, 1e3, 1), strict=True))
    assert_same([query, key, value], None, tile_size=2)


def test_the_online_softmax_after_each_tile_is_the_softmax_so_far() -> None:
    generator = torch.Generator().manual_seed(3)
    scores = torch.randn(1, 10, dtype=torch.float64, generator=generator) * 4
    values = torch.randn(10, 2, dtype=torch.float64, generator=generator)
    online = OnlineSoftmax(torch.zeros(1, 1, dtype=torch.float64), d_v=2)
    for end in range(1, 11):
        online.update(scores[:, end - 1 : end], values[end - 1 : end])
        seen = scores[:, :end]
        torch.testing.assert_close(online.output(), seen.softmax(-1) @ values[:end])
        torch.testing.assert_close(online.log_normaliser(), seen.logsumexp(-1, keepdim=True))


class LargestTensor(TorchDispatchMode):
    """Watches every operation for the largest tensor that it returns."""

    numel = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for tensor in out if isinstance(out, tuple | list) else (out,):
            if isinstance(tensor, Tensor):
                # An expanded view counts what it stores, not what it shows.
                stored = [n for n, s in zip(tensor.shape, tensor.stride(), strict=True) if s]
                self.numel = max(self.numel, math.prod(stored))
        return out


def largest(function: Any, n: int, **options: Any) -> int:
    tensors = [torch.randn(1, 1, n, 8, requires_grad=True) for _ in range(3)]
    padding = torch.ones(1, 1, 1, n, dtype=torch.bool)
    with LargestTensor() as watch:
        function(*tensors, mask=padding, **options).sum().backward()
    return watch.numel


def test_no_tensor_of_forward_or_backward_grows_with_the_square() -> None:
    for n in (128, 256):
        tiled = largest(tiled_attention, n, causal=True, tile_size=16)
        plain = largest(scaled_dot_product_attention, n, fused=False)
        assert tiled == n * 8
        assert plain == n * n


def test_tiles_in_the_future_are_skipped() -> None:
    class Count(TorchDispatchMode):
        products = 0

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self.products += func.overloadpacket in (torch.ops.aten.bmm, torch.ops.aten.mm)
            return func(*args, **(kwargs or {}))

    counts = {}
    for causal in (False, True):
        with Count() as count:
            tiled_attention(*(torch.randn(8, 4) for _ in range(3)), causal=causal, tile_size=2)
        counts[causal] = count.products
    assert counts == {False: 2 * 16, True: 2 * 10}


def test_it_is_refused_by_name() -> None:
    query, key, value = inputs(4, 3)
    with pytest.raises(ValueError, match="4 queries cannot be the last of 3 keys"):
        tiled_attention(query, key, value, causal=True)
    with pytest.raises(ValueError, match="tile_size must be at least 1, got 0"):
        tiled_attention(query, key, value, tile_size=0)
    with pytest.raises(ValueError, match=r"\(2, 5\) does not broadcast"):
        tiled_attention(query, key, value, mask=torch.ones(2, 5, dtype=torch.bool))


@pytest.mark.usefixtures("as_a_user")
def test_a_float_mask_is_refused() -> None:
    query, key, value = inputs(4, 4)
    with pytest.raises(TypeError, match="True = may attend"):
        tiled_attention(query, key, value, mask=torch.ones(4, 4))
