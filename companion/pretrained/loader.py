"""``load_pretrained``: from a folder or a repository to a model of this package."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from companion.pretrained.errors import PretrainedError
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.files import CONFIG, WeightFiles, read_json
from companion.pretrained.hub import find_folder
from companion.pretrained.own_format import is_own_format, own_family
from companion.pretrained.registry import by_model_type


def load_pretrained(
    source: str | Path,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str = "cpu",
) -> nn.Module:
    """Build a published model from our parts and give it its weights; in evaluation mode.

    Args:
        source: a folder that holds ``config.json`` and safetensors (in shards or not), as Hugging
            Face or :func:`companion.pretrained.save_pretrained` writes it, or the name of a
            repository on the Hugging Face Hub.
        dtype: the weights' type; by default what the file holds.
        device: where they go.

    Every tensor has to be there, and every one in the file has to be used. Tied weights are one
    tensor, here as in training.

    Raises:
        PretrainedError: if the family is not known, the configuration asks for what our parts do
            not have, weights are missing, unexpected or of another shape (all of them are named),
            or the model is not to be had.
    """
    folder = find_folder(source)
    values = read_json(folder / CONFIG)
    family = own_family(values) if is_own_format(values) else _family(values, folder)
    files = WeightFiles(folder)
    try:
        # On the meta device: no time or memory goes into weights that are replaced at once.
        with torch.device("meta"):
            model = family.build(values)
    except (KeyError, TypeError, ValueError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise PretrainedError(
            f"cannot build the model that {folder / CONFIG} describes: {reason}"
        ) from error
    found = _find(model, family, files)
    fill(model, _read(found, files, dtype=dtype, device=device))
    return model.eval()


def _family(values: dict[str, Any], folder: Path) -> Family:
    known = by_model_type()
    model_type = values.get("model_type")
    if model_type not in known:
        raise PretrainedError(
            f"{folder / CONFIG} has model_type {model_type!r}; known are "
            f"{', '.join(sorted(known))}, and what save_pretrained wrote"
        )
    return known[model_type]


def _find(model: nn.Module, family: Family, files: WeightFiles) -> WeightMap:
    """The sources of all our tensors, by the names that the files use.

    Raises:
        PretrainedError: naming every tensor that is missing, left over or contradicts its copy.
    """
    stored = {family.rename(name): name for name in files.names}
    copies = family.copies(model)
    for copy, original in copies.items():
        if original not in stored and copy in stored:
            stored[original] = stored[copy]
    wanted = family.weight_map(model)
    needed = {source.name for source in wanted.values()}
    missing = sorted(needed - stored.keys())
    unexpected = sorted(
        name
        for name in stored.keys() - needed
        if not family.ignores(name) and copies.get(name) not in needed
    )
    if missing or unexpected:
        raise PretrainedError(
            f"the weights in {files.folder} do not fit a {type(model).__name__} of this size: "
            f"missing {_listed(missing)}; unexpected {_listed(unexpected)}"
        )
    _check_copies({stored[c]: stored[o] for c, o in copies.items() if c in stored}, files)
    return {ours: Source(stored[s.name], s.transform) for ours, s in wanted.items()}


def _check_copies(copies: dict[str, str], files: WeightFiles) -> None:
    for copy, original in copies.items():
        tensors = dict(files.read({copy, original}))
        if not torch.equal(tensors[copy], tensors[original]):
            raise PretrainedError(
                f"{CONFIG} ties {copy} to {original}, but {files.folder} holds different values "
                "for the two: one of the files is wrong"
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _read(
    found: WeightMap, files: WeightFiles, *, dtype: torch.dtype | None, device: torch.device | str
) -> dict[str, Tensor]:
    readers: dict[str, list[str]] = {}
    for ours, source in found.items():
        readers.setdefault(source.name, []).append(ours)
    tensors = {}
    for name, tensor in files.read(readers, device=device):
        for ours in readers[name]:
            kept = found[ours].read(tensor).contiguous()
            floating = dtype is not None and kept.is_floating_point()
            tensors[ours] = kept.to(dtype) if floating else kept
    return tensors


def fill(model: nn.Module, tensors: dict[str, Tensor]) -> None:
    """Put tensors in the place of a meta model's parameters and buffers; what was tied stays tied.

    Raises:
        PretrainedError: if shapes differ.
    """
    places: dict[int, list[str]] = {}
    held = model.state_dict(keep_vars=True)
    for name, old in held.items():
        places.setdefault(id(old), []).append(name)
    wrong = [
        f"{name} has shape {tuple(tensors[name].shape)}, expected {tuple(held[name].shape)}"
        for name in tensors
        if tensors[name].shape != held[name].shape
    ]
    if wrong:
        raise PretrainedError(f"the weights do not fit {CONFIG}: {'; '.join(wrong)}")
    for names in places.values():
        old = held[names[0]]
        new = next(tensors[name] for name in names if name in tensors)
        if isinstance(old, nn.Parameter):
            new = nn.Parameter(new, requires_grad=old.requires_grad)
        for name in names:
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, new)
