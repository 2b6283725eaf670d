"""Every kind of model is built, stored and found again by name, and peers are of one size."""

import json
from pathlib import Path

import pytest
import torch

from companion.config import TransformerConfig, tiny_translator
from companion.recurrent import RecurrentConfig, RecurrentSeq2Seq
from companion.transformer import Transformer
from companion.translator.architectures import Peer, build, count, from_json, peer_of, to_json
from companion.translator.checkpoint import CONFIG, CheckpointError, load_checkpoint
from companion.translator.checkpoint import save_checkpoint as save
from companion.translator.tokenizer import Tokenizer
from companion.translator.torch_peer import TorchTransformer, TorchTransformerConfig
from companion.translator.translator import NoAttentionError, Translator

KINDS = {None: Transformer, "torch": TorchTransformer, "recurrent": RecurrentSeq2Seq}


def config_of(kind: Peer | None, config: TransformerConfig):
    return config if kind is None else peer_of(config, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_through_json_and_back(kind: Peer | None, config: TransformerConfig) -> None:
    chosen = config_of(kind, config)
    assert from_json(json.loads(json.dumps(to_json(chosen)))) == chosen
    assert type(build(chosen)) is KINDS[kind]


def test_a_checkpoint_from_before_there_were_names_is_a_transformer() -> None:
    config = tiny_translator(300)
    assert from_json({"model": config.to_dict()}) == config


def test_peers_are_of_the_same_size() -> None:
    config = tiny_translator(3000, n_encoder_layers=3)
    ours = count(config)
    assert count(peer_of(config, "torch")) == pytest.approx(ours, rel=0.002)
    assert count(peer_of(config, "recurrent")) == pytest.approx(ours, rel=0.05)
    assert ours == sum(w.numel() for w in Transformer(config).parameters())


def test_peers_take_over_what_they_have_in_common() -> None:
    config = tiny_translator(3000, dropout=0.2)
    torch_config, recurrent = peer_of(config, "torch"), peer_of(config, "recurrent")
    assert isinstance(torch_config, TorchTransformerConfig)
    assert isinstance(recurrent, RecurrentConfig)
    assert (torch_config.d_model, torch_config.n_heads, torch_config.d_ff) == (128, 4, 512)
    assert torch_config.dropout == recurrent.dropout == 0.2
    assert recurrent.alignment != "none"


@pytest.mark.parametrize("kind", ["torch", "recurrent"])
def test_a_peer_translates_from_its_folder(
    kind: Peer, config: TransformerConfig, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    model = build(peer_of(config, kind)).eval()
    save(tmp_path, model, tokenizer, {})
    loaded = load_checkpoint(tmp_path)
    assert type(loaded.model) is KINDS[kind]
    translator = Translator(*loaded)
    alone = [translator.translate([text])[0] for text in ("你好", "我看书")]
    assert translator.translate(["你好", "我看书"]) == alone
    with pytest.raises(NoAttentionError, match="does not show its attention"):
        translator.cross_attention("你好")


def test_an_unknown_architecture_is_named(
    config: TransformerConfig, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    save(tmp_path, Transformer(config), tokenizer, {})
    path = tmp_path / CONFIG
    content = json.loads(path.read_text(encoding="utf-8")) | {"architecture": "mamba"}
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CheckpointError, match="unknown architecture 'mamba': expected one of tr"):
        load_checkpoint(tmp_path)
