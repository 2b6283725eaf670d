"""Rotary positions: the rotation, its two layouts, and the schemes that stretch it."""

import dataclasses
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as interleaved_reference
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as half_reference

from companion.attention import MultiHeadAttention
from companion.config import AttentionSpec
from companion.rotary import LAYOUTS, Rotary, RotaryPositions, convert_layout
from companion.rotary_scaling import (
    Interpolation,
    Llama3Scaling,
    NTKAware,
    RotaryScaling,
    YaRN,
    inverse_frequencies,
)

D_HEAD = 10


def scheme(d_head: int = D_HEAD, **values: object) -> RotaryPositions:
    built = Rotary(**values).build(4 * d_head, 4, d_head)
    assert isinstance(built, RotaryPositions)
    return built


def turn(x: Tensor, positions: list[list[int]], **values: object) -> Tensor:
    return scheme(x.shape[-1], **values).rotation(torch.tensor(positions))(x)


# --- the rotation -----------------------------------------------------------------------------


def test_a_pair_is_a_complex_number_that_is_multiplied() -> None:
    x = torch.randn(2, 3, 4, D_HEAD)
    positions = [[0, 1, 2, 3], [7, 8, 100, 5]]
    angles = torch.tensor(positions).double()[..., None] * 10_000 ** (
        -torch.arange(0, D_HEAD, 2).double() / D_HEAD
    )
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
    expected = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)[:, None])
    found = turn(x, positions, layout="interleaved")
    torch.testing.assert_close(found.double(), expected.flatten(-2), atol=1e-5, rtol=0)


def test_the_half_layout_is_hugging_faces_llama() -> None:
    x, other = torch.randn(2, 2, 3, 4, D_HEAD)
    positions = torch.tensor([[0, 1, 2, 3], [5, 6, 7, 8]])
    angles = positions[..., None] * inverse_frequencies(D_HEAD, 10_000.0)
    angles = torch.cat((angles, angles), dim=-1)
    expected, _ = half_reference(x, other, angles.cos(), angles.sin())
    torch.testing.assert_close(turn(x, positions.tolist()), expected)


def test_the_interleaved_layout_is_hugging_faces_gpt_j() -> None:
    x = torch.randn(1, 3, 4, D_HEAD)
    angles = torch.arange(4)[None, :, None] * inverse_frequencies(D_HEAD, 10_000.0)
    expected = interleaved_reference(x.transpose(1, 2), angles.sin(), angles.cos()).transpose(1, 2)
    torch.testing.assert_close(turn(x, [[0, 1, 2, 3]], layout="interleaved"), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@given(m=st.integers(0, 300), n=st.integers(0, 300), shift=st.integers(1, 300))
def test_scores_depend_on_the_offset_and_on_nothing_else(
    layout: str, m: int, n: int, shift: int
) -> None:
    query, key = torch.randn(2, 1, 1, 1, D_HEAD, generator=torch.Generator().manual_seed(1))

    def score(m: int, n: int) -> float:
        q, k = turn(query, [[m]], layout=layout), turn(key, [[n]], layout=layout)
        return (q * k).sum().item()

    assert score(m, n) == pytest.approx(score(m + shift, n + shift), abs=2e-3)
    # The identity passes the line above. It does not pass this one.
    assert abs(score(m, n) - score(m + 1, n)) > 1e-6


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lengths_stay_and_position_zero_turns_nothing(layout: str) -> None:
    x = torch.randn(1, 2, 3, D_HEAD)
    turned = turn(x, [[0, 4, 1000]], layout=layout)
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))
    torch.testing.assert_close(turned[:, :, 0], x[:, :, 0])
    assert (turned[:, :, 1:] - x[:, :, 1:]).abs().max() > 0.1


