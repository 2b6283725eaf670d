"""Recurrent models compute what their papers say, and are driven like the Transformer."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from companion.accounting import forward_flops, on_meta, parameter_count
from companion.capture import Capture
from companion.generation import beam_search, greedy, stream
from companion.objectives import label_smoothed_cross_entropy, teacher_forcing_shift
from companion.recurrent import BidirectionalLayer, RecurrentConfig, RecurrentSeq2Seq
from companion.shape_trace import shape_trace

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [5, 6, 4, 0, 0]])
TARGET = torch.tensor([[1, 7, 3, 4], [1, 8, 0, 0]])
ALIGNMENTS = ["bahdanau", "luong", "none"]


def config(**changes: Any) -> RecurrentConfig:
    values = {"source_vocab_size": 11, "target_vocab_size": 11, "d_model": 6, "dropout": 0.0}
    return RecurrentConfig(**(values | changes))


def build(**changes: Any) -> RecurrentSeq2Seq:
    torch.manual_seed(0)
    model = RecurrentSeq2Seq(config(**changes)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


everything = pytest.mark.parametrize("alignment", ALIGNMENTS)
cells = pytest.mark.parametrize("cell", ["gru", "lstm"])


@cells
def test_the_encoder_is_torchs_bidirectional_layer_over_packed_rows(cell: str) -> None:
    layer = BidirectionalLayer(config(cell=cell)).double()
    kind = {"gru": nn.GRU, "lstm": nn.LSTM}[cell]
    theirs = kind(6, 3, batch_first=True, bidirectional=True).double()
    state = dict(layer.forward_rnn.state_dict())
    state |= {f"{name}_reverse": p for name, p in layer.backward_rnn.state_dict().items()}
    theirs.load_state_dict(state)
    x = torch.randn(3, 5, 6, dtype=torch.float64)
    lengths = torch.tensor([5, 2, 3])
    valid = torch.arange(5) < lengths[:, None]
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    y, last = theirs(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(y, batch_first=True)
    h = last[0] if cell == "lstm" else last
    ours, ours_last = layer(x, valid)
    torch.testing.assert_close(ours[valid], expected[valid], rtol=0, atol=1e-12)
    torch.testing.assert_close(ours_last, torch.cat([h[0], h[1]], -1), rtol=0, atol=1e-12)


@cells
@everything
def test_padding_on_either_side_changes_nothing(alignment: str, cell: str) -> None:
    model = build(alignment=alignment, cell=cell, n_layers=2)
    alone = model(torch.tensor([[5, 6, 4]]), TARGET[:1])
    for padded in ([5, 6, 4, 0, 0], [0, 0, 5, 6, 4], [0, 5, 6, 0, 4]):
        beside = model(torch.tensor([padded, [7, 7, 7, 7, 7]]), TARGET[:1].repeat(2, 1))
        torch.testing.assert_close(beside[:1], alone, rtol=0, atol=1e-12)


@cells
@everything
def test_step_by_step_equals_teacher_forcing(alignment: str, cell: str) -> None:
    model = build(alignment=alignment, cell=cell, n_layers=2)
    whole = model(SOURCE, TARGET)
    session = model.start(SOURCE, bos_id=1, max_new_tokens=4)
    for t in range(4):
        torch.testing.assert_close(
            session.step(TARGET[:, t : t + 1]), whole[:, t], rtol=0, atol=1e-12
        )


@everything
def test_the_past_does_not_see_the_future(alignment: str) -> None:
    model = build(alignment=alignment)
    changed = TARGET.clone()
    changed[:, 2] = 9
    before, after = model(SOURCE, TARGET), model(SOURCE, changed)
    assert torch.equal(before[:, :2], after[:, :2])
    assert not torch.equal(before[:, 2], after[:, 2])


def cell_step(rnn: nn.GRU, x: Tensor, h: Tensor) -> Tensor:
    """A GRU's step from its equations (torch's variant: the reset gate on the projected state)."""
    wi, wh = rnn.weight_ih_l0.chunk(3), rnn.weight_hh_l0.chunk(3)
    bi, bh = rnn.bias_ih_l0.chunk(3), rnn.bias_hh_l0.chunk(3)
    r = torch.sigmoid(wi[0] @ x + bi[0] + wh[0] @ h + bh[0])
    z = torch.sigmoid(wi[1] @ x + bi[1] + wh[1] @ h + bh[1])
    n = torch.tanh(wi[2] @ x + bi[2] + r * (wh[2] @ h + bh[2]))
    return (1 - z) * n + z * h


def mix(scores: list[Tensor], memory: Tensor) -> Tensor:
    weights = torch.stack(scores).softmax(0)
    return torch.einsum("s,sd->d", weights, memory)


@pytest.mark.parametrize("alignment", ["bahdanau", "luong"])
def test_every_decoder_step_is_the_papers_equations(alignment: str) -> None:
    model = build(alignment=alignment)
    source, target = torch.tensor([[5, 6, 4]]), torch.tensor([[1, 7]])
    memory = model.encode(source)
    m, h, decoder = memory.hidden[0], memory.state[0][0, 0], model.decoder
    logits = model(source, target)[0]
    for t, token in enumerate(target[0]):
        y = model.target.weight[token] * math.sqrt(6)
        if alignment == "bahdanau":
            score = decoder.scores
            c = mix([score.v.weight[0] @ torch.tanh(score.query(h) + score.key(k)) for k in m], m)
            h = cell_step(decoder.rnn, torch.cat([y, c]), h)
        else:
            h = cell_step(decoder.rnn, y, h)
            c = mix([h @ decoder.scores.key.weight @ k for k in m], m)
        out = torch.tanh(decoder.combine.weight @ torch.cat([c, h]) + decoder.combine.bias)
        torch.testing.assert_close(logits[t], model.target.weight @ out, rtol=0, atol=1e-12)


@pytest.mark.parametrize("alignment", ["bahdanau", "luong"])
def test_weights_are_captured_and_avoid_padding(alignment: str) -> None:
    capture = Capture()
    build(alignment=alignment)(SOURCE, TARGET, capture=capture)
    weights = capture["decoder.cross_attention.weights"]
    assert weights.shape == (2, 1, 4, 5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 1, 4).double())
    assert (weights[1, :, :, 3:] == 0).all()


def test_without_attention_nothing_is_captured_and_only_the_state_is_read() -> None:
    capture = Capture()
    model = build(alignment="none")
    model(SOURCE, TARGET, capture=capture)
    assert len(capture) == 0
    memory = model.encode(SOURCE)
    other = memory._replace(hidden=torch.randn_like(memory.hidden))
    assert torch.equal(
        model.decode(TARGET, memory.state, memory)[0], model.decode(TARGET, memory.state, other)[0]
    )


def test_a_source_of_nothing_but_padding_is_finite() -> None:
    model = build(alignment="bahdanau")
    logits = model(torch.zeros(1, 3, dtype=torch.long), TARGET[:1])
    logits.sum().backward()
    assert logits.isfinite().all()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


@cells
@everything
def test_searches_drive_it_unchanged(alignment: str, cell: str) -> None:
    model = build(alignment=alignment, cell=cell, n_layers=2)
    batch = greedy(model.start(SOURCE, bos_id=1, max_new_tokens=6), eos_id=2)
    for row in range(2):
        source = SOURCE[row : row + 1]
        alone = greedy(model.start(source, bos_id=1, max_new_tokens=6), eos_id=2)
        assert alone.sequences == batch.sequences[row : row + 1]
        one = beam_search(model.start(source, bos_id=1, max_new_tokens=6), eos_id=2, beam_size=1)
        assert one.sequences == alone.sequences
    wide = beam_search(
        model.start(SOURCE, bos_id=1, max_new_tokens=3), eos_id=2, beam_size=60, alpha=0.0
    )
    narrow = greedy(model.start(SOURCE, bos_id=1, max_new_tokens=3), eos_id=2)
    assert all(w >= n - 1e-9 for w, n in zip(wide.scores, narrow.scores, strict=True))
    steps = list(stream(model.start(SOURCE, bos_id=1, max_new_tokens=6), eos_id=2))
    assert not torch.cat([s.tokens for s in steps]).eq(1).any()


@everything
def test_it_learns_four_pairs_by_heart(alignment: str) -> None:
    torch.manual_seed(1)
    model = RecurrentSeq2Seq(config(alignment=alignment, d_model=32))
    source = torch.tensor([[5, 6, 7], [7, 6, 5], [5, 5, 0], [6, 0, 0]])
    target = torch.tensor([[8, 9, 10], [10, 9, 8], [9, 0, 0], [8, 8, 8]])
    fed, labels = teacher_forcing_shift(target, bos_id=1, eos_id=2, pad_id=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(80):
        optimizer.zero_grad()
        label_smoothed_cross_entropy(model(source, fed), labels, ignore_index=0).backward()
        optimizer.step()
    model.eval()
    found = greedy(model.start(source, bos_id=1, max_new_tokens=5), eos_id=2)
    assert found.sequences == [[8, 9, 10], [10, 9, 8], [9], [8, 8, 8]]
    assert all(found.finished)


def test_the_configuration_goes_through_json() -> None:
    original = config(cell="lstm", alignment="bahdanau", n_layers=2)
    assert RecurrentConfig.from_dict(original.to_dict()) == original
    assert original.max_seq_len is None


def test_tables_of_their_own_and_an_output_of_its_own() -> None:
    separate = build(target_vocab_size=13, share_embeddings=False, tie_output=False)
    assert separate(SOURCE, TARGET).shape == (2, 4, 13)
    assert parameter_count(separate) - parameter_count(build()) == 2 * 13 * 6


def test_it_is_counted_and_traced_without_numbers() -> None:
    model = on_meta(RecurrentSeq2Seq, config(n_layers=2))
    assert forward_flops(model, SOURCE, TARGET) > 0
    trace = shape_trace(model, SOURCE, TARGET)
    assert (trace.stages[-1].name, trace.stages[-1].shape) == ("logits", (2, 4, 11))


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 7}, "d_model=7 must be even"),
        ({"cell": "rnn"}, "cell must be one of 'gru', 'lstm', got 'rnn'"),
        ({"alignment": "dot"}, "alignment must be one of 'bahdanau', 'luong', 'none', got 'dot'"),
        ({"target_vocab_size": 12}, "share_embeddings needs one vocabulary"),
        ({"n_layers": 0}, "n_layers must be at least 1, got 0"),
        ({"dropout": 1.0}, "dropout"),
    ],
)
def test_bad_settings_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config(**changes)


def test_bahdanaus_query_is_the_top_layers_state() -> None:
    capture = Capture()
    model = build(alignment="bahdanau", n_layers=2)
    memory = model.encode(SOURCE[:1])
    model.decode(TARGET[:1, :1], memory.state, memory, capture=capture)
    scores = model.decoder.scores(memory.state[0][1][:, None], memory.hidden)
    weights = capture["decoder.cross_attention.weights"][:, 0]
    torch.testing.assert_close(weights, scores.softmax(-1), rtol=0, atol=1e-12)
