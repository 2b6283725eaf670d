"""When are two results the same? Tolerances by dtype, and equality of whole outcomes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from exercises.engine.case import Opaque, Outcome, Remarks, Tensor

TOLERANCE = {  # (relative, absolute)
    "float64": (1e-7, 1e-9),
    "float32": (1e-4, 1e-5),
    "bfloat16": (3e-2, 3e-2),
    "float16": (5e-3, 5e-3),
    "two decimals": (0.0, 2.1e-2),  # by hand, each line computed from rounded ones
}
GRADIENT_TOLERANCE = (1e-5, 1e-7)  # the reference is a central difference


def close(got: np.ndarray, expected: np.ndarray, dtype: str = "float32") -> np.ndarray:
    """Element by element; NaN equals NaN. Whole numbers and booleans must be equal exactly."""
    if got.dtype.kind in "biu" and expected.dtype.kind in "biu":
        return np.asarray(got == expected)
    relative, absolute = TOLERANCE.get(dtype, TOLERANCE["float32"])
    return np.isclose(got.astype(float), expected.astype(float), relative, absolute, equal_nan=True)


def same_array(got: np.ndarray, expected: np.ndarray, dtype: str = "float32") -> bool:
    """Equal shape and close everywhere."""
    return got.shape == expected.shape and bool(close(got, expected, dtype).all())


def same_outcome(first: Outcome, second: Outcome, dtype: str) -> bool:
    """Did two answers behave alike: value, dtype, gradients, touched inputs, error?"""
    if first.error or second.error:
        return _same_error(first.error, second.error)
    return (
        first.changed == second.changed
        and same_value(first.value, second.value, dtype)
        and _same_gradients(first.gradients, second.gradients, dtype)
    )


def same_value(first: Any, second: Any, dtype: str) -> bool:
    """Compare nested values; tensors also by their dtype."""
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return first.dtype == second.dtype and same_array(first.data, second.data, dtype)
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.dtype == second.dtype and same_array(first, second, dtype)
    if type(first) is not type(second):
        return False
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(
            same_value(first[key], second[key], dtype) for key in first
        )
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(
            same_value(a, b, dtype) for a, b in zip(first, second, strict=True)
        )
    if isinstance(first, Remarks):
        return True
    if isinstance(first, Opaque):
        return first.type_name == second.type_name
    if isinstance(first, float):
        return same_array(np.asarray(first), np.asarray(second), dtype)
    return bool(first == second)


def _same_error(first: Mapping[str, Any] | None, second: Mapping[str, Any] | None) -> bool:
    if not first or not second:
        return False
    return first["type"] == second["type"] and first["message"] == second["message"]


def _same_gradients(first: Mapping[str, Any], second: Mapping[str, Any], dtype: str) -> bool:
    if first.keys() != second.keys():
        return False
    for name in first:
        a, b = first[name], second[name]
        if (a is None) != (b is None) or (a is not None and not same_value(a, b, dtype)):
            return False
    return True
