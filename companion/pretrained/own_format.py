"""Our own format: ``config.json`` with our configuration, ``model.safetensors`` with our names."""

from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from torch import nn

from companion._files import replace_file, write_json
from companion.pretrained.errors import PretrainedError
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.files import CONFIG, WEIGHTS
from companion.pretrained.registry import MODELS

FORMAT, VERSION = "transformer-companion", 1


def save_pretrained(model: nn.Module, folder: str | Path) -> None:
    """Write ``config.json`` and ``model.safetensors``; ``load_pretrained`` reads them.

    Each file is replaced whole: a reader never sees half of one. Tied weights are stored once.

    Raises:
        PretrainedError: for a class that ``load_pretrained`` could not build again.
        OSError: if the folder cannot be written.
    """
    model = getattr(model, "_orig_mod", model)  # torch.compile's wrapper
    name = type(model).__name__
    if name not in MODELS:
        raise PretrainedError(f"cannot save a {name}; models are {', '.join(MODELS)}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    state = model.state_dict(keep_vars=True)
    tensors = {name: state[name].detach().cpu().contiguous() for name in _first_names(model)}
    values = {
        "format": FORMAT,
        "format_version": VERSION,
        "model": name,
        "config": model.config.to_dict(),  # type: ignore[operator, union-attr]
    }
    replace_file(folder / WEIGHTS, lambda path: save_file(tensors, path, metadata={"format": "pt"}))
    write_json(folder / CONFIG, values)


def is_own_format(values: dict[str, Any]) -> bool:
    """Whether ``config.json`` is one of ours."""
    return values.get("format") == FORMAT


def own_family(values: dict[str, Any]) -> Family:
    """The family "what save_pretrained wrote": names need no mapping.

    Raises:
        PretrainedError: for another version of the format or an unknown model.
    """
    if values.get("format_version") != VERSION:
        raise PretrainedError(
            f"{CONFIG} has format_version {values.get('format_version')!r}, this version of the "
            f"package reads {VERSION}: update it"
        )
    if values.get("model") not in MODELS:
        raise PretrainedError(
            f"{CONFIG} describes a {values.get('model')!r}; known are {', '.join(MODELS)}"
        )
    return Family((), _build, lambda model: _same_names(model))


def _build(values: dict[str, Any]) -> nn.Module:
    model_class, config_class = MODELS[values["model"]]
    return model_class(config_class.from_dict(values["config"]))


def _same_names(model: nn.Module) -> WeightMap:
    return {name: Source(name) for name in _first_names(model)}


def _first_names(model: nn.Module) -> list[str]:
    """Names in the state dict, each tensor once: tied weights have several."""
    first: dict[int, str] = {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        first.setdefault(id(tensor), name)
    return list(first.values())
