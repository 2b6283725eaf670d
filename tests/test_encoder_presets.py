"""Sizes of the published models with an encoder: exact, and Hugging Face's."""

from typing import Any

import pytest
import torch
import transformers as hf
from torch import nn

from companion import presets
from companion.accounting import on_meta, parameter_count
from companion.bert import Bert, BertConfig
from companion.pretrained.registry import by_model_type
from companion.transformer import Transformer

LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16}
ROBERTA = {"vocab_size": 50_265, "max_position_embeddings": 514, "type_vocab_size": 1}
T5 = {"decoder_start_token_id": 0}
GATED = T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
BART_BASE = {
    "d_model": 768,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "encoder_attention_heads": 12,
    "decoder_attention_heads": 12,
    "encoder_ffn_dim": 3072,
    "decoder_ffn_dim": 3072,
}
MARIAN = {
    "vocab_size": 58_101,
    "decoder_vocab_size": 58_101,
    "d_model": 512,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "encoder_attention_heads": 8,
    "decoder_attention_heads": 8,
    "encoder_ffn_dim": 2048,
    "decoder_ffn_dim": 2048,
    "max_position_embeddings": 512,
    "activation_function": "swish",
    "scale_embedding": True,
    "pad_token_id": 58_100,
    "decoder_start_token_id": 58_100,
    "eos_token_id": 0,
}
# Each published config.json: what differs from Hugging Face's defaults.
PUBLISHED: dict[str, tuple[int, hf.PreTrainedConfig, Any]] = {
    "bert_base": (109_482_240, hf.BertConfig(), hf.BertModel),
    "bert_large": (
        335_141_888,
        hf.BertConfig(**LARGE, intermediate_size=4096),
        hf.BertModel,
    ),
    "roberta_base": (
        124_645_632,
        hf.RobertaConfig(**ROBERTA, layer_norm_eps=1e-5),
        hf.RobertaModel,
    ),
    "roberta_large": (
        355_359_744,
        hf.RobertaConfig(**ROBERTA, **LARGE, intermediate_size=4096, layer_norm_eps=1e-5),
        hf.RobertaModel,
    ),
    "t5_small": (60_506_624, hf.T5Config(**T5), hf.T5ForConditionalGeneration),
    "t5_base": (
        222_903_552,
        hf.T5Config(**T5, d_model=768, d_ff=3072, num_layers=12, num_heads=12),
        hf.T5ForConditionalGeneration,
    ),
    "t5_v1_1_small": (
        76_961_152,
        hf.T5Config(**GATED, d_model=512, d_ff=1024, num_layers=8, num_heads=6),
        hf.T5ForConditionalGeneration,
    ),
    "t5_v1_1_base": (
        247_577_856,
        hf.T5Config(**GATED, d_model=768, d_ff=2048, num_layers=12, num_heads=12),
        hf.T5ForConditionalGeneration,
    ),
    "bart_base": (139_470_681, hf.BartConfig(**BART_BASE), hf.BartForConditionalGeneration),
    "bart_large": (406_341_721, hf.BartConfig(), hf.BartForConditionalGeneration),
    "marian_base": (73_944_309, hf.MarianConfig(**MARIAN), hf.MarianMTModel),
}
everything = pytest.mark.parametrize("name", list(PUBLISHED))


def built(name: str) -> nn.Module:
    config = getattr(presets, name)()
    return on_meta(Bert if isinstance(config, BertConfig) else Transformer, config)


@everything
def test_the_count_is_exact_and_hugging_faces(name: str) -> None:
    expected, config, kind = PUBLISHED[name]
    assert parameter_count(built(name)) == expected
    assert f"{expected:,}" in getattr(presets, name).__doc__
    with torch.device("meta"):
        theirs = kind(config)
    count = sum(p.numel() for p in theirs.parameters() if p.requires_grad)
    if "v1_1" in name:  # the installed Hugging Face ties the output, the published files do not
        count += theirs.lm_head.weight.numel()
    # An output bias is a buffer there.
    count += sum(b.numel() for n, b in theirs.named_buffers() if n == "final_logits_bias")
    assert count == expected


@everything
def test_the_preset_is_what_the_loader_makes_of_the_published_configuration(name: str) -> None:
    _, config, _ = PUBLISHED[name]
    values = config.to_dict()
    if "v1_1" in name:
        values = {k: v for k, v in values.items() if k != "scale_decoder_outputs"}
        values["tie_word_embeddings"] = False
    loaded = on_meta(by_model_type()[config.model_type].build, values)
    ours = built(name)
    assert {n: p.shape for n, p in loaded.named_parameters()} == {
        n: p.shape for n, p in ours.named_parameters()
    }
    for part in ("position", "norm", "feed_forward", "dropout", "pad_id"):
        assert getattr(loaded.config, part) == getattr(ours.config, part), part
    if isinstance(ours, Transformer):
        for part in ("scale_embeddings", "scale_output", "starts_with_pad", "tie_output"):
            assert getattr(loaded.config, part) == getattr(ours.config, part), part
        assert loaded.config.attention.scale == ours.config.attention.scale


def test_every_preset_is_listed() -> None:
    assert {*PUBLISHED, "tiny_bert"} <= set(presets.__all__)
