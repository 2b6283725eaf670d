"""Configurations of published models, at their sizes and with their sources.

The parameter counts are exact; tests hold them against models built on the meta device and against
Hugging Face's. A count means nothing without vocabulary, tying and biases, so each states them.

Taught in the chapter on model families.
"""

from typing import Any

from companion.config import (
    AttentionSpec,
    FeedForwardSpec,
    NormSpec,
    tiny_translator,
    transformer_base,
    transformer_big,
)
from companion.encoder_presets import (
    bart_base,
    bart_large,
    bert_base,
    bert_large,
    marian_base,
    roberta_base,
    roberta_large,
    t5_base,
    t5_small,
    t5_v1_1_base,
    t5_v1_1_small,
    tiny_bert,
)
from companion.gpt import GPTConfig
from companion.positions import Learned
from companion.rotary import Rotary
from companion.rotary_scaling import Llama3Scaling

__all__ = [
    "bart_base",
    "bart_large",
    "bert_base",
    "bert_large",
    "gpt2",
    "gpt2_large",
    "gpt2_medium",
    "gpt2_xl",
    "llama_3_1_8b",
    "llama_7b",
    "marian_base",
    "mistral_7b",
    "qwen2_0_5b",
    "qwen2_7b",
    "roberta_base",
    "roberta_large",
    "t5_base",
    "t5_small",
    "t5_v1_1_base",
    "t5_v1_1_small",
    "tiny_bert",
    "tiny_gpt",
    "tiny_translator",
    "transformer_base",
    "transformer_big",
]


def tiny_gpt(vocab_size: int, **overrides: Any) -> GPTConfig:
    """GPT-2's design in miniature: what a laptop trains in a minute."""
    sizes: dict[str, Any] = {
        "vocab_size": vocab_size,
        "d_model": 128,
        "n_layers": 2,
        "attention": AttentionSpec(n_heads=4),
        "feed_forward": FeedForwardSpec(d_ff=512, activation="gelu_tanh"),
        "position": Learned(256),
    }
    return GPTConfig(**(sizes | overrides))


def _gpt2(d_model: int, n_layers: int, n_heads: int) -> GPTConfig:
    return GPTConfig(
        vocab_size=50_257,
        d_model=d_model,
        n_layers=n_layers,
        attention=AttentionSpec(n_heads=n_heads, dropout=0.1),
        feed_forward=FeedForwardSpec(d_ff=4 * d_model, activation="gelu_tanh"),
        norm=NormSpec(eps=1e-5),
        position=Learned(1024),
        dropout=0.1,
    )


def gpt2() -> GPTConfig:
    """GPT-2 small: 124,439,808 parameters (V = 50,257, tied, biases); not the paper's 117 M.

    Source: Radford et al. (2019), table 2, and the released weights.
    """
    return _gpt2(768, n_layers=12, n_heads=12)


def gpt2_medium() -> GPTConfig:
    """GPT-2 medium: 354,823,168 parameters (tied)."""
    return _gpt2(1024, n_layers=24, n_heads=16)


def gpt2_large() -> GPTConfig:
    """GPT-2 large: 774,030,080 parameters (tied)."""
    return _gpt2(1280, n_layers=36, n_heads=20)


def gpt2_xl() -> GPTConfig:
    """GPT-2 XL: 1,557,611,200 parameters (tied)."""
    return _gpt2(1600, n_layers=48, n_heads=25)


def _llama(
    *,
    vocab_size: int,
    d_model: int,
    n_layers: int,
    n_heads: int,
    d_ff: int,
    position: Rotary,
    eps: float,
    n_kv_heads: int | None = None,
    qkv_bias: bool = False,
    window: int | None = None,
    tie_output: bool = False,
) -> GPTConfig:
    return GPTConfig(
        vocab_size=vocab_size,
        d_model=d_model,
        n_layers=n_layers,
        attention=AttentionSpec(
            n_heads=n_heads, n_kv_heads=n_kv_heads, bias=False, qkv_bias=qkv_bias, window=window
        ),
        feed_forward=FeedForwardSpec(d_ff=d_ff, activation="silu", gated=True, bias=False),
        norm=NormSpec(kind="rms", eps=eps),
        position=position,
        tie_output=tie_output,
    )


def llama_7b() -> GPTConfig:
    """LLaMA 7B: 6,738,415,616 parameters (V = 32,000, untied, no biases, multi-head).

    Source: Touvron et al. (2023), table 2. The width 11,008 is 8/3 · 4096 rounded up to 256.
    """
    return _llama(
        vocab_size=32_000,
        d_model=4096,
        n_layers=32,
        n_heads=32,
        d_ff=11_008,
        position=Rotary(max_seq_len=2048),
        eps=1e-6,
    )


def llama_3_1_8b() -> GPTConfig:
    """Llama 3.1 8B: 8,030,261,248 parameters (V = 128,256, untied, 8 key/value heads).

    Source: Llama team (2024), table 3, and the released configuration.
    """
    return _llama(
        vocab_size=128_256,
        d_model=4096,
        n_layers=32,
        n_heads=32,
        n_kv_heads=8,
        d_ff=14_336,
        position=Rotary(max_seq_len=131_072, base=500_000.0, scaling=Llama3Scaling()),
        eps=1e-5,
    )


def mistral_7b() -> GPTConfig:
    """Mistral 7B v0.1: 7,241,732,096 parameters (V = 32,000, untied, window of 4,096 positions).

    Source: Jiang et al. (2023), table 1.
    """
    return _llama(
        vocab_size=32_000,
        d_model=4096,
        n_layers=32,
        n_heads=32,
        n_kv_heads=8,
        d_ff=14_336,
        position=Rotary(max_seq_len=32_768),
        eps=1e-5,
        window=4096,
    )


def qwen2_0_5b() -> GPTConfig:
    """Qwen2 0.5B: 494,032,768 parameters (V = 151,936, tied, biases on queries, keys, values).

    Source: Yang et al. (2024), table 1, and the released configuration.
    """
    return _llama(
        vocab_size=151_936,
        d_model=896,
        n_layers=24,
        n_heads=14,
        n_kv_heads=2,
        d_ff=4864,
        position=Rotary(max_seq_len=131_072, base=1e6),
        eps=1e-6,
        qkv_bias=True,
        tie_output=True,
    )


def qwen2_7b() -> GPTConfig:
    """Qwen2 7B: 7,615,616,512 parameters (V = 152,064, untied, biases on queries, keys, values)."""
    return _llama(
        vocab_size=152_064,
        d_model=3584,
        n_layers=28,
        n_heads=28,
        n_kv_heads=4,
        d_ff=18_944,
        position=Rotary(max_seq_len=131_072, base=1e6),
        eps=1e-6,
        qkv_bias=True,
    )
