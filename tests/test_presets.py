"""The published sizes, to the last parameter: built on the meta device, where they cost nothing."""

from collections.abc import Callable

import pytest
import torch
from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig, MistralConfig, Qwen2Config
from transformers import PreTrainedConfig as HuggingFaceConfig

from companion import presets
from companion.gpt import GPT, GPTConfig
from companion.pretrained.registry import by_model_type

LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
# Each family's published config.json: what differs from Hugging Face's defaults.
PUBLISHED = {
    "gpt2": (124_439_808, GPT2Config()),
    "gpt2_medium": (354_823_168, GPT2Config(n_embd=1024, n_layer=24, n_head=16)),
    "gpt2_large": (774_030_080, GPT2Config(n_embd=1280, n_layer=36, n_head=20)),
    "gpt2_xl": (1_557_611_200, GPT2Config(n_embd=1600, n_layer=48, n_head=25)),
    "llama_7b": (6_738_415_616, LlamaConfig(rms_norm_eps=1e-6)),
    "llama_3_1_8b": (
        8_030_261_248,
        LlamaConfig(
            vocab_size=128_256,
            intermediate_size=14_336,
            num_key_value_heads=8,
            max_position_embeddings=131_072,
            rms_norm_eps=1e-5,
            rope_parameters=LLAMA3,
        ),
    ),
    "mistral_7b": (
        7_241_732_096,
        MistralConfig(max_position_embeddings=32_768, rms_norm_eps=1e-5, sliding_window=4096),
    ),
    "qwen2_0_5b": (
        494_032_768,
        Qwen2Config(
            hidden_size=896,
            intermediate_size=4864,
            num_hidden_layers=24,
            num_attention_heads=14,
            num_key_value_heads=2,
            max_position_embeddings=131_072,
            rope_parameters={"rope_type": "default", "rope_theta": 1e6},
            tie_word_embeddings=True,
        ),
    ),
    "qwen2_7b": (
        7_615_616_512,
        Qwen2Config(
            vocab_size=152_064,
            hidden_size=3584,
            intermediate_size=18_944,
            num_hidden_layers=28,
            num_attention_heads=28,
            num_key_value_heads=4,
            max_position_embeddings=131_072,
            rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        ),
    ),
}


def count(build: Callable[[], torch.nn.Module]) -> int:
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in build().parameters())


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_count_is_exact_and_hugging_faces(name: str) -> None:
    expected, theirs = PUBLISHED[name]
    config: GPTConfig = getattr(presets, name)()
    assert count(lambda: GPT(config)) == expected
    assert count(lambda: AutoModelForCausalLM.from_config(theirs)) == expected
    assert f"{expected:,}" in getattr(presets, name).__doc__


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_preset_is_what_the_loader_makes_of_the_published_configuration(name: str) -> None:
    config: GPTConfig = getattr(presets, name)()
    theirs: HuggingFaceConfig = PUBLISHED[name][1]
    with torch.device("meta"):
        loaded = by_model_type()[theirs.model_type].build(theirs.to_dict())
        # Field by field would compare spellings (a head size given or derived): compare the shapes.
        ours = GPT(config)
    assert {n: p.shape for n, p in loaded.named_parameters()} == {
        n: p.shape for n, p in ours.named_parameters()
    }
    assert loaded.config.position == config.position
    assert loaded.config.norm == config.norm
    assert loaded.config.feed_forward == config.feed_forward
    assert loaded.config.attention.window == config.attention.window
    assert loaded.config.dropout == config.dropout


def test_untied_gpt2_has_the_output_matrix_besides() -> None:
    untied = GPTConfig.from_dict(presets.gpt2().to_dict() | {"tie_output": False})
    assert count(lambda: GPT(untied)) == 163_037_184


def test_every_preset_is_listed() -> None:
    assert set(PUBLISHED) <= set(presets.__all__)
    assert all(callable(getattr(presets, name)) for name in presets.__all__)
