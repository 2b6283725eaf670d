"""``explain`` says what a forward pass held, and points at what is out of the ordinary."""

import math

import pytest
import torch

from companion.capture import Capture
from companion.explanation import Explanation, Line, explain
from companion.gpt import GPT
from companion.presets import tiny_gpt
from companion.transformer import Transformer

SOURCE, TARGET = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0]]), torch.tensor([[1, 4, 5], [1, 4, 0]])


def by_name(explanation: Explanation) -> dict[str, Line]:
    return {line.name: line for line in explanation.lines}


def test_every_captured_tensor_has_a_line_and_the_logits_come_last(tiny_model: Transformer) -> None:
    capture = Capture()
    logits = tiny_model(SOURCE, TARGET, capture=capture)
    lines = explain(tiny_model, SOURCE, TARGET).lines
    assert [(line.name, line.shape) for line in lines[:-1]] == [
        (name, tuple(tensor.shape)) for name, tensor in capture.items()
    ]
    assert (lines[-1].name, lines[-1].shape) == ("logits", tuple(logits.shape))


def test_norms_and_entropies_are_those_of_the_real_tokens(tiny_model: Transformer) -> None:
    capture = Capture()
    tiny_model(SOURCE, TARGET, capture=capture)
    lines = by_name(explain(tiny_model, SOURCE, TARGET))
    hidden = capture["encoder.layers.1.output"]
    lengths = [hidden[0, i].norm() for i in range(4)] + [hidden[1, i].norm() for i in range(2)]
    assert lines["encoder.layers.1.output"].norm == pytest.approx(float(sum(lengths) / 6))
    weights = capture["decoder.layers.0.cross_attention.weights"]
    entropies = [
        -sum(p * math.log(p) for p in weights[b, 1, q].tolist() if p > 0)
        for b, q in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
    ]
    entropy = lines["decoder.layers.0.cross_attention.weights"].entropy
    assert len(entropy) == 3
    assert entropy[1] == pytest.approx(sum(entropies) / 5)


def test_padding_changes_nothing() -> None:
    model = GPT(tiny_gpt(50)).double()
    tokens = torch.tensor([[5, 6, 7]])
    padded = torch.tensor([[9, 9, 5, 6, 7]])
    valid = torch.tensor([[False, False, True, True, True]])
    plain, beside = explain(model, tokens), explain(model, padded, valid=valid)
    for a, b in zip(plain.lines, beside.lines, strict=True):
        assert a.name == b.name
        assert a.norm == pytest.approx(b.norm)
        assert a.entropy == pytest.approx(b.entropy)


def test_the_first_place_that_is_not_finite_is_pointed_at(tiny_model: Transformer) -> None:
    with torch.no_grad():
        tiny_model.encoder.layers[1].feed_forward.down_proj.bias[0] = float("nan")
    remarks = {n: line.remark for n, line in by_name(explain(tiny_model, SOURCE, TARGET)).items()}
    assert remarks["encoder.layers.0.output"] == ""
    assert remarks["encoder.layers.1.output"] == "not finite: first seen here"
    assert remarks["decoder.layers.0.cross_attention.weights"] == "not finite"


def test_stuck_heads_and_jumping_norms_are_remarked_on() -> None:
    model = GPT(tiny_gpt(50))
    assert not any(line.remark for line in explain(model, SOURCE[:1]).lines)
    with torch.no_grad():
        attention = model.layers[0].self_attention
        attention.q_proj.weight[32:64] *= 1e5  # the second of four heads
        model.layers[1].feed_forward.down_proj.bias += 1000
    lines = by_name(explain(model, SOURCE[:1]))
    assert lines["layers.0.self_attention.weights"].remark == "stuck on one key: head 1"
    assert lines["layers.1.output"].remark.startswith("norm × ")
    assert lines["output"].remark == ""


def test_the_model_is_left_as_it_was(tiny_model: Transformer) -> None:
    tiny_model.train()
    tiny_model.decoder.eval()
    explain(tiny_model, SOURCE, TARGET)
    assert tiny_model.training
    assert tiny_model.encoder.training
    assert not tiny_model.decoder.training


def test_it_prints_as_a_table(tiny_model: Transformer) -> None:
    explanation = explain(tiny_model, SOURCE, TARGET)
    text = str(explanation).splitlines()
    assert text[0].split()[:3] == ["tensor", "shape", "norm"]
    row = next(line for line in text if "layers.0.cross_attention" in line)
    lines = by_name(explanation)["decoder.layers.0.cross_attention.weights"]
    keys = " ".join(f"{math.exp(e):.1f}" for e in lines.entropy)
    assert row.endswith(f"(2, 3, 3, 4)         {keys} of 4")
    assert explanation.to_markdown().splitlines()[1] == "| --- | --- | --- | --- | --- |"
    assert explanation._repr_markdown_() == explanation.to_markdown()
