"""A folder with ``config.json`` and safetensors, in one file or in several (*shards*)."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import safetensors
import torch
from torch import Tensor

from companion.pretrained.errors import PretrainedError

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
# Pickle runs whatever code the file's author put into it.
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


def read_json(path: Path) -> dict[str, Any]:
    """The values in a JSON file.

    Raises:
        PretrainedError: if it is missing, or holds no JSON object.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PretrainedError(
            f"{path.parent} holds no {path.name}: is it a model's folder?"
        ) from None
    except ValueError as error:
        raise PretrainedError(f"{path} is damaged: {error}") from error
    if not isinstance(values, dict):
        raise PretrainedError(f"{path} should hold a JSON object, not a {type(values).__name__}")
    return values


class WeightFiles:
    """The tensors of a folder, by name; only what is asked for is read.

    Attributes:
        folder: where they are.
        names: every tensor's name, with the file that holds it.

    Raises:
        PretrainedError: if there are no safetensors, a shard is missing or a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if (folder / INDEX).exists():
            self.names = self._sharded()
        elif (folder / WEIGHTS).exists():
            self.names = dict.fromkeys(_names_in(folder / WEIGHTS), WEIGHTS)
        else:
            raise PretrainedError(_no_safetensors(folder))

    def _sharded(self) -> dict[str, str]:
        names = read_json(self.folder / INDEX).get("weight_map", {})
        absent = sorted({file for file in names.values() if not (self.folder / file).is_file()})
        if absent:
            raise PretrainedError(
                f"{self.folder} is incomplete: {INDEX} names {', '.join(absent)}, which "
                f"{'is' if len(absent) == 1 else 'are'} not there"
            )
        held = {name for file in set(names.values()) for name in _names_in(self.folder / file)}
        lost = sorted(set(names) - held)
        if lost:
            raise PretrainedError(f"{INDEX} names tensors that no shard holds: {', '.join(lost)}")
        return names

    def read(
        self, names: Iterable[str], *, device: torch.device | str = "cpu"
    ) -> Iterator[tuple[str, Tensor]]:
        """The named tensors, one after the other, file by file."""
        by_file: dict[str, list[str]] = {}
        for name in names:
            by_file.setdefault(self.names[name], []).append(name)
        for file, wanted in by_file.items():
            with safetensors.safe_open(
                self.folder / file, framework="pt", device=str(device)
            ) as opened:
                for name in wanted:
                    yield name, opened.get_tensor(name)


def _names_in(path: Path) -> list[str]:
    try:
        with safetensors.safe_open(path, framework="pt") as opened:
            return list(opened.keys())
    except (OSError, safetensors.SafetensorError) as error:
        raise PretrainedError(f"{path} is damaged or no safetensors file: {error}") from error


def _no_safetensors(folder: Path) -> str:
    pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
    if not pickled:
        return f"{folder} holds no weights: neither {WEIGHTS} nor {INDEX} is there"
    return (
        f"{folder} holds its weights as {', '.join(pickled)}, which is a pickle: reading one runs "
        "whatever code it contains, so it is refused; get the model's safetensors instead, or "
        "convert a file that you trust with safetensors.torch.save_file"
    )
