"""Configurations of published models that have an encoder: BERT, RoBERTa, T5, BART, Marian.

As in :mod:`companion.presets`, which gives them all, the parameter counts are exact.

Taught in the chapter on model families.
"""

from typing import Any, Literal

from companion.bert import BertConfig
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.positions import Learned, Sinusoidal
from companion.relative_positions import T5Buckets


def tiny_bert(vocab_size: int, **overrides: Any) -> BertConfig:
    """BERT's design in miniature: what a laptop trains in a minute."""
    sizes: dict[str, Any] = {
        "vocab_size": vocab_size,
        "d_model": 128,
        "n_layers": 2,
        "attention": AttentionSpec(n_heads=4),
        "feed_forward": FeedForwardSpec(d_ff=512, activation="gelu"),
        "position": Learned(256),
    }
    return BertConfig(**(sizes | overrides))


def _bert(d_model: int, n_layers: int, n_heads: int, **changes: Any) -> BertConfig:
    values: dict[str, Any] = {
        "vocab_size": 30_522,
        "d_model": d_model,
        "n_layers": n_layers,
        "attention": AttentionSpec(n_heads=n_heads, dropout=0.1),
        "feed_forward": FeedForwardSpec(d_ff=4 * d_model, activation="gelu"),
    }
    return BertConfig(**(values | changes))


def bert_base() -> BertConfig:
    """BERT base, uncased: 109,482,240 parameters with its pooler (V = 30,522).

    With both heads of pre-training (the table read backward, so tied) it is 110,106,428.

    Source: Devlin et al. (2019), §3, and the released weights.
    """
    return _bert(768, n_layers=12, n_heads=12)


def bert_large() -> BertConfig:
    """BERT large, uncased: 335,141,888 parameters with its pooler (V = 30,522)."""
    return _bert(1024, n_layers=24, n_heads=16)


def _roberta(d_model: int, n_layers: int, n_heads: int) -> BertConfig:
    return _bert(
        d_model,
        n_layers,
        n_heads,
        vocab_size=50_265,
        norm=NormSpec(position="post", eps=1e-5, embedding=True),
        position=Learned(512, offset=2),
        n_token_types=1,
        pad_id=1,
    )


def roberta_base() -> BertConfig:
    """RoBERTa base: 124,645,632 parameters with a pooler (V = 50,265).

    Source: Liu et al. (2019), and the released weights.
    """
    return _roberta(768, n_layers=12, n_heads=12)


def roberta_large() -> BertConfig:
    """RoBERTa large: 355,359,744 parameters with a pooler (V = 50,265)."""
    return _roberta(1024, n_layers=24, n_heads=16)


def _t5(
    d_model: int, n_layers: int, n_heads: int, d_ff: int, *, version: Literal["1.0", "1.1"]
) -> TransformerConfig:
    first = version == "1.0"
    return TransformerConfig(
        source_vocab_size=32_128,
        target_vocab_size=32_128,
        d_model=d_model,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        attention=AttentionSpec(n_heads=n_heads, d_head=64, bias=False, dropout=0.1, scale=1.0),
        feed_forward=FeedForwardSpec(
            d_ff=d_ff, activation="relu" if first else "gelu_tanh", gated=not first, bias=False
        ),
        norm=NormSpec(kind="rms", eps=1e-6),
        position=T5Buckets(),
        tie_output=first,
        scale_output=first,
        scale_embeddings=False,
        starts_with_pad=True,
    )


def t5_small() -> TransformerConfig:
    """T5 small: 60,506,624 parameters (V = 32,128, three-way tied, no biases).

    Source: Raffel et al. (2020), §3.7 ("small"), and the released weights.
    """
    return _t5(512, n_layers=6, n_heads=8, d_ff=2048, version="1.0")


def t5_base() -> TransformerConfig:
    """T5 base: 222,903,552 parameters (V = 32,128, three-way tied, no biases)."""
    return _t5(768, n_layers=12, n_heads=12, d_ff=3072, version="1.0")


def t5_v1_1_small() -> TransformerConfig:
    """T5 1.1 small: 76,961,152 parameters (V = 32,128, an output matrix of its own, no biases).

    Gated GELU instead of ReLU, after Shazeer (2020); Flan-T5 and mT5 are built alike.
    """
    return _t5(512, n_layers=8, n_heads=6, d_ff=1024, version="1.1")


def t5_v1_1_base() -> TransformerConfig:
    """T5 1.1 base: 247,577,856 parameters (V = 32,128, an output matrix of its own, no biases)."""
    return _t5(768, n_layers=12, n_heads=12, d_ff=2048, version="1.1")


def _bart(d_model: int, n_layers: int, n_heads: int) -> TransformerConfig:
    return TransformerConfig(
        source_vocab_size=50_265,
        target_vocab_size=50_265,
        d_model=d_model,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        attention=AttentionSpec(n_heads=n_heads),
        feed_forward=FeedForwardSpec(d_ff=4 * d_model, activation="gelu"),
        norm=NormSpec(position="post", embedding=True),
        position=Learned(1024, offset=2),
        scale_embeddings=False,
        output_bias=True,
        pad_id=1,
    )


def bart_base() -> TransformerConfig:
    """BART base: 139,470,681 parameters (V = 50,265, three-way tied, with output biases).

    Source: Lewis et al. (2020), §2.1, and the released weights.
    """
    return _bart(768, n_layers=6, n_heads=12)


def bart_large() -> TransformerConfig:
    """BART large: 406,341,721 parameters (V = 50,265, three-way tied, with output biases)."""
    return _bart(1024, n_layers=12, n_heads=16)


def marian_base(vocab_size: int = 58_101) -> TransformerConfig:
    """Marian, as OPUS-MT's translators use it: 73,944,309 parameters at V = 58,101 (de-en).

    Three-way tied, with output biases; the last token is padding and starts the decoder.

    Source: Junczys-Dowmunt et al. (2018); Tiedemann and Thottingal (2020).
    """
    return TransformerConfig(
        source_vocab_size=vocab_size,
        target_vocab_size=vocab_size,
        d_model=512,
        n_encoder_layers=6,
        n_decoder_layers=6,
        attention=AttentionSpec(n_heads=8),
        feed_forward=FeedForwardSpec(d_ff=2048, activation="silu"),
        norm=NormSpec(position="post"),
        position=Sinusoidal(max_seq_len=512, layout="half"),
        output_bias=True,
        pad_id=vocab_size - 1,
        starts_with_pad=True,
    )
