"""BERT's own parts: token types, pooler, heads; the layers are tested where they live."""

from typing import Any

import pytest
import torch

from companion.accounting import on_meta, parameter_count
from companion.bert import (
    Bert,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
    mean_pool,
)
from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec
from companion.explanation import explain
from companion.objectives import IGNORED, label_smoothed_cross_entropy, mask_tokens
from companion.positions import Learned, SequenceTooLongError
from companion.presets import bert_base, tiny_bert
from companion.shape_trace import shape_trace

TOKENS = torch.tensor([[1, 7, 8, 9, 2], [1, 5, 2, 0, 0]])
HEADS = [
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
]


def config(**changes: Any) -> BertConfig:
    values: dict[str, Any] = {
        "vocab_size": 19,
        "d_model": 12,
        "n_layers": 2,
        "attention": AttentionSpec(n_heads=3),
        "feed_forward": FeedForwardSpec(d_ff=20, activation="gelu"),
        "position": Learned(8),
        "n_labels": 5,
        "dropout": 0.0,
    }
    return BertConfig(**(values | changes))


def build(kind: Any = Bert, **changes: Any) -> Any:
    model = kind(config(**changes)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def test_the_two_counts_that_are_quoted_for_bert_base() -> None:
    assert parameter_count(on_meta(Bert, bert_base())) == 109_482_240
    assert parameter_count(on_meta(BertForPreTraining, bert_base())) == 110_106_428


def test_every_position_sees_both_sides() -> None:
    model = build()
    changed = TOKENS.clone()
    changed[0, 3] = 10
    difference = (model(TOKENS) - model(changed)).abs().amax(-1)
    assert (difference[0] > 1e-6).all()
    assert (difference[1] == 0).all()


def test_token_types_are_told_apart_and_are_zero_by_default() -> None:
    model = build()
    zeros = torch.zeros_like(TOKENS)
    assert torch.equal(model(TOKENS), model(TOKENS, token_types=zeros))
    types = zeros.clone()
    types[:, 2:] = 1
    assert not torch.allclose(model(TOKENS), model(TOKENS, token_types=types))
    # Added before the norm, to the sum of token and position.
    capture = Capture()
    model(TOKENS, token_types=types, capture=capture)
    embedding = model.embedding
    summed = embedding.tokens(TOKENS) + model.token_types(types)
    summed = summed + embedding.positions.table.weight[:5].where(
        torch.ones(2, 5, 1, dtype=torch.bool), 0
    )
    torch.testing.assert_close(capture["embedding"][0], embedding.norm(summed)[0])


def test_padding_on_either_side_changes_nothing() -> None:
    model = build(BertForSequenceClassification)
    alone = model(torch.tensor([[1, 5, 2]]))
    for padded in ([1, 5, 2, 0, 0], [0, 0, 1, 5, 2]):
        torch.testing.assert_close(model(torch.tensor([padded])), alone, rtol=0, atol=1e-12)
    marked = torch.tensor([[9, 9, 1, 5, 2]])
    valid = torch.tensor([[False, False, True, True, True]])
    torch.testing.assert_close(model(marked, valid=valid), alone, rtol=0, atol=1e-12)


def test_the_pooler_reads_the_first_real_token() -> None:
    model = build()
    hidden = torch.randn(2, 4, 12, dtype=torch.float64)
    valid = torch.tensor([[True] * 4, [False, False, True, True]])
    first = torch.stack([hidden[0, 0], hidden[1, 2]])
    expected = torch.tanh(first @ model.pooler.weight.T + model.pooler.bias)
    torch.testing.assert_close(model.pool(hidden, valid), expected)
    torch.testing.assert_close(model.pool(hidden[:1]), expected[:1])
    with pytest.raises(ValueError, match="no pooler: build it with pooler=True"):
        build(pooler=False).pool(hidden)


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        (BertForMaskedLM, (2, 5, 19)),
        (BertForSequenceClassification, (2, 5)),
        (BertForTokenClassification, (2, 5, 5)),
    ],
)
def test_shapes_of_the_answers(kind: Any, shape: tuple[int, ...]) -> None:
    capture = Capture()
    assert build(kind)(TOKENS, capture=capture).shape == shape
    assert capture["bert.layers.1.self_attention.weights"].shape == (2, 3, 5, 5)


def test_pretraining_gives_both_answers() -> None:
    answers = build(BertForPreTraining)(TOKENS)
    assert answers.masked.shape == (2, 5, 19)
    assert answers.next_sentence.shape == (2, 2)


