"""What is installed, what it runs on, and what is known about a checkpoint."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion.config import TransformerConfig
from companion.recurrent import RecurrentConfig
from companion.translator.architectures import Config
from companion.translator.devices import describe_device
from companion.translator.translator import Translator, shipped_folder

_PACKAGES = ("transformer-companion", "torch", "tokenizers", "safetensors", "sacrebleu")


def versions() -> dict[str, str]:
    """The versions that a number depends on."""
    found = {"python": platform.python_version(), "system": platform.platform()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def describe(translator: Translator, folder: Path | None) -> dict[str, Any]:
    """A checkpoint in plain data: size, vocabulary, shape, and how it was trained."""
    config = translator.model.config
    return {
        "checkpoint": f"{shipped_folder()} (shipped)" if folder is None else str(folder),
        "device": describe_device(translator.device),
        "parameters": sum(weight.numel() for weight in translator.model.parameters()),
        "vocabulary": translator.tokenizer.vocab_size,
        "longest input": translator.limit,
        "architecture": type(translator.model).__name__,
        "layers": _layers(config),
        "d_model": config.d_model,
        "n_heads": _heads(config),
        "training": translator.facts,
    }


def _layers(config: Config) -> str:
    if isinstance(config, RecurrentConfig):
        return f"{config.n_layers} encoder, {config.n_layers} decoder"
    return f"{config.n_encoder_layers} encoder, {config.n_decoder_layers} decoder"


def _heads(config: Config) -> int:
    if isinstance(config, RecurrentConfig):
        return 1
    return config.attention.n_heads if isinstance(config, TransformerConfig) else config.n_heads
