"""Checks of plain values; each error names the value and what would be accepted."""

import dataclasses
from collections.abc import Sequence
from typing import Any


def check_positive(name: str, value: int) -> None:
    """Raises ValueError unless ``value`` is at least 1."""
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def check_probability(name: str, value: float) -> None:
    """Raises ValueError unless 0 <= ``value`` < 1."""
    if not 0 <= value < 1:
        raise ValueError(f"{name} is a probability in [0, 1), got {value}")


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raises ValueError unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def check_keys(cls: type, values: dict[str, Any]) -> dict[str, Any]:
    """``values`` back again, unless a name is no field of the dataclass ``cls`` (ValueError)."""
    known = [f.name for f in dataclasses.fields(cls)]
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise ValueError(f"{cls.__name__} has no {', '.join(unknown)}; it has {', '.join(known)}")
    return values