def test_it_turns_along_time_alike_in_every_head_and_by_row() -> None:
    x = torch.randn(1, 1, 1, D_HEAD).expand(2, 3, 2, D_HEAD)
    turned = turn(x, [[3, 9], [9, 3]])
    torch.testing.assert_close(turned[:, 0], turned[:, 2])
    torch.testing.assert_close(turned[0, :, 0], turned[1, :, 1])
    assert (turned[0, :, 0] - turned[0, :, 1]).abs().max() > 0.1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_fraction_turns_the_front_as_a_smaller_head_and_passes_the_rest(layout: str) -> None:
    x = torch.randn(1, 2, 3, 8)
    turned = turn(x, [[1, 2, 3]], fraction=0.5, layout=layout)
    torch.testing.assert_close(turned[..., 4:], x[..., 4:])
    torch.testing.assert_close(turned[..., :4], turn(x[..., :4], [[1, 2, 3]], layout=layout))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_tables_are_float32_and_cast_last(dtype: torch.dtype) -> None:
    """At position 60,000 half precision cannot count, and a table in it would be noise."""
    built = scheme().to(dtype)
    positions = torch.tensor([[60_000, 60_001]])
    cos, sin = built.tables(positions)
    assert cos.dtype == sin.dtype == torch.float32
    x = torch.randn(1, 1, 2, D_HEAD).to(dtype)
    turned = built.rotation(positions)(x)
    assert turned.dtype == dtype
    wide = scheme().rotation(positions)(x.float())
    torch.testing.assert_close(turned.float(), wide, atol=0.03, rtol=0)
    assert not list(built.buffers())  # a buffer would follow .half()


def test_bad_values_are_named() -> None:
    with pytest.raises(ValueError, match=r"fraction=1\.0 of d_head=7 is 7 dimensions"):
        scheme(7)
    with pytest.raises(ValueError, match=r"fraction=0\.1 of d_head=10 is 1 dimensions"):
        scheme(fraction=0.1)
    with pytest.raises(ValueError, match=r"lies in \(0, 1\], got 1.5"):
        Rotary(fraction=1.5)
    with pytest.raises(ValueError, match=r"base must be above 1 .* got 1"):
        Rotary(base=1.0)


@pytest.mark.usefixtures("as_a_user")
def test_an_unknown_layout_is_named() -> None:
    with pytest.raises(ValueError, match="layout must be one of 'half', 'interleaved', got 'neox'"):
        Rotary(layout="neox")
    with pytest.raises(ValueError, match="to must be one of 'half', 'interleaved', got 'meta'"):
        convert_layout(torch.zeros(4, 2), d_head=4, to="meta")


# --- the converter between layouts ------------------------------------------------------------


@pytest.mark.parametrize("fraction", [1.0, 0.5])
@pytest.mark.parametrize("to", LAYOUTS)
def test_converted_projections_give_the_same_attention(to: str, fraction: float) -> None:
    made_for = LAYOUTS[1 - LAYOUTS.index(to)]
    spec = AttentionSpec(n_heads=4, n_kv_heads=2, d_head=8)
    attention = MultiHeadAttention(20, spec).double()
    x = torch.randn(2, 5, 20).double()
    positions = torch.arange(5).expand(2, 5)

    def output(layout: str) -> Tensor:
        rotate = scheme(8, layout=layout, fraction=fraction).rotation(positions)
        return attention(x, x, x, rotate=rotate)

    before = output(made_for)
    assert (output(to) - before).abs().max() > 1e-3  # nonsense until it is converted
    for projection in (attention.q_proj, attention.k_proj):
        for part in (projection.weight, projection.bias):
            part.data = convert_layout(part.data, d_head=8, to=to, dim=int(8 * fraction))
    torch.testing.assert_close(output(to), before, atol=1e-12, rtol=0)


def test_it_is_the_permutation_of_hugging_faces_converter() -> None:
    weight = torch.randn(3 * 8, 5)
    permuted = weight.view(3, 4, 2, 5).transpose(1, 2).reshape(24, 5)
    torch.testing.assert_close(convert_layout(weight, d_head=8, to="half"), permuted)
    torch.testing.assert_close(convert_layout(permuted, d_head=8, to="interleaved"), weight)


@pytest.mark.parametrize(("rows", "d_head", "dim"), [(10, 4, 4), (8, 4, 3), (8, 4, 6), (8, 4, 0)])
def test_rows_that_are_no_heads_are_an_error(rows: int, d_head: int, dim: int) -> None:
    with pytest.raises(ValueError, match=f"{rows} rows do not split into heads of d_head={d_head}"):
        convert_layout(torch.zeros(rows, 2), d_head=d_head, to="half", dim=dim)


