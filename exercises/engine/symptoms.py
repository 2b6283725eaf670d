"""Describe a wrong array: where it starts to be wrong, and what kind of wrong it looks like.

This is the help for mistakes that nobody foresaw, so it looks for the shapes that mistakes take: a
constant factor, right numbers in wrong places, one wrong row, everything negated, NaN.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from exercises.engine.case import Case
from exercises.engine.compare import close
from exercises.engine.text import say

LONGEST_SEQUENCE = 16
MOST_SHOWN = 16  # elements of a small result that is shown whole


def symptoms(got: np.ndarray, expected: np.ndarray, axes: Sequence[str], case: Case) -> list[str]:
    """Facts about how ``got`` differs from ``expected``, the plainest first."""
    if _is_sequence(got) and _is_sequence(expected):
        whole = [say("sequence", expected=expected.tolist(), got=got.tolist())]
        return [*whole, *_where_it_stops(got.tolist(), expected.tolist())]
    if got.shape != expected.shape:
        return [_shape(got.shape, expected.shape, axes), *_reordered_axes(got, expected)]
    if got.ndim == 0:
        return _of_one_number(got, expected)
    right = close(got, expected, case.dtype)
    facts = [
        say(
            "wrong_count",
            wrong=int((~right).sum()),
            total=right.size,
            difference=first_difference(got, expected, right, axes),
        )
    ]
    if got.size <= MOST_SHOWN:
        facts.append(say("sequence", expected=_listed(expected), got=_listed(got)))
    if got.dtype.kind == "f" and not np.isfinite(got).all():
        return [*facts, *_not_finite(got, axes)]
    kinds = _of_booleans if got.dtype == bool and expected.dtype == bool else _of_numbers
    facts += kinds(got, expected, axes)
    facts += _is_an_input(got, case)
    facts += _where(right, axes)
    return facts


def patterns(got: np.ndarray, expected: np.ndarray, axes: Sequence[str], right: Any) -> list[str]:
    """What kind of wrong it is, without a word on what the right numbers are."""
    return [*_of_numbers(got, expected, axes), *_where(right, axes)]


def _of_one_number(got: np.ndarray, expected: np.ndarray) -> list[str]:
    """A loss, a rate, a count: both numbers, and how they relate."""
    facts = [say("sequence", expected=_number(expected), got=_number(got))]
    if expected and np.isfinite(got) and got.dtype != bool:
        ratio, offset = float(got) / float(expected), float(got) - float(expected)
        facts.append(say("one_number", ratio=f"{ratio:.4g}", offset=f"{offset:+.4g}"))
    return facts


def _is_sequence(array: np.ndarray) -> bool:
    """A short list of whole numbers, such as token ids: best shown as it is."""
    whole = array.dtype.kind in "iu" or array.size == 0
    return array.ndim == 1 and whole and array.size <= LONGEST_SEQUENCE


def _where_it_stops(got: list[int], expected: list[int]) -> list[str]:
    """Is one of the two the beginning or the end of the other?"""
    shorter, longer = sorted((got, expected), key=len)
    if len(shorter) == len(longer) or not shorter:
        return []
    at_start, at_end = ("missing_at_start", "missing_at_end")
    if got is longer:
        at_start, at_end = ("surplus_at_start", "surplus_at_end")
    if longer[: len(shorter)] == shorter:
        return [say(at_end, ids=longer[len(shorter) :])]
    if longer[-len(shorter) :] == shorter:
        return [say(at_start, ids=longer[: -len(shorter)])]
    return []


def first_difference(
    got: np.ndarray, expected: np.ndarray, right: np.ndarray, axes: Sequence[str]
) -> str:
    """The first wrong index with both values, as half a sentence."""
    index = tuple(np.argwhere(~right)[0])
    return say(
        "difference",
        where=index_text(index, axes),
        expected=_number(expected[index]),
        got=_number(got[index]),
    )


def index_text(index: Sequence[int], axes: Sequence[str]) -> str:
    """``[batch 0, query 2]`` where the axes have names, ``[0, 2]`` where not."""
    plain = [str(int(i)) for i in index]
    if len(axes) == len(plain):
        plain = [f"{axis} {i}" for axis, i in zip(axes, plain, strict=True)]
    return "[" + ", ".join(plain) + "]"


def _number(value: Any, digits: int = 6) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | np.integer):
        return str(int(value))
    return f"{float(value) + 0.0:.{digits}g}"  # adding 0 turns -0 into 0


def _listed(array: np.ndarray) -> str:
    """A small array as nested lists."""
    if array.ndim == 0:
        return _number(array[()], digits=4)
    return "[" + ", ".join(_listed(item) for item in array) + "]"


def _shape(got: tuple, expected: tuple, axes: Sequence[str]) -> str:
    names = ", ".join(axes) if len(axes) == len(expected) else "…"
    fact = say("wrong_shape", got=got, expected=expected, axes=names)
    if sorted(got) == sorted(expected):
        return fact + " " + say("axes_swapped")
    if len(got) == len(expected):
        odd = [a for a, g, e in zip(axes, got, expected, strict=False) if g != e]
        return fact + " " + say("axis_sizes", axes=", ".join(odd)) if odd else fact
    if np.prod(got) == np.prod(expected):
        return fact + " " + say("same_elements")
    return fact


def _reordered_axes(got: np.ndarray, expected: np.ndarray) -> list[str]:
    """Would a transposition put it right?"""
    if sorted(got.shape) != sorted(expected.shape) or got.ndim > 5:
        return []
    for order in permutations(range(got.ndim)):
        moved = got.transpose(order)
        if moved.shape == expected.shape and close(moved, expected).all():
            return [say("permute_back", order=order)]
    return []


def _not_finite(got: np.ndarray, axes: Sequence[str]) -> list[str]:
    bad = ~np.isfinite(got)
    what = "NaN" if np.isnan(got).any() else "infinity"
    where = index_text(np.argwhere(bad)[0], axes)
    return [say("not_finite", what=what, count=int(bad.sum()), total=got.size, where=where)]


def _of_numbers(got: np.ndarray, expected: np.ndarray, axes: Sequence[str]) -> list[str]:
    """The first recognisable pattern."""
    got, expected = got.astype(float), expected.astype(float)
    if got.size < 2:
        return []
    if not got.any():
        return [say("all_zero")]
    safe = np.abs(expected) > 1e-6
    if (
        safe.any()
        and (ratio := np.median(got[safe] / expected[safe]))
        and abs(ratio - 1) > 1e-3
        and np.allclose(got, ratio * expected, rtol=1e-3, atol=1e-5)
    ):
        return [say("constant_factor", ratio=f"{ratio:.4g}")]
    if np.allclose(got - expected, (got - expected).flat[0], rtol=1e-3, atol=1e-6):
        return [say("constant_offset", offset=f"{(got - expected).flat[0]:.4g}")]
    if np.abs(got - expected).max() < 5e-3 * max(1.0, np.abs(expected).max()):
        return [say("small_error", error=f"{np.abs(got - expected).max():.1e}")]
    for axis in range(got.ndim):
        if got.shape[axis] > 1 and np.allclose(np.flip(got, axis), expected, rtol=1e-3, atol=1e-5):
            return [say("flipped", axis=_axis(axis, axes))]
    if np.allclose(np.sort(got, axis=None), np.sort(expected, axis=None), rtol=1e-3, atol=1e-5):
        return [say("wrong_places")]
    return _constant_along(got, expected, axes)


def _constant_along(got: np.ndarray, expected: np.ndarray, axes: Sequence[str]) -> list[str]:
    """Is the result the same for every index of an axis, where it should differ?"""
    for axis in range(got.ndim):
        same = np.allclose(got, got.take([0], axis), rtol=1e-5, atol=1e-7)
        should_be = np.allclose(expected, expected.take([0], axis), rtol=1e-3, atol=1e-5)
        if got.shape[axis] > 1 and same and not should_be:
            return [say("same_along", axis=_axis(axis, axes))]
    return []


def _of_booleans(got: np.ndarray, expected: np.ndarray, _: Sequence[str]) -> list[str]:
    if (got != expected).all():
        return [say("opposite")]
    if got.all() or not got.any():
        return [say("all_equal", value=bool(got.flat[0]))]
    square = got.ndim >= 2 and got.shape[-1] == got.shape[-2]
    if square and (got.swapaxes(-1, -2) == expected).all():
        return [say("transposed_mask")]
    if (got & ~expected).any() and not (~got & expected).any():
        return [say("too_permissive", count=int((got & ~expected).sum()))]
    if (~got & expected).any() and not (got & ~expected).any():
        return [say("too_strict", count=int((~got & expected).sum()))]
    return []


def _is_an_input(got: np.ndarray, case: Case) -> list[str]:
    for name, value in case.arguments.items():
        alike = isinstance(value, np.ndarray) and value.shape == got.shape
        if alike and value.dtype.kind == "f" and np.allclose(got, value, rtol=1e-3, atol=1e-5):
            return [say("is_input", name=name)]
    return []


def _where(right: np.ndarray, axes: Sequence[str]) -> list[str]:
    """Name the axes along which only some indices are wrong: right in batch 0, wrong in 1."""
    facts = []
    for axis in range(right.ndim):
        others = tuple(i for i in range(right.ndim) if i != axis)
        good = right.all(axis=others)
        if good.any() and not good.all():
            name = _axis(axis, axes)
            fine, wrong = _list(np.flatnonzero(good)), _list(np.flatnonzero(~good))
            facts.append(say("only_some", axis=name, right=fine, wrong=wrong))
    return facts


def _axis(axis: int, axes: Sequence[str]) -> str:
    return axes[axis] if axis < len(axes) else f"axis {axis}"


def _list(indices: np.ndarray) -> str:
    return ", ".join(map(str, indices[:6])) + (", …" if len(indices) > 6 else "")
