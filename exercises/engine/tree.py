"""Walk over the floating arrays in nested arguments; differentiate an oracle numerically."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

STEP = (
    1e-5  # central differences of a float64 function: error about STEP², rounding about 1e-16/STEP
)


def float_leaves(value: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every floating array with its path, in the same order as ``isolated.calling.tensors``."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from float_leaves(item, f"{path}.{key}".strip("."))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from float_leaves(item, f"{path}.{index}".strip("."))


def numeric_gradients(
    function: Callable[..., np.ndarray],
    arguments: Mapping[str, Any],
    names: tuple[str, ...],
    cotangent: np.ndarray,
) -> dict[str, np.ndarray]:
    """Gradients of ``sum(function(...) * cotangent)`` by central differences, in float64.

    No second formula is needed for an oracle's gradient, so none can be wrong.
    """
    found = {}
    for path, leaf in float_leaves({name: arguments[name] for name in names}):
        gradient = np.zeros(leaf.shape)
        for index in np.ndindex(leaf.shape):
            kept = leaf[index]
            leaf[index] = kept + STEP
            above = np.sum(function(**arguments) * cotangent)
            leaf[index] = kept - STEP
            below = np.sum(function(**arguments) * cotangent)
            leaf[index] = kept
            gradient[index] = (above - below) / (2 * STEP)
        found[path] = gradient
    return found