def test_the_masked_head_reads_the_token_table_backward() -> None:
    model = build(BertForMaskedLM)
    hidden = model.bert(TOKENS)
    head = model.masked
    inner = head.norm(torch.nn.functional.gelu(head.dense(hidden)))
    expected = inner @ model.bert.embedding.tokens.weight.T + head.bias
    torch.testing.assert_close(model(TOKENS), expected)
    assert parameter_count(model) == parameter_count(model.bert) + 12 * 12 + 12 + 2 * 12 + 19


def test_it_learns_to_restore_masked_tokens() -> None:
    torch.manual_seed(0)
    model = BertForMaskedLM(tiny_bert(24, d_model=32, dropout=0.0)).train()
    generator = torch.Generator().manual_seed(1)
    # One token a sentence, over and over: its neighbours say what was masked.
    sentences = torch.randint(4, 24, (64, 1), generator=generator).expand(-1, 10)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    def loss() -> torch.Tensor:
        inputs, labels = mask_tokens(
            sentences, mask_id=3, vocab_size=24, special_ids=range(4), generator=generator
        )
        return label_smoothed_cross_entropy(model(inputs), labels, ignore_index=IGNORED)

    before = loss().item()
    for _ in range(100):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    assert loss().item() < 0.5 < before


@pytest.mark.parametrize("kind", HEADS)
def test_gradients_reach_every_parameter(kind: Any) -> None:
    model = build(kind)
    answers = model(TOKENS)
    tensors = answers if isinstance(answers, tuple) else (answers,)
    # Squared: a norm's outputs sum to the same whatever goes in.
    sum((t**2).sum() for t in tensors).backward()
    silent = [n for n, p in model.named_parameters() if p.grad is None or (p.grad == 0).all()]
    unused = [] if kind in (BertForPreTraining, BertForSequenceClassification) else ["bert.pooler"]
    assert [n for n in silent if not any(n.startswith(u) for u in unused)] == []


@pytest.mark.parametrize("kind", HEADS)
def test_evaluation_is_deterministic_and_training_is_not(kind: Any) -> None:
    model = kind(config(dropout=0.3))
    model.eval()

    def answer() -> torch.Tensor:
        out = model(TOKENS)
        return out[0] if isinstance(out, tuple) else out

    assert torch.equal(answer(), answer())
    model.train()
    assert not torch.equal(answer(), answer())
    if hasattr(model, "classifier"):  # a task's head has a dropout of its own
        model.bert.eval()
        assert not torch.equal(answer(), answer())


def test_berts_initialisation() -> None:
    model = Bert(tiny_bert(500))
    weight = model.layers[1].feed_forward.up_proj.weight
    assert weight.std().item() == pytest.approx(0.0176, abs=0.001)  # 0.02, cut at two deviations
    assert weight.abs().max() <= 0.04
    assert model.token_types.weight.std().item() == pytest.approx(0.0176, abs=0.004)
    assert (model.pooler.bias == 0).all()


def test_it_is_explained_and_traced() -> None:
    lines = {line.name for line in explain(build(BertForMaskedLM), TOKENS).lines}
    assert {"bert.embedding", "bert.layers.0.self_attention.weights", "logits"} <= lines
    trace = shape_trace(on_meta(BertForMaskedLM, config()), TOKENS)
    names = [stage.name for stage in trace.stages]
    assert "token_types embedding" in names
    assert (names[-1], trace.stages[-1].shape) == ("logits", (2, 5, 19))
    assert "bert: queries" not in str(trace)
    both = shape_trace(on_meta(BertForPreTraining, config()), TOKENS).stages
    assert [(stage.name, stage.shape) for stage in both[-2:]] == [
        ("next_sentence", (2, 2)),
        ("logits", (2, 5, 19)),
    ]


def test_the_configuration_goes_through_json() -> None:
    original = config(pad_id=3, n_token_types=1, position=Learned(16, offset=2))
    assert BertConfig.from_dict(original.to_dict()) == original
    assert original.max_seq_len == 16


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pad_id": 19}, "pad_id=19 is no token of a vocabulary of 19"),
        ({"n_labels": 0}, "n_labels must be at least 1, got 0"),
        ({"n_token_types": 0}, "n_token_types must be at least 1, got 0"),
        ({"n_layers": 0}, "n_layers"),
        ({"attention": AttentionSpec(n_heads=5)}, "d_model=12 cannot be split into n_heads=5"),
    ],
)
def test_bad_settings_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config(**changes)


def test_a_text_that_is_too_long_is_named() -> None:
    with pytest.raises(SequenceTooLongError, match="9 tokens, but this model's positions end at 8"):
        build()(torch.ones(1, 9, dtype=torch.long))


def test_mean_pooling_of_rows() -> None:
    hidden = torch.arange(24.0).view(2, 3, 4)
    valid = torch.tensor([[True, True, False], [False, False, False]])
    assert mean_pool(hidden, valid).tolist() == [[2.0, 3.0, 4.0, 5.0], [0.0] * 4]
