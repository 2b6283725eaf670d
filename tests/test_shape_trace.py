"""The trace's rows are the shapes that really occur, for our models and for other people's."""

import pytest
import torch
from torch import Tensor, nn
from transformers import GPT2Config, GPT2LMHeadModel

from companion.accounting import on_meta
from companion.capture import Capture
from companion.config import AttentionSpec, NormSpec, TransformerConfig, tiny_translator
from companion.gpt import GPT
from companion.presets import gpt2, llama_3_1_8b, tiny_gpt, transformer_base
from companion.shape_trace import ShapeTrace, shape_trace
from companion.transformer import Transformer


def ids(*shape: int) -> Tensor:
    return torch.zeros(shape, dtype=torch.long)


def rows(trace: ShapeTrace) -> list[tuple[str, tuple[int, ...]]]:
    return [(stage.name, stage.shape) for stage in trace.stages]


def test_the_notes_table_of_gpt2_small_with_the_rows_that_they_forget() -> None:
    wide, heads = (1, 1024, 768), (1, 12, 1024, 64)
    assert rows(shape_trace(on_meta(GPT, gpt2()), ids(1, 1024))) == [
        ("token ids", (1, 1024)),
        ("token embedding", wide),
        ("+ positions", wide),
        ("LayerNorm", wide),
        ("queries", wide),
        ("keys, values, each", wide),
        ("queries, 12 heads", heads),
        ("keys, values, 12 heads", heads),
        ("weights", (1, 12, 1024, 1024)),
        ("attention output", wide),
        ("residual sum", wide),
        ("LayerNorm", wide),
        ("feed-forward, inside", (1, 1024, 3072)),
        ("feed-forward output", wide),
        ("residual sum", wide),
        ("11 more layers", wide),
        ("LayerNorm", wide),  # the notes' trace ends before this one
        ("logits", (1, 1024, 50_257)),
    ]


def test_grouped_heads_and_rotary_positions() -> None:
    trace = shape_trace(on_meta(GPT, llama_3_1_8b()), ids(2, 10))
    named = {stage.name: stage for stage in trace.stages}
    assert "+ positions" not in named  # nothing is added, queries and keys are turned
    assert named["queries, 32 heads"].shape == (2, 32, 10, 128)
    assert "turned by their positions" in named["queries, 32 heads"].what
    assert named["keys, values, 8 heads"].shape == (2, 8, 10, 128)
    assert "each serves 4 heads" in named["keys, values, 8 heads"].what
    assert named["keys, values, each"].shape == (2, 10, 1024)
    assert named["feed-forward, inside"].what == "4096 → 14336, silu times a gate"
    # An output matrix of its own is one row, not two.
    assert [stage.name for stage in trace.stages[-2:]] == ["RMSNorm", "logits"]


def test_post_norm_adds_before_it_normalises() -> None:
    trace = shape_trace(on_meta(Transformer, transformer_base()), ids(2, 7), ids(2, 5))
    decoder = [s.name for s in trace.stages if s.where.startswith("decoder")]
    attention = ["queries", "keys, values, each", "queries, 8 heads", "keys, values, 8 heads"]
    attention += ["weights", "attention output", "residual sum", "LayerNorm"]
    feed_forward = ["feed-forward, inside", "feed-forward output", "residual sum", "LayerNorm"]
    assert decoder == [
        "token embedding",
        "+ positions",
        *attention,
        *attention,
        *feed_forward,
        "5 more layers",
    ]
    assert trace.stages[-1].name == "logits"


def test_cross_attention_has_source_keys_for_target_queries() -> None:
    trace = shape_trace(on_meta(Transformer, transformer_base()), ids(2, 7), ids(2, 5))
    cross = {s.name: s for s in trace.stages if s.where.endswith("cross_attention")}
    assert cross["weights"].shape == (2, 8, 5, 7)
    assert cross["keys, values, 8 heads"].shape == (2, 8, 7, 64)
    assert "the encoder's output" in cross["keys, values, each"].what
    own = {s.name: s for s in trace.stages if s.where == "decoder.layers.0.self_attention"}
    assert "the stream" in own["keys, values, each"].what