# --- scaling ----------------------------------------------------------------------------------

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 128,
}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Interpolation(4.0), {"rope_type": "linear", "factor": 4.0}),
        # Dynamic NTK at three times the trained length: a factor of 2·3 - 1.
        (NTKAware(5.0), {"rope_type": "dynamic", "factor": 2.0}),
        (YaRN(4.0, 64), YARN),
        (YaRN(4.0, 64, truncate=False), YARN | {"truncate": False}),
        (YaRN(4.0, 64, beta_fast=8.0, beta_slow=2.0), YARN | {"beta_fast": 8.0, "beta_slow": 2.0}),
        (YaRN(4.0, 64, attention_factor=1.7), YARN | {"attention_factor": 1.7}),
        (YaRN(1.0, 64), YARN | {"factor": 1.0}),
        (Llama3Scaling(original_max_seq_len=128), LLAMA3),
        (
            Llama3Scaling(32.0, 1.0, 4.0, 8192),
            LLAMA3 | {"factor": 32.0} | {"original_max_position_embeddings": 8192},
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, RotaryScaling) else "",
)
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
def test_frequencies_are_hugging_faces(ours: RotaryScaling, theirs: dict, base: float) -> None:
    config = LlamaConfig(
        hidden_size=128,
        num_attention_heads=2,
        max_position_embeddings=64,
        rope_parameters=theirs | {"rope_theta": base},
    )
    compute = ROPE_INIT_FUNCTIONS[theirs["rope_type"]]
    expected, magnitude = compute(config, None, seq_len=3 * 64)
    torch.testing.assert_close(ours.frequencies(64, base), expected, atol=0, rtol=2e-6)
    assert ours.magnitude == pytest.approx(magnitude)


def test_interpolation_reads_far_positions_as_near_ones() -> None:
    x = torch.randn(1, 1, 2, D_HEAD)
    stretched = turn(x, [[4, 40]], scaling=Interpolation(4.0))
    torch.testing.assert_close(stretched, turn(x, [[1, 10]]))


@pytest.mark.parametrize("factor", [1.0, 2.0, 8.0])
def test_ntk_keeps_the_fastest_pair_and_interpolates_the_slowest(factor: float) -> None:
    plain, scaled = inverse_frequencies(64, 1e4), NTKAware(factor).frequencies(64, 1e4)
    ratio = plain / scaled
    assert ratio[0].item() == pytest.approx(1.0)
    assert ratio[-1].item() == pytest.approx(factor, rel=1e-5)
    assert NTKAware(factor).frequencies(2, 1e4).tolist() == [1.0]


def test_yarn_and_llama3_keep_fast_pairs_and_divide_slow_ones() -> None:
    plain = inverse_frequencies(128, 1e4)
    for scaling in (YaRN(8.0, 4096), Llama3Scaling(8.0, original_max_seq_len=4096)):
        ratio = plain / scaling.frequencies(128, 1e4)
        assert ratio[0].item() == pytest.approx(1.0)
        assert ratio[-1].item() == pytest.approx(8.0, rel=1e-5)
        assert bool((ratio.diff() >= -1e-4).all())


@pytest.mark.parametrize("given_factor", [None, 1.0, 1.3])
def test_yarns_attention_factor_is_applied_once_to_queries_and_once_to_keys(
    given_factor: float | None,
) -> None:
    scaling = YaRN(4.0, 64, attention_factor=given_factor)
    expected = 0.1 * math.log(4.0) + 1.0 if given_factor is None else given_factor
    assert scaling.magnitude == pytest.approx(expected)
    x = torch.randn(1, 1, 2, D_HEAD)
    turned = turn(x, [[3, 8]], scaling=scaling)
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1) * expected)
    # The scores, which see it through both.
    unsharpened = turn(x, [[3, 8]], scaling=dataclasses.replace(scaling, attention_factor=1.0))
    scores, plain = turned @ turned.mT, unsharpened @ unsharpened.mT
    torch.testing.assert_close(scores, plain * expected**2)


def test_scalings_that_make_no_sense_are_errors() -> None:
    for kind in (Interpolation, NTKAware, Llama3Scaling):
        with pytest.raises(ValueError, match=r"at least 1, got 0\.5"):
            kind(factor=0.5)
    with pytest.raises(ValueError, match=r"at least 1, got 0\.5"):
        YaRN(0.5, 64)
    with pytest.raises(ValueError, match=r"beta_fast=1\.0 .* beta_slow=2\.0"):
        YaRN(2.0, 64, beta_fast=1.0, beta_slow=2.0)
    with pytest.raises(ValueError, match=r"low_freq_factor=4\.0 must be below"):
        Llama3Scaling(low_freq_factor=4.0)
