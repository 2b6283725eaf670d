"""ALiBi and T5's buckets: biases from distances, row by row."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import T5Config
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention

from companion.attention import scaled_dot_product_attention
from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig
from companion.masks import causal_mask, positions_from_mask
from companion.positions import PositionSpec
from companion.relative_positions import (
    ALiBi,
    RelativeBuckets,
    T5Buckets,
    alibi_slopes,
    relative_bucket,
)
from companion.transformer import Transformer

# --- ALiBi ------------------------------------------------------------------------------------


def papers_slopes(n: int) -> list[float]:
    """``get_slopes`` of Press et al.'s released code."""

    def power_of_2(n: int) -> list[float]:
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_2(closest) + papers_slopes(2 * closest)[0::2][: n - closest]


@pytest.mark.parametrize("n_heads", [*range(1, 18), 20, 25, 32, 48, 71])
def test_slopes_are_the_papers_for_any_number_of_heads(n_heads: int) -> None:
    slopes = alibi_slopes(n_heads)
    assert slopes.shape == (n_heads,)
    torch.testing.assert_close(slopes, torch.tensor(papers_slopes(n_heads)))


def test_eight_heads_have_the_papers_example() -> None:
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    with pytest.raises(ValueError, match="n_heads must be at least 1, got 0"):
        alibi_slopes(0)


def test_the_bias_is_minus_slope_times_distance_for_each_row() -> None:
    bias = (
        ALiBi().build(6, 3, 2).bias(torch.tensor([[3, 4], [0, 9]]), torch.tensor([[1, 4, 6]] * 2))
    )
    assert bias.shape == (2, 3, 2, 3)
    for row, queries in enumerate([[3, 4], [0, 9]]):
        for head, slope in enumerate(papers_slopes(3)):
            for q, m in enumerate(queries):
                for k, n in enumerate([1, 4, 6]):
                    assert bias[row, head, q, k].item() == pytest.approx(-slope * abs(m - n))


@pytest.mark.parametrize("n_heads", [4, 6])
def test_attention_is_blooms_and_mpts_with_left_padding(n_heads: int) -> None:
    """They add slope · key position, which differs by a constant a row: softmax does not see it."""
    valid = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]).bool()
    q, k, v = torch.randn(3, 2, n_heads, 5, 8)
    mask = causal_mask(5) & valid[:, None, None, :]
    positions = positions_from_mask(valid)
    ours = scaled_dot_product_attention(
        q, k, v, mask=mask, bias=ALiBi().build(0, n_heads, 8).bias(positions, positions)
    )
    bloom = build_alibi_tensor(valid.long(), n_heads, torch.float32).view(2, n_heads, 1, 5)
    for theirs in (bloom, build_mpt_alibi_tensor(n_heads, 5)):
        expected = scaled_dot_product_attention(q, k, v, mask=mask, bias=theirs)
        torch.testing.assert_close(ours, expected)


# --- T5 ---------------------------------------------------------------------------------------


@given(
    bidirectional=st.booleans(),
    buckets=st.sampled_from([(8, 20), (32, 128), (4, 7), (6, 50), (64, 1000)]),
    start=st.integers(-2000, 2000),
)
def test_buckets_are_hugging_faces(bidirectional: bool, buckets: tuple, start: int) -> None:
    n_buckets, max_distance = buckets
    relative = torch.arange(start, start + 50)
    found = relative_bucket(
        relative, n_buckets=n_buckets, max_distance=max_distance, bidirectional=bidirectional
    )
    expected = T5Attention._relative_position_bucket(
        relative,
        bidirectional=bidirectional,
        num_buckets=n_buckets,
        max_distance=max_distance,
    )
    assert found.tolist() == expected.tolist()


