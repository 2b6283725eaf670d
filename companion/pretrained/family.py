"""What a family of published models has to say about itself.

A family is plain data and two functions: how to build our model from the values of a Hugging Face
``config.json``, and where each of our tensors is found in the files. Adding one is a module with a
``FAMILY`` and a line in :mod:`companion.pretrained.registry`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn


@dataclass(frozen=True)
class Source:
    """Where one of our tensors comes from.

    Attributes:
        name: its name in the file, after the family's ``renames``.
        transform: applied to the file's tensor: a transpose, a slice.
    """

    name: str
    transform: Callable[[Tensor], Tensor] | None = None

    def read(self, tensor: Tensor) -> Tensor:
        """Our tensor, from the file's."""
        return tensor if self.transform is None else self.transform(tensor)


# Our name → where it comes from.
WeightMap = dict[str, Source]


@dataclass(frozen=True)
class Family:
    """A family of published models.

    Attributes:
        model_types: ``model_type`` of its ``config.json`` files.
        build: our model from such a file's values; raises ValueError naming a setting that our
            parts do not have.
        weight_map: our tensors' sources, given the model that ``build`` made.
        renames: regular expressions and replacements for names in the file, applied in this order:
            prefixes of wrappers, names of older versions.
        ignored: regular expressions of names (after renaming) that hold no weights, such as masks
            that were stored as buffers.
        copies: names that a file may hold besides or instead of another, because the two tensors
            are tied: ``{"lm_head.weight": "wte.weight"}``.
    """

    model_types: tuple[str, ...]
    build: Callable[[dict[str, Any]], nn.Module]
    weight_map: Callable[[nn.Module], WeightMap]
    renames: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    copies: Callable[[nn.Module], dict[str, str]] = lambda model: {}  # noqa: ARG005

    def rename(self, name: str) -> str:
        """The name of a tensor in the file, without what wrappers and older versions added."""
        for pattern, replacement in (*WRAPPERS, *self.renames):
            name = re.sub(pattern, replacement, name)
        return name

    def ignores(self, name: str) -> bool:
        """Whether the (renamed) tensor holds no weights."""
        return any(re.fullmatch(pattern, name) for pattern in self.ignored)


# What torch.compile and DistributedDataParallel put into names.
WRAPPERS = ((r"_orig_mod\.", ""), (r"^module\.", ""))
