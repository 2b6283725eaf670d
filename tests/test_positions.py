"""Sinusoids and learned positions have the values they should, for each row, and survive JSON."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig
from companion.positions import (
    Learned,
    LearnedPositions,
    NoPositions,
    PositionSpec,
    SequenceTooLongError,
    Sinusoidal,
    sinusoidal_encoding,
)
from companion.relative_positions import ALiBi, T5Buckets
from companion.rotary import Rotary
from companion.rotary_scaling import Interpolation, Llama3Scaling, NTKAware, YaRN
from companion.transformer import Transformer

SPECS = [
    NoPositions(),
    NoPositions(max_seq_len=9),
    Sinusoidal(),
    Sinusoidal(max_seq_len=9, base=100.0),
    Learned(9),
    ALiBi(max_seq_len=9),
    T5Buckets(n_buckets=8, max_distance=20, bidirectional=False),
    Rotary(),
    Rotary(max_seq_len=9, base=500.0, layout="interleaved", fraction=0.5),
    Rotary(scaling=Interpolation(4.0)),
    Rotary(scaling=NTKAware(4.0)),
    Rotary(scaling=YaRN(4.0, 64, attention_factor=1.5, truncate=False)),
    Rotary(scaling=Llama3Scaling()),
]


def test_sinusoids_are_the_papers_formula() -> None:
    positions = torch.tensor([[0, 1, 2, 3, 50, 999]])
    found = sinusoidal_encoding(positions, 10)
    for column, position in enumerate(positions[0].tolist()):
        for i in range(5):
            angle = position / 10_000 ** (2 * i / 10)
            assert found[0, column, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-4)
            assert found[0, column, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-4)


def test_the_table_of_eight_dimensions() -> None:
    """Columns 2 and 3 turn by 0.1 a position: .0998 and .9950, not .01 and 1.00."""
    table = sinusoidal_encoding(torch.arange(4), 8)
    expected = torch.tensor([[0.0, 1.0], [0.0998, 0.9950], [0.1987, 0.9801], [0.2955, 0.9553]])
    torch.testing.assert_close(table[:, 2:4], expected, atol=5e-5, rtol=0)


@pytest.mark.parametrize("d_model", [1, 3, 7])
def test_an_odd_width_ends_on_a_sine(d_model: int) -> None:
    found = sinusoidal_encoding(torch.tensor([5]), d_model)
    assert found.shape == (1, d_model)
    assert found[0, -1].item() == pytest.approx(math.sin(5 / 10_000 ** ((d_model - 1) / d_model)))


def test_no_width_is_an_error() -> None:
    with pytest.raises(ValueError, match="d_model must be at least 1, got 0"):
        sinusoidal_encoding(torch.tensor([5]), 0)


@given(position=st.integers(0, 200), shift=st.integers(0, 100))
def test_a_shift_is_the_same_rotation_everywhere(position: int, shift: int) -> None:
    """What Vaswani et al. hoped for: PE(p + k) is a linear function of PE(p)."""
    start, end = sinusoidal_encoding(torch.tensor([position, position + shift]), 6).unflatten(
        -1, (3, 2)
    )
    angle = shift / 10_000 ** (torch.arange(0, 6, 2) / 6)
    sine = start[:, 0] * angle.cos() + start[:, 1] * angle.sin()
    torch.testing.assert_close(end[:, 0], sine, atol=1e-4, rtol=0)


def test_half_precision_gets_sinusoids_computed_wide() -> None:
    """Bfloat16 cannot tell position 256 from 257: the angles must not be computed in it."""
    scheme = Sinusoidal().build(16, 2, 8).bfloat16()
    embedded = scheme.embed(torch.zeros(1, 2, 16, dtype=torch.bfloat16), torch.tensor([[256, 257]]))
    assert embedded.dtype == torch.bfloat16
    exact = sinusoidal_encoding(torch.tensor([[256, 257]]), 16)
    torch.testing.assert_close(embedded.float(), exact, atol=4e-3, rtol=0)
    assert (embedded[0, 0, 0] - embedded[0, 1, 0]).abs() > 0.1


@pytest.mark.parametrize("spec", [Sinusoidal(), Learned(10)], ids=lambda s: s.kind)
def test_each_row_has_its_own_positions(spec: PositionSpec) -> None:
    scheme = spec.build(6, 2, 3)
    x = torch.randn(2, 3, 6)
    rows = torch.tensor([[0, 1, 2], [4, 4, 9]])
    together = scheme.embed(x, rows)
    for row in range(2):
        for column in range(3):
            alone = scheme.embed(x[row, column][None, None], rows[row, column][None, None])
            torch.testing.assert_close(together[row, column], alone[0, 0])


def test_learned_positions_are_the_rows_of_a_table() -> None:
    scheme = Learned(7).build(4, 2, 2)
    assert isinstance(scheme, LearnedPositions)
    assert isinstance(scheme.table, nn.Embedding)
    added = scheme.embed(torch.zeros(1, 3, 4), torch.tensor([[6, 0, 2]]))
    torch.testing.assert_close(added[0], scheme.table.weight[[6, 0, 2]])


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_a_limit_is_an_error_that_names_it(spec: PositionSpec) -> None:
    scheme = spec.build(16, 2, 8)
    scheme.check_length(9)
    if spec.max_seq_len is None:
        scheme.check_length(10**9)
    else:
        with pytest.raises(SequenceTooLongError, match=r"has 10 tokens, .* end at 9 "):
            scheme.check_length(10)


def test_the_hooks_of_no_positions_are_idle() -> None:
    scheme = NoPositions().build(6, 2, 3)
    x, positions = torch.randn(1, 2, 6), torch.tensor([[0, 1]])
    assert scheme.embed(x, positions) is x
    assert scheme.rotation(positions) is None
    assert scheme.bias(positions, positions) is None


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_json_gives_the_same_scheme_back(spec: PositionSpec) -> None:
    values = spec.to_dict()
    assert PositionSpec.from_dict(values) == spec
    assert values["kind"] == spec.kind  # from_dict leaves its argument alone


def test_unknown_kinds_and_keys_are_named() -> None:
    with pytest.raises(ValueError, match=r"unknown position scheme 'fourier'; known: .*rotary"):
        PositionSpec.from_dict({"kind": "fourier"})
    with pytest.raises(ValueError, match="Learned has no max_len; it has max_seq_len"):
        PositionSpec.from_dict({"kind": "learned", "max_len": 3})
    with pytest.raises(ValueError, match=r"unknown rotary scaling None; known: interpolation"):
        PositionSpec.from_dict({"kind": "rotary", "scaling": {"factor": 2.0}})
    with pytest.raises(ValueError, match="max_seq_len must be at least 1, got 0"):
        Sinusoidal(max_seq_len=0)


# --- in an encoder-decoder --------------------------------------------------------------------


def translator(spec: PositionSpec) -> Transformer:
    config = TransformerConfig(
        source_vocab_size=19,
        target_vocab_size=19,
        d_model=16,
        n_encoder_layers=2,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=4),
        feed_forward=FeedForwardSpec(d_ff=20),
        position=spec,
        dropout=0.0,
    )
    return Transformer(config).double().eval()


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_padding_on_either_side_of_source_and_target_changes_nothing(spec: PositionSpec) -> None:
    model = translator(spec)
    source, target = torch.randint(1, 19, (1, 4)), torch.randint(1, 19, (1, 3))
    alone = model(source, target)
    for left_source, left_target in itertools.product((True, False), repeat=2):
        padded_source = F.pad(source, (2, 0) if left_source else (0, 2))
        padded_target = F.pad(target, (1, 0) if left_target else (0, 1))
        columns = slice(1, 4) if left_target else slice(0, 3)
        found = model(padded_source, padded_target)[:, columns]
        torch.testing.assert_close(found, alone, atol=1e-6, rtol=0)


@pytest.mark.parametrize("chunks", [[1] * 6, [2, 3, 1]])
@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_decoding_with_a_cache_is_decoding_without(spec: PositionSpec, chunks: list[int]) -> None:
    model = translator(spec)
    source, target = torch.randint(1, 19, (2, 5)), torch.randint(1, 19, (2, 6))
    source[1, :2] = target[0, :1] = target[1, 4:] = 0  # padding on both sides
    memory, cache = model.encode(source), model.new_cache(2, 6)
    parts = [model.decode(part, memory, cache=cache) for part in target.split(chunks, dim=1)]
    real = target != 0
    expected = model.decode(target, memory)
    torch.testing.assert_close(torch.cat(parts, dim=1)[real], expected[real], atol=1e-6, rtol=0)


@pytest.mark.parametrize("spec", SPECS[2:], ids=repr)
def test_the_order_of_the_source_matters_with_every_scheme(spec: PositionSpec) -> None:
    model = translator(spec)
    source, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[1]])
    difference = model(source, target) - model(source[:, [2, 0, 3, 1]], target)
    assert difference.abs().max() > 1e-5


def test_both_layouts_of_the_sinusoids_hold_the_same_columns() -> None:
    positions = torch.arange(7)
    for d_model in (8, 9):
        paired = sinusoidal_encoding(positions, d_model)
        halves = sinusoidal_encoding(positions, d_model, layout="half")
        torch.testing.assert_close(
            halves, torch.cat([paired[:, 0::2], paired[:, 1::2]], dim=1), rtol=0, atol=0
        )


def test_an_offset_leaves_the_first_rows_of_the_table_unread() -> None:
    scheme = Learned(4, offset=2).build(8, 2, 4)
    assert scheme.table.weight.shape == (6, 8)
    positions = torch.tensor([[0, 3]])
    added = scheme.embed(torch.zeros(1, 2, 8), positions)
    assert torch.equal(added[0], scheme.table.weight[[2, 5]])


@pytest.mark.usefixtures("as_a_user")
def test_unknown_layouts_and_negative_offsets_are_named() -> None:
    with pytest.raises(ValueError, match="layout must be one of 'interleaved', 'half', got 'odd'"):
        Sinusoidal(layout="odd")
    with pytest.raises(ValueError, match="offset counts rows of a table, it cannot be -1"):
        Learned(4, offset=-1)
