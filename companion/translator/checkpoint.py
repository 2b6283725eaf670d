"""A model in a folder: `config.json`, `tokenizer.json`, `model.safetensors`.

Weights are safetensors only: reading a checkpoint never runs code. Facts about the training (step,
recipe, scores) travel in the header of the weights' file, so that they can never belong to other
weights. Tied weights are stored once and are tied again after loading.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import safetensors
import torch
from safetensors.torch import save as to_safetensors
from torch import Tensor, nn

from companion._files import write_bytes, write_json
from companion.translator import architectures
from companion.translator.architectures import Model
from companion.translator.errors import UserError
from companion.translator.tokenizer import Tokenizer

CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
_FORMAT = 1


class CheckpointError(UserError, ValueError):
    """A checkpoint is missing, incomplete, damaged or of another kind; the message says which."""


class Checkpoint(NamedTuple):
    """A loaded model with its tokenizer and what is known about its training."""

    model: Model
    tokenizer: Tokenizer
    facts: dict[str, Any]


def save_checkpoint(
    folder: str | Path,
    model: Model,
    tokenizer: Tokenizer,
    facts: dict[str, Any],
    *,
    weights: dict[str, Tensor] | None = None,
    dtype: torch.dtype | None = None,
) -> None:
    """Write a folder that `load_checkpoint` reads. Each file is replaced whole, the weights last.

    `weights` (by parameter name) stand in for the model's own, such as their running average;
    `dtype` stores floating-point weights in another precision. Raises OSError.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(folder / TOKENIZER)
    write_json(folder / CONFIG, {"format": _FORMAT} | architectures.to_json(model.config))
    kept = unique_weights(model) | (weights or {})
    if dtype is not None:
        kept = {n: w.to(dtype) if w.is_floating_point() else w for n, w in kept.items()}
    save_tensors(folder / WEIGHTS, kept, facts)


def load_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> Checkpoint:
    """Read a folder, in float32, in evaluation mode. Raises CheckpointError with one clear line."""
    folder = Path(folder)
    if not folder.is_dir():
        raise CheckpointError(f"no checkpoint folder at {folder}")
    model = _model_from(folder / CONFIG)
    try:
        tokenizer = Tokenizer.load(folder / TOKENIZER)
    except (OSError, ValueError) as error:
        raise CheckpointError(_reason(folder / TOKENIZER, error)) from error
    vocabulary = model.config.target_vocab_size
    if tokenizer.vocab_size != vocabulary:
        raise CheckpointError(
            f"{folder}: the tokenizer has {tokenizer.vocab_size} tokens, the model {vocabulary}: "
            "their files belong to different models"
        )
    weights, facts = load_tensors(folder / WEIGHTS)
    load_weights(model, weights, folder / WEIGHTS)
    return Checkpoint(model.to(device).eval(), tokenizer, facts)


def _model_from(path: Path) -> Model:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise ValueError(f"format {content['format']} is not {_FORMAT}")
        return architectures.build(architectures.from_json(content))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(_reason(path, error)) from error


def unique_weights(model: nn.Module) -> dict[str, Tensor]:
    """The state dict with every tensor once, under its first name: tied weights are one tensor."""
    unique: dict[int, tuple[str, Tensor]] = {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        unique.setdefault(id(tensor), (name, tensor))
    return {name: tensor.detach() for name, tensor in unique.values()}


def load_weights(model: nn.Module, weights: dict[str, Tensor], path: Path) -> None:
    """Copy `weights` into `model`. Raises CheckpointError when names or shapes do not fit."""
    expected = unique_weights(model)
    missing, unknown = expected.keys() - weights.keys(), weights.keys() - expected.keys()
    if missing or unknown:
        raise CheckpointError(
            f"{path} does not fit the configuration: missing {sorted(missing)[:3]}, "
            f"not expected {sorted(unknown)[:3]}"
        )
    with torch.no_grad():
        for name, target in expected.items():
            if weights[name].shape != target.shape:
                raise CheckpointError(
                    f"{path} does not fit the configuration: {name} has shape "
                    f"{tuple(weights[name].shape)}, expected {tuple(target.shape)}"
                )
            # In place, so that whatever shares this storage is loaded with it.
            target.copy_(weights[name])


def save_tensors(path: Path, tensors: dict[str, Tensor], facts: dict[str, Any]) -> None:
    """One safetensors file with JSON facts in its header, written atomically. Raises OSError."""
    content = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    header = {"facts": json.dumps(facts, ensure_ascii=False)}
    write_bytes(path, to_safetensors(content, metadata=header))


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `save_tensors` wrote. Raises CheckpointError."""
    try:
        with safetensors.safe_open(path, framework="pt", device="cpu") as file:
            # Copied out: a file that stays mapped cannot be replaced on Windows.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
            facts = json.loads((file.metadata() or {})["facts"])
    except (OSError, ValueError, KeyError, safetensors.SafetensorError) as error:
        raise CheckpointError(_reason(path, error)) from error
    return tensors, facts


def _reason(path: Path, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"the checkpoint is incomplete: {path} is missing"
    if isinstance(error, KeyError):
        return f"{path} is damaged or of another kind: it has no entry {error}"
    return f"{path} is damaged or of another kind: {error}"
