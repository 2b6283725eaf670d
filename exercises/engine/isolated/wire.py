"""Nested values to one ``.npz`` file and back, without pickle.

The parent sends inputs and the child returns outputs in this form. A file that the child wrote is
not trusted: reading it runs no code, and whatever is wrong with it is a :class:`WireError`.
"""

import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MANIFEST = "manifest"
LARGEST_FILE = (
    1 << 28
)  # bytes; small cases make small files, so more than this is an attack or a bug


class WireError(Exception):
    """The file is missing, damaged, too large or not in this format."""


@dataclass(frozen=True)
class Tensor:
    """A returned tensor: its numbers, and the dtype's name (numpy has no bfloat16)."""

    data: np.ndarray
    dtype: str


@dataclass(frozen=True)
class Generator:
    """An argument that becomes a seeded ``torch.Generator``."""

    seed: int


@dataclass(frozen=True)
class Opaque:
    """A returned object that has no place on the wire; only the name of its type travels."""

    type_name: str


@dataclass(frozen=True)
class Remarks:
    """Words about an outcome, for people: two outcomes with other remarks are still the same."""

    lines: tuple[str, ...]


def save(path: Path, value: Any) -> None:
    """Write ``value`` to ``path``; the file appears complete or not at all."""
    arrays: dict[str, np.ndarray] = {}
    manifest = json.dumps(_pack(value, arrays)).encode()
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez(file, **{MANIFEST: np.frombuffer(manifest, dtype=np.uint8), **arrays})  # type: ignore[arg-type]
    os.replace(temporary, path)  # noqa: PTH105 - the child keeps to plain, early-bound calls


def load(path: Path) -> Any:
    """Read what :func:`save` wrote.

    Raises:
        WireError: for anything else.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST_FILE:
                raise WireError(f"{path.name} is larger than {LARGEST_FILE} bytes")
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return _unpack(json.loads(arrays[MANIFEST].tobytes()), arrays)
    except WireError:
        raise
    except Exception as error:
        raise WireError(f"{path.name} cannot be read: {type(error).__name__}: {error}") from error


def _pack(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """Replace arrays by references; containers become tagged lists, so that tuples survive."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.generic():
            return value.item()
        case np.ndarray():
            return ["array", _store(value, arrays)]
        case Tensor(data, dtype):
            return ["tensor", _store(data, arrays), dtype]
        case Generator(seed):
            return ["generator", seed]
        case Opaque(type_name):
            return ["opaque", type_name]
        case Remarks(lines):
            return ["remarks", *lines]
        case list():
            return ["list", [_pack(item, arrays) for item in value]]
        case tuple():
            return ["tuple", [_pack(item, arrays) for item in value]]
        case dict():
            return ["dict", [[_pack(k, arrays), _pack(v, arrays)] for k, v in value.items()]]
    return ["opaque", type(value).__name__]


def _store(array: np.ndarray, arrays: dict[str, np.ndarray]) -> str:
    name = f"a{len(arrays)}"
    arrays[name] = array
    return name


def _unpack(node: Any, arrays: dict[str, np.ndarray]) -> Any:
    match node:
        case None | bool() | int() | float() | str():
            return node
        case ["array", name]:
            return arrays[name]
        case ["tensor", name, str(dtype)]:
            return Tensor(arrays[name], dtype)
        case ["generator", int(seed)]:
            return Generator(seed)
        case ["opaque", str(type_name)]:
            return Opaque(type_name)
        case ["remarks", *lines] if all(isinstance(line, str) for line in lines):
            return Remarks(tuple(lines))
        case ["list", items]:
            return [_unpack(item, arrays) for item in items]
        case ["tuple", items]:
            return tuple(_unpack(item, arrays) for item in items)
        case ["dict", pairs]:
            return {_unpack(k, arrays): _unpack(v, arrays) for k, v in pairs}
    raise WireError(f"unknown node {str(node)[:80]}")
