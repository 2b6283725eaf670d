import dataclasses
import json

import pytest
import torch

from companion.config import (
    AttentionSpec,
    FeedForwardSpec,
    NormSpec,
    StackSpec,
    TransformerConfig,
    tiny_translator,
    transformer_base,
    transformer_big,
)
from companion.positions import Learned, NoPositions, PositionSpec, Sinusoidal
from companion.transformer import Transformer


def count(config: TransformerConfig) -> int:
    with torch.device("meta"):
        return sum(p.numel() for p in Transformer(config).parameters())


def test_published_sizes() -> None:
    assert count(transformer_base()) == 63_082_496  # V = 37,000, three-way tied, with biases
    untied = dataclasses.replace(transformer_base(30_000), share_embeddings=False, tie_output=False)
    assert count(untied) == 90_218_496  # the notes' estimator prints 68.1 M for this one
    assert count(transformer_big()) == closed_form(37_000, d=1024, d_ff=4096)


def closed_form(vocab: int, *, d: int, d_ff: int, layers: int = 6) -> int:
    attention = 4 * (d * d + d)
    feed_forward = 2 * d * d_ff + d + d_ff
    norm = 2 * d
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    return vocab * d + layers * (encoder + decoder)


def test_one_layer_of_each_at_the_papers_size() -> None:
    with torch.device("meta"):
        model = Transformer(transformer_base())
    layers = model.encoder.layers[0], model.decoder.layers[0]
    counts = [sum(p.numel() for p in layer.parameters()) for layer in layers]
    assert counts == [3_152_384, 4_204_032]


def test_the_tiny_translator_is_about_a_million() -> None:
    assert 0.9e6 < count(tiny_translator(vocab_size=1000)) < 1.2e6
    assert tiny_translator(1000, d_model=64).d_model == 64


CONFIGS = [
    transformer_base(),
    tiny_translator(99, position=Learned(max_seq_len=40), norm=NormSpec(kind="rms", eps=1e-6)),
    tiny_translator(
        99,
        position=NoPositions(),
        attention=AttentionSpec(n_heads=4, n_kv_heads=2, d_head=8, dropout=0.1),
        feed_forward=FeedForwardSpec(d_ff=5, activation="silu", gated=True),
    ),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_json_round_trip(config: TransformerConfig) -> None:
    assert TransformerConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_specs_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        transformer_base().d_model = 3  # type: ignore[misc]


def test_the_length_limit_comes_from_the_positions() -> None:
    assert transformer_base().max_seq_len is None
    assert tiny_translator(9, position=Learned(max_seq_len=40)).max_seq_len == 40
    assert tiny_translator(9, position=Sinusoidal(max_seq_len=30)).max_seq_len == 30


BAD = [
    (lambda: AttentionSpec(n_heads=0), "n_heads must be at least 1, got 0"),
    (lambda: AttentionSpec(n_heads=6, n_kv_heads=4), "n_heads=6 .* n_kv_heads=4"),
    (lambda: AttentionSpec(n_heads=6, n_kv_heads=0), "n_kv_heads must be at least 1, got 0"),
    (lambda: AttentionSpec(n_heads=2, dropout=1.0), r"\[0, 1\), got 1.0"),
    (lambda: AttentionSpec.from_dict({"heads": 3}), "has no heads; it has n_heads"),
    (lambda: FeedForwardSpec(d_ff=0), "d_ff must be at least 1"),
    (lambda: FeedForwardSpec(d_ff=3, activation="swish"), "'silu', got 'swish'"),
    (lambda: NormSpec(kind="batch"), "'layer', 'rms', got 'batch'"),  # type: ignore[arg-type]
    (lambda: NormSpec(position="mid"), "'pre', 'post', got 'mid'"),  # type: ignore[arg-type]
    (lambda: NormSpec(eps=-1.0), "got -1.0"),
    (lambda: tiny_translator(9, d_model=100, attention=AttentionSpec(n_heads=8)), "nearest .* 10"),
    (lambda: tiny_translator(9, target_vocab_size=8), "set share_embeddings=False"),
    (lambda: tiny_translator(0), "source_vocab_size must be at least 1, got 0"),
    (lambda: tiny_translator(9, n_decoder_layers=0), "n_layers must be at least 1, got 0"),
    (lambda: tiny_translator(9, pad_id=9), "pad_id=9"),
    (lambda: tiny_translator(9, dropout=-0.1), "got -0.1"),
    (lambda: Learned(max_seq_len=0), "max_seq_len must be at least 1, got 0"),
    (lambda: PositionSpec.from_dict({"kind": "rope"}), "unknown position scheme 'rope'"),
    (lambda: PositionSpec.from_dict({"kind": "learned", "n": 3}), "Learned has no n"),
    (lambda: TransformerConfig.from_dict({"layers": 3}), "has no layers"),
]


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize(("build", "message"), BAD)
def test_bad_values_are_named(build, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


def test_a_stack_checks_its_heads() -> None:
    with pytest.raises(ValueError, match="d_model=7 cannot be split into n_heads=2"):
        StackSpec(
            d_model=7,
            n_layers=1,
            attention=AttentionSpec(n_heads=2),
            feed_forward=FeedForwardSpec(d_ff=3),
            norm=NormSpec(),
            position=NoPositions(),
        )
