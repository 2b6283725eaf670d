from collections.abc import Callable

import pytest
import reference
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from companion import attention
from companion.attention import MultiHeadAttention, masked_softmax, scaled_dot_product_attention
from companion.capture import Capture
from companion.config import AttentionSpec
from companion.masks import causal_mask

HALF = [torch.float32, torch.bfloat16, torch.float16]
PATHS = [pytest.param(False, id="written-out"), pytest.param(True, id="fused")]


def inputs(dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Tensor]:
    """All sizes differ: batch 2, heads 3, queries 4, keys 5, d_k 6, d_v 7."""
    q, k, v = torch.randn(2, 3, 4, 6), torch.randn(2, 3, 5, 6), torch.randn(2, 3, 5, 7)
    return q.to(dtype), k.to(dtype), v.to(dtype)


def random_mask() -> Tensor:
    """About half is hidden; query 1 of the first row sees nothing at all."""
    mask = torch.rand(2, 1, 4, 5) > 0.5
    mask[0, :, 1] = False
    mask[0, :, 2, 3] = True
    return mask


@pytest.mark.parametrize("fused", PATHS)
@pytest.mark.parametrize("masked", [False, True])
def test_equals_the_reference(fused: bool, masked: bool) -> None:
    q, k, v = inputs()
    mask = random_mask() if masked else None
    output = scaled_dot_product_attention(q, k, v, mask=mask, fused=fused)
    torch.testing.assert_close(output, reference.attention(q, k, v, mask), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("scale", [None, 0.3])
def test_both_paths_agree_in_values_and_gradients(
    masked: bool, biased: bool, scale: float | None
) -> None:
    results = []
    mask = random_mask() if masked else None
    bias = torch.randn(1, 3, 4, 5, dtype=torch.float64, requires_grad=True) if biased else None
    leaves = [t.requires_grad_() for t in inputs()]
    if bias is not None:
        leaves.append(bias)
    for fused in (False, True):
        output = scaled_dot_product_attention(
            *leaves[:3], mask=mask, bias=bias, scale=scale, fused=fused
        )
        results.append([output, *torch.autograd.grad(output.square().sum(), leaves)])
    for written, fast in zip(*results, strict=True):
        torch.testing.assert_close(written, fast, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("fused", PATHS)
@pytest.mark.parametrize("biased", [False, True])
def test_fully_masked_rows_give_zeros_and_finite_gradients(
    dtype: torch.dtype, fused: bool, biased: bool
) -> None:
    # Factor 8: scores of a hundred and more, which no hidden key may turn into an overflow.
    leaves = [(t * 8).requires_grad_() for t in inputs(dtype)]
    mask = random_mask()
    bias = torch.randn(1, 3, 4, 5, dtype=dtype) if biased else None
    output = scaled_dot_product_attention(*leaves, mask=mask, bias=bias, fused=fused)
    assert torch.count_nonzero(output[0, :, 1]) == 0
    assert torch.count_nonzero(output[0, :, 2]) > 0
    grads = torch.autograd.grad(output.float().square().sum(), leaves)
    assert all(g.isfinite().all() for g in (output, *grads))
    assert torch.count_nonzero(grads[0][0, :, 1]) == 0


@pytest.mark.parametrize("shape", [(5,), (4, 5), (3, 1, 5), (2, 1, 1, 5)])
def test_a_mask_of_any_shape_that_broadcasts(shape: tuple[int, ...]) -> None:
    q, k, v = inputs()
    mask = torch.rand(shape) > 0.5
    mask[..., 0] = True
    expected = reference.attention(q, k, v, mask)
    for fused in (False, True):
        output = scaled_dot_product_attention(q, k, v, mask=mask, fused=fused)
        torch.testing.assert_close(output, expected)


def test_no_nan_arises_on_the_way() -> None:
    """Minus infinity would do in the end, but not under autograd's anomaly detection."""
    leaves = [t.requires_grad_() for t in inputs()]
    with torch.autograd.set_detect_anomaly(True):
        output = scaled_dot_product_attention(*leaves, mask=random_mask(), fused=False)
        output.square().sum().backward()


@pytest.mark.parametrize("fused", PATHS)
def test_hidden_keys_do_not_matter_however_large(fused: bool) -> None:
    q, k, v = inputs(torch.float32)
    mask = causal_mask(4, 5)
    before = scaled_dot_product_attention(q, k, v, mask=mask, fused=fused)
    k2, v2 = k.clone(), v.clone()
    k2[:, :, 3], v2[:, :, 3] = 1e4, -1e4  # key 3 is hidden from queries 0 and 1
    after = scaled_dot_product_attention(q, k2, v2, mask=mask, fused=fused)
    assert torch.equal(before[:, :, :2], after[:, :, :2])
    assert not torch.allclose(before[:, :, 2:], after[:, :, 2:])


@given(scores=st.lists(st.floats(-50, 50), min_size=2, max_size=6), data=st.data())
def test_masked_softmax_equals_softmax_over_the_allowed(
    scores: list[float], data: st.DataObject
) -> None:
    n = len(scores)
    mask = torch.tensor(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    row = torch.tensor(scores, dtype=torch.float64)
    weights = masked_softmax(row[None], mask)[0]
    expected = torch.zeros(n, dtype=torch.float64)
    expected[mask] = row[mask].softmax(dim=-1)
    torch.testing.assert_close(weights, expected)


def test_half_precision_scores_do_not_overflow_before_scaling() -> None:
    q = k = torch.full((1, 1, 2, 256), 20.0, dtype=torch.float16)  # q·k = 102,400 > 65,504
    v = torch.randn(1, 1, 2, 3, dtype=torch.float16)
    output = scaled_dot_product_attention(q, k, v, fused=False)
    torch.testing.assert_close(output[0, 0, 0], v.mean(dim=2)[0, 0])


def test_capture_takes_the_written_out_path_and_changes_nothing() -> None:
    q, k, v = inputs()
    mask = random_mask()
    capture = Capture()
    output = scaled_dot_product_attention(q, k, v, mask=mask, capture=capture)
    torch.testing.assert_close(output, scaled_dot_product_attention(q, k, v, mask=mask))
    weights = capture["weights"]
    assert weights.shape == (2, 3, 4, 5)
    torch.testing.assert_close(weights @ v, output)
    sums = weights.sum(dim=-1)
    torch.testing.assert_close(sums, mask.any(dim=-1).expand_as(sums).to(sums.dtype))
    with pytest.raises(ValueError, match="never forms the weights"):
        scaled_dot_product_attention(q, k, v, capture=capture, fused=True)


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize("fused", PATHS)
def test_a_mask_that_is_not_boolean_is_refused(fused: bool) -> None:
    q, k, v = inputs()
    with pytest.raises(TypeError, match=r"torch\.float32"):
        scaled_dot_product_attention(q, k, v, mask=torch.ones(4, 5), fused=fused)


@pytest.mark.parametrize("n_kv_heads", [None, 3, 1])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("d_head", [None, 5])
def test_multi_head_equals_head_by_head(
    n_kv_heads: int | None, bias: bool, d_head: int | None
) -> None:
    spec = AttentionSpec(n_heads=6, n_kv_heads=n_kv_heads, bias=bias, d_head=d_head)
    module = MultiHeadAttention(24, spec).double()
    x, memory = torch.randn(2, 4, 24).double(), torch.randn(2, 5, 24).double()
    mask = random_mask()
    torch.testing.assert_close(
        module(x, memory, memory, mask=mask), reference.multi_head(module, x, memory, mask)
    )


def test_multi_head_equals_torch_with_copied_weights() -> None:
    ours = MultiHeadAttention(12, AttentionSpec(n_heads=3)).double()
    x = torch.randn(2, 5, 12).double()
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    theirs, weights = F.multi_head_attention_forward(
        *(x.transpose(0, 1),) * 3,
        embed_dim_to_check=12,
        num_heads=3,
        in_proj_weight=torch.cat([p.weight for p in projections]),
        in_proj_bias=torch.cat([p.bias for p in projections]),
        bias_k=None,
        bias_v=None,
        add_zero_attn=False,
        dropout_p=0.0,
        out_proj_weight=ours.out_proj.weight,
        out_proj_bias=ours.out_proj.bias,
        attn_mask=~causal_mask(5),
        average_attn_weights=False,
    )
    capture = Capture()
    output = ours(x, x, x, mask=causal_mask(5), capture=capture)
    torch.testing.assert_close(output, theirs.transpose(0, 1), rtol=1e-10, atol=1e-10)
    assert weights is not None
    torch.testing.assert_close(capture["weights"], weights, rtol=1e-10, atol=1e-10)


def test_attention_without_positions_is_permutation_equivariant() -> None:
    module = MultiHeadAttention(12, AttentionSpec(n_heads=3)).double()
    x, order = torch.randn(1, 7, 12).double(), torch.randperm(7)
    shuffled = x[:, order]
    torch.testing.assert_close(module(shuffled, shuffled, shuffled), module(x, x, x)[:, order])


def test_dropout_acts_in_training_only() -> None:
    module = MultiHeadAttention(12, AttentionSpec(n_heads=3, dropout=0.5))
    x = torch.randn(1, 7, 12)
    assert not torch.equal(module(x, x, x), module(x, x, x))
    module.eval()
    assert torch.equal(module(x, x, x), module(x, x, x))


def test_a_whole_layer_survives_autocast_and_half() -> None:
    module = MultiHeadAttention(12, AttentionSpec(n_heads=3))
    x = torch.randn(2, 4, 12)
    expected = module(x, x, x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.testing.assert_close(module(x, x, x).float(), expected, rtol=0.05, atol=0.05)
    half = module.half()(x.half(), x.half(), x.half(), mask=random_mask()[..., :4])
    assert half.dtype == torch.float16
    assert half.isfinite().all()


@pytest.mark.parametrize(
    ("dtype", "keys", "learns", "written_out"),
    [
        (torch.bfloat16, 8, True, True),
        (torch.bfloat16, 300, True, False),  # long: the weights would take memory
        (torch.bfloat16, 8, False, False),
        (torch.float32, 8, True, False),
    ],
)
def test_on_a_cpu_bfloat16_is_trained_on_the_faster_path(
    monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype, keys: int, learns: bool, written_out: bool
) -> None:
    paths = []
    for name in ("_written_out_attention", "_fused_attention"):
        original = getattr(attention, name)

        def spy(*args: object, name: str = name, original: Callable = original) -> Tensor:
            paths.append(name)
            return original(*args)

        monkeypatch.setattr(attention, name, spy)
    query, key = torch.randn(2, 4, dtype=dtype), torch.randn(keys, 4, dtype=dtype)
    query.requires_grad_(learns)
    attention.scaled_dot_product_attention(query, key, key)
    assert paths == ["_written_out_attention" if written_out else "_fused_attention"]
