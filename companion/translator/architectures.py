"""The kinds of model that can be trained to translate, by name, and their contrasts of equal size.

A checkpoint's `config.json` names one of them. They share `forward(source, decoder_input)` and
`start(source, bos_id=…, max_new_tokens=…)`, so training and decoding do not ask which it is.
"""

import bisect
from collections.abc import Callable
from typing import Any, Literal

from companion.config import TransformerConfig
from companion.recurrent import RecurrentConfig, RecurrentSeq2Seq
from companion.transformer import Transformer
from companion.translator.torch_peer import TorchTransformer, TorchTransformerConfig

Model = Transformer | RecurrentSeq2Seq | TorchTransformer
Config = TransformerConfig | RecurrentConfig | TorchTransformerConfig
Peer = Literal["torch", "recurrent"]

_KINDS: dict[str, tuple[type[Any], type[Any]]] = {
    "transformer": (Transformer, TransformerConfig),
    "torch": (TorchTransformer, TorchTransformerConfig),
    "recurrent": (RecurrentSeq2Seq, RecurrentConfig),
}


def build(config: Config) -> Model:
    """A new model with random weights."""
    return next(model(config) for model, kind in _KINDS.values() if type(config) is kind)


def to_json(config: Config) -> dict[str, Any]:
    """The configuration with the name of its kind."""
    return {"architecture": kind_of(config), "model": config.to_dict()}


def kind_of(config: Config) -> str:
    """`transformer`, or the name of the peer."""
    return next(name for name, (_, kind) in _KINDS.items() if type(config) is kind)


def from_json(content: dict[str, Any]) -> Config:
    """The inverse of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
    name = content.get("architecture", "transformer")
    if name not in _KINDS:
        raise ValueError(f"unknown architecture {name!r}: expected one of {', '.join(_KINDS)}")
    config: Config = _KINDS[name][1].from_dict(content["model"])
    return config


def peer_of(config: TransformerConfig, peer: Peer) -> Config:
    """The contrast to a Transformer, with about as many parameters.

    `torch` is `nn.Transformer` with the same sizes. `recurrent` is two layers of LSTMs with Luong's
    attention, of the width that comes closest to the same number of parameters.
    """
    if peer == "torch":
        return TorchTransformerConfig(
            vocab_size=config.target_vocab_size,
            d_model=config.d_model,
            n_heads=config.attention.n_heads,
            n_encoder_layers=config.n_encoder_layers,
            n_decoder_layers=config.n_decoder_layers,
            d_ff=config.feed_forward.d_ff,
            dropout=config.dropout,
            max_seq_len=config.max_seq_len or 512,
            pad_id=config.pad_id,
        )
    return _as_large_as(count(config), lambda width: _recurrent(config, width))


def count(config: Config) -> int:
    """Parameters of the model, shared ones once, without making it."""
    import torch

    with torch.device("meta"):
        return sum(weight.numel() for weight in build(config).parameters())


def _recurrent(config: TransformerConfig, width: int) -> RecurrentConfig:
    return RecurrentConfig(
        source_vocab_size=config.source_vocab_size,
        target_vocab_size=config.target_vocab_size,
        d_model=width,
        n_layers=2,
        cell="lstm",
        dropout=config.dropout,
        pad_id=config.pad_id,
    )


def _as_large_as(parameters: int, make: Callable[[int], RecurrentConfig]) -> RecurrentConfig:
    """The even width with the nearest count; counts grow with the width."""
    widths = range(2, 8192, 2)
    above = bisect.bisect_left(widths, parameters, key=lambda width: count(make(width)))
    near = widths[max(above - 1, 0) : above + 1]
    return make(min(near, key=lambda width: abs(count(make(width)) - parameters)))