def test_near_distances_have_a_bucket_each_and_far_ones_share_the_last() -> None:
    def bucket(*relative: int, bidirectional: bool) -> list[int]:
        return relative_bucket(
            torch.tensor(relative), n_buckets=32, max_distance=128, bidirectional=bidirectional
        ).tolist()

    assert bucket(0, -1, -15, -16, bidirectional=False) == [0, 1, 15, 16]
    assert bucket(-128, -129, -(10**6), bidirectional=False) == [31, 31, 31]
    assert bucket(0, -1, 1, -7, 7, bidirectional=True) == [0, 1, 17, 7, 23]
    assert bucket(-128, 128, -(10**6), 10**6, bidirectional=True) == [15, 31, 15, 31]


@pytest.mark.parametrize("is_decoder", [False, True])
def test_the_bias_is_t5s(is_decoder: bool) -> None:
    spec: PositionSpec = T5Buckets(n_buckets=8, max_distance=20)
    ours = (spec.for_decoder() if is_decoder else spec).build(12, 3, 4)
    assert isinstance(ours, RelativeBuckets)
    config = T5Config(
        d_model=12,
        d_kv=4,
        num_heads=3,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=20,
        is_decoder=is_decoder,
    )
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    theirs.relative_attention_bias.load_state_dict(ours.table.state_dict())
    keys = torch.arange(30)[None]
    torch.testing.assert_close(ours.bias(keys, keys), theirs.compute_bias(30, 30))
    # A query block at the end, as with a cache.
    torch.testing.assert_close(
        ours.bias(keys[:, 25:], keys), theirs.compute_bias(5, 30, past_seen_tokens=25)
    )


def t5_like() -> Transformer:
    config = TransformerConfig(
        source_vocab_size=19,
        target_vocab_size=19,
        d_model=12,
        n_encoder_layers=3,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=3, scale=1.0),
        feed_forward=FeedForwardSpec(d_ff=20),
        position=T5Buckets(n_buckets=8, max_distance=20),
        dropout=0.0,
    )
    return Transformer(config).double().eval()


def test_one_table_serves_all_layers_of_a_stack_and_each_stack_has_its_own() -> None:
    model = t5_like()
    tables = [name for name, _ in model.named_parameters() if "positions" in name]
    assert tables == [
        "encoder.embedding.positions.table.weight",
        "decoder.embedding.positions.table.weight",
    ]
    specs = [stack.embedding.positions.spec for stack in (model.encoder, model.decoder)]
    assert [spec.bidirectional for spec in specs] == [True, False]


def test_the_table_learns_alike_on_both_attention_paths() -> None:
    model = t5_like()
    source, target = torch.tensor([[5, 6, 7, 8], [0, 5, 9, 9]]), torch.tensor([[1, 4, 4]] * 2)
    gradients = []
    for capture in (None, Capture()):
        model.zero_grad()
        model(source, target, capture=capture).square().sum().backward()
        gradients.append([p.grad.clone() for n, p in model.named_parameters() if "positions" in n])
    for fused, written_out in zip(*gradients, strict=True):
        torch.testing.assert_close(fused, written_out)
        assert fused.abs().sum() > 0


def test_buckets_that_make_no_sense_are_errors() -> None:
    with pytest.raises(ValueError, match="n_buckets=7 leaves no two whole buckets"):
        T5Buckets(n_buckets=7)
    with pytest.raises(ValueError, match="n_buckets=2 leaves no two whole buckets"):
        T5Buckets(n_buckets=2)
    assert T5Buckets(n_buckets=7, bidirectional=False).n_buckets == 7
    with pytest.raises(ValueError, match="max_distance=8 must lie beyond the 8 distances"):
        T5Buckets(max_distance=8)


@pytest.mark.parametrize("spec", [ALiBi(), T5Buckets()], ids=lambda s: s.kind)
def test_half_precision_works_on_both_paths(spec: PositionSpec) -> None:
    scheme = spec.build(16, 2, 8).bfloat16()
    positions = torch.arange(4)[None]
    q, k, v = torch.randn(3, 1, 2, 4, 8, dtype=torch.bfloat16)
    for capture in (None, Capture()):
        out = scaled_dot_product_attention(
            q, k, v, mask=causal_mask(4), bias=scheme.bias(positions, positions), capture=capture
        )
        assert out.dtype == torch.bfloat16
        assert bool(out.isfinite().all())