@pytest.mark.parametrize("position", ["pre", "post"])
def test_shapes_are_those_of_a_real_forward(position: str) -> None:
    changes = {"norm": NormSpec(position=position), "attention": AttentionSpec(n_heads=2)}
    model = Transformer(tiny_translator(20, d_model=10, **changes)).eval()
    capture = Capture()
    logits = model(ids(2, 7) + 3, ids(2, 5) + 3, capture=capture)
    trace = shape_trace(model, ids(2, 7), ids(2, 5))
    for attention in ("encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.cross"):
        weights = [s for s in trace.stages if s.where == f"{attention}_attention"][4]
        assert weights.name == "weights"
        assert weights.shape == tuple(capture[f"{attention}_attention.weights"].shape)
    assert trace.stages[-1].shape == tuple(logits.shape)


def test_models_of_other_libraries() -> None:
    config = GPT2Config(
        n_embd=32, n_head=4, n_layer=3, vocab_size=100, bos_token_id=0, eos_token_id=0
    )
    trace = rows(shape_trace(GPT2LMHeadModel(config), ids(2, 7)))
    assert trace[1] == ("wte embedding", (2, 7, 32))
    assert ("c_attn (Conv1D)", (2, 7, 96)) in trace
    assert ("2 more layers", (2, 7, 32)) in trace
    assert trace[-1] == ("logits", (2, 7, 100))
    torchs = nn.Transformer(16, 2, 2, 2, 32, batch_first=True)
    trace = rows(shape_trace(torchs, torch.zeros(2, 7, 16), torch.zeros(2, 5, 16)))
    assert [name for name, _ in trace].count("attention output") == 1 + 2
    assert trace[-1] == ("LayerNorm", (2, 5, 16))
    assert rows(shape_trace(nn.Flatten(), torch.zeros(2, 3, 4))) == [
        ("input", (2, 3, 4)),
        ("Flatten", (2, 12)),
    ]


def test_layers_that_differ_are_all_shown() -> None:
    layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4, bias=False), nn.Linear(4, 4)])

    class Chain(nn.Module):
        def __init__(self, layers: nn.ModuleList) -> None:
            super().__init__()
            self.layers = layers

        def forward(self, x: Tensor) -> Tensor:
            for layer in self.layers:
                x = layer(x)
            return x + 1

    assert [n for n, _ in rows(shape_trace(Chain(layers), torch.zeros(1, 4)))] == [
        "input",
        "0",
        "2 more layers",
        "output",
    ]
    layers[2] = nn.Linear(4, 4).double().float().requires_grad_(False)
    layers[1] = nn.Sequential(nn.Linear(4, 4))
    assert [n for n, _ in rows(shape_trace(Chain(layers), torch.zeros(1, 4)))] == [
        "input",
        "0",
        "0",
        "2",
        "output",
    ]


def test_the_model_is_left_as_it_was() -> None:
    model = GPT(tiny_gpt(50)).train()
    model.layers[1].eval()
    first = shape_trace(model, ids(1, 4))
    assert model.training
    assert not model.layers[1].training
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())
    assert shape_trace(model, ids(1, 4)) == first
    with pytest.raises(Exception, match="positions end at 256"):
        shape_trace(model, ids(1, 300))
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())


def test_it_prints_as_an_aligned_table_and_as_markdown() -> None:
    config = TransformerConfig.from_dict(tiny_translator(20).to_dict())
    trace = shape_trace(on_meta(Transformer, config), ids(1, 3), ids(1, 2))
    lines = str(trace).splitlines()
    assert len(lines) == len(trace.stages) + 1
    column = lines[0].index("shape")
    assert all(line[column] == "(" and line[column - 1] == " " for line in lines[1:])
    assert any(line.startswith("decoder: + positions ") for line in lines)
    assert lines[-1].startswith("logits ")
    markdown = trace.to_markdown().splitlines()
    assert markdown[:2] == ["| stage | shape | what happens |", "| --- | --- | --- |"]
    assert markdown[2] == "| token ids | `(1, 3)` | what the model is given |"
    assert trace._repr_markdown_() == trace.to_markdown()
    alone = str(shape_trace(on_meta(GPT, tiny_gpt(50)), ids(1, 3)))
    assert "layers: " not in alone
