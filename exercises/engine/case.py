"""One call with given inputs, what came of it, and the random draws that inputs are made from."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from exercises.engine.isolated.wire import Generator, Opaque, Remarks, Tensor

__all__ = ["Case", "Draw", "Generator", "Opaque", "Outcome", "Remarks", "Tensor"]

SMALLEST_SIZE, LARGEST_SIZE = 2, 9


@dataclass(frozen=True, eq=False)
class Case:
    """A call of ``function`` with ``arguments``: arrays and plain values, in the stub's order.

    Args:
        label: what a learner reads to know this case, e.g. "one key, so every weight is 1".
        dtype: floating arrays become tensors of this torch dtype.
        differentiate: arguments whose gradients are taken of ``sum(output * cotangent)``.
        construct: for a class: its keyword arguments; ``arguments["state"]`` then sets parameters.
        via: name of a function in the exercise's ``driver.py`` that makes the call instead.
    """

    function: str
    arguments: Mapping[str, Any]
    label: str = ""
    dtype: str = "float32"
    differentiate: tuple[str, ...] = ()
    cotangent: np.ndarray | None = None
    construct: Mapping[str, Any] | None = None
    via: str = "call"
    seed: int = 0

    def but(self, label: str | None = None, **arguments: Any) -> "Case":
        """The same call with some arguments replaced."""
        merged = {**self.arguments, **arguments}
        return replace(self, arguments=merged, label=self.label if label is None else label)

    def set(self, **fields: Any) -> "Case":
        """The same call with other settings, such as ``dtype`` or ``differentiate``."""
        return replace(self, **fields)

    def to_wire(self) -> dict[str, Any]:
        """As plain values for the child process."""
        return {
            "function": self.function,
            "arguments": {k: _quantise(v, self.dtype) for k, v in self.arguments.items()},
            "dtype": self.dtype,
            "differentiate": list(self.differentiate),
            "cotangent": self.cotangent,
            "construct": None if self.construct is None else dict(self.construct),
            "via": self.via,
            "seed": self.seed,
        }

    def oracle_arguments(self) -> dict[str, Any]:
        """The inputs in float64, rounded first as the learner's function receives them."""
        return {k: _widen(_quantise(v, self.dtype)) for k, v in self.arguments.items()}

    def size(self) -> int:
        """Number of input elements: the smaller a failing case, the easier it is to think about."""
        return sum(a.size for a in _arrays(self.arguments))

    def shapes(self) -> str:
        """The inputs in one line, e.g. ``query (1, 1, 3, 2), n_heads=4``."""
        words = [f"{name}{_in_short(value)}" for name, value in self.arguments.items()]
        floating = any(array.dtype.kind == "f" for array in _arrays(self.arguments))
        return ", ".join([*words, self.dtype] if floating else words)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the code under test did on one case."""

    value: Any = None
    gradients: Mapping[str, Any] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    error: Mapping[str, Any] | None = None

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> "Outcome":
        """Build from what ``run_case`` returned."""
        return cls(data["value"], data["gradients"], tuple(data["changed"]), data["error"])

    @property
    def unwritten(self) -> bool:
        """Is the stub's own line still there? (PyTorch raises the same type, with a message.)"""
        error = self.error or {}
        return error.get("type") == "NotImplementedError" and not error["message"]

    @property
    def array(self) -> np.ndarray:
        """The returned numbers as one array.

        Raises:
            TypeError: if something else was returned.
        """
        if isinstance(self.value, Tensor):
            return self.value.data
        if isinstance(self.value, np.ndarray | list | tuple | int | float):
            array = np.asarray(self.value)
            if array.dtype.kind in "biuf":
                return array
        raise TypeError(f"no array was returned but {describe(self.value)}")


def describe(value: Any) -> str:
    """A returned value in a few words."""
    match value:
        case None:
            return "None"
        case Tensor(data, dtype):
            return f"a tensor of shape {data.shape} and dtype {dtype}"
        case np.ndarray():
            return f"a numpy array of shape {value.shape}"
        case tuple() | list():
            return f"a {type(value).__name__} of {len(value)} items"
        case Opaque(type_name):
            return f"an object of type {type_name}"
    return f"{type(value).__name__} {_short(value)}"


@dataclass
class Draw:
    """Random inputs for one check: reproducible, and independent of every other check.

    Args:
        seed: the learner's is 0; a teacher grades with a secret one.
        sizes: dimension names with sizes that a teacher fixes.
    """

    seed: int
    name: str
    sizes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([self.seed, zlib.crc32(self.name.encode())])

    def dims(self, *names: str, smallest: int = SMALLEST_SIZE) -> tuple[int, ...]:
        """One size for each name, *all different*: equal sizes hide swapped axes."""
        fixed = {name: int(self.sizes[name]) for name in names if name in self.sizes}
        free = [n for n in range(smallest, LARGEST_SIZE + 1) if n not in fixed.values()]
        chosen = iter(self.rng.permutation(free))
        return tuple(fixed[name] if name in fixed else int(next(chosen)) for name in names)

    def normal(self, *shape: int) -> np.ndarray:
        """Independent standard normal numbers, float64."""
        return self.rng.standard_normal(shape)

    def integers(self, low: int, high: int, *shape: int) -> np.ndarray:
        """Whole numbers from ``low`` up to but not including ``high``, int64."""
        return self.rng.integers(low, high, shape)

    def mask(self, *shape: int) -> np.ndarray:
        """A random boolean mask with, in every row, something allowed and something hidden."""
        mask = self.rng.random(shape) < 0.5
        allowed = self.rng.integers(0, shape[-1], shape[:-1])
        hidden = (allowed + 1 + self.rng.integers(0, max(shape[-1] - 1, 1), shape[:-1])) % shape[-1]
        np.put_along_axis(mask, hidden[..., None], False, axis=-1)
        np.put_along_axis(mask, allowed[..., None], True, axis=-1)
        return mask


def _quantise(value: Any, dtype: str) -> Any:
    """Round floating arrays to ``dtype``'s grid, so that learner and oracle see equal inputs."""
    if isinstance(value, Mapping):
        return {k: _quantise(v, dtype) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_quantise(item, dtype) for item in value)
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    if dtype == "bfloat16":
        bits = value.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
        return bits.view(np.float32)
    return value.astype(dtype)


def _widen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _widen(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_widen(item) for item in value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value.astype(np.float64)
    return value


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [a for item in value for a in _arrays(item)] if isinstance(value, list | tuple) else []


def _in_short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f" {value.shape}"
    if isinstance(value, Mapping):
        return f" of {len(value)} tensors"
    return f"={_short(value)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
