"""Decide one check: what is demanded of the outcomes of its cases.

A judge raises :class:`Broken` with facts for the learner, or returns. Which judge a check uses is
declared in its decorator; a check that is a generator calls ``expect`` and ``expect_equal`` itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from exercises.engine.case import Case, Outcome, Tensor, describe
from exercises.engine.compare import GRADIENT_TOLERANCE, close, same_array
from exercises.engine.exercise import Oracle
from exercises.engine.symptoms import first_difference, index_text, patterns, symptoms
from exercises.engine.text import say
from exercises.engine.tree import numeric_gradients


class Broken(Exception):
    """A check does not hold. ``facts`` are full sentences; ``trial`` is the case that shows it."""

    def __init__(self, facts: list[str], trial: "Trial | None" = None) -> None:
        super().__init__("; ".join(facts))
        self.facts = facts
        self.trial = trial


_EXPECTED: WeakKeyDictionary[Case, Any] = WeakKeyDictionary()
_GRADIENTS: WeakKeyDictionary[Case, dict[str, np.ndarray]] = WeakKeyDictionary()


@dataclass(eq=False)
class Trial:
    """A case together with its outcome and, when there is an oracle, the right answer.

    ``finished`` is False where the child stopped before this case; the outcome is then empty.
    """

    case: Case
    outcome: Outcome
    oracle: Oracle | None
    finished: bool = True

    @property
    def expected(self) -> Any:
        """The oracle's answer.

        Raises:
            LookupError: if the function has no oracle; whatever the oracle raises on purpose.
        """
        if self.oracle is None:
            raise LookupError(f"{self.case.function} has no oracle")
        if self.case not in _EXPECTED:
            _EXPECTED[self.case] = self.oracle.compute(**self.case.oracle_arguments())
        return _EXPECTED[self.case]

    @cached_property
    def expected_error(self) -> Exception | None:
        """The exception that a right answer raises on this case, if any."""
        try:
            _ = self.expected
        except LookupError:
            return None
        except Exception as error:
            return error
        return None

    @property
    def expected_gradients(self) -> dict[str, np.ndarray]:
        """Gradients of the oracle, by central differences."""
        case = self.case
        if case not in _GRADIENTS:
            assert self.oracle is not None
            assert case.cotangent is not None
            _GRADIENTS[case] = numeric_gradients(
                self.oracle.compute, case.oracle_arguments(), case.differentiate, case.cotangent
            )
        return _GRADIENTS[case]

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the output's axes."""
        return self.oracle.axes if self.oracle else ()

    @property
    def array(self) -> np.ndarray:
        """What the learner returned, as numbers."""
        return self.outcome.array

    def returned(self) -> bool:
        """Did the call return, where it should have?"""
        return self.outcome.error is None


def demand_return(trial: Trial) -> None:
    """The call must return one array, or raise where a right answer raises."""
    error, wanted = trial.outcome.error, trial.expected_error
    if wanted is not None:
        name = type(wanted).__name__
        if error is None:
            raise Broken(
                [say("should_raise", error=name, got=describe(trial.outcome.value))], trial
            )
        if name not in error["bases"]:
            raise Broken([say("wrong_error", error=name, got=error["type"])], trial)
    elif error is not None:
        raise Broken(error_facts(error), trial)


def error_facts(error: Any) -> list[str]:
    """An exception of the learner's code in sentences: what it says and where it stands."""
    facts = [say("raised", type=error["type"], message=error["message"] or "no message")]
    if error["line"]:
        facts.append(say("raised_at", line=error["line"], text=error["text"]))
    return facts


def numbers(trial: Trial) -> np.ndarray:
    """The returned array.

    Raises:
        Broken: if something that holds no numbers came back.
    """
    demand_return(trial)
    try:
        return trial.array
    except (TypeError, ValueError):
        got = describe(trial.outcome.value)
        raise Broken([say("not_an_array", got=got)], trial) from None


def shape(trials: list[Trial]) -> None:
    """A tensor of the right shape."""
    for trial in trials:
        demand_return(trial)
        value = trial.outcome.value
        if not isinstance(value, Tensor):
            raise Broken([say("not_a_tensor", got=describe(value))], trial)
        if value.data.shape != trial.expected.shape:
            raise Broken(symptoms(value.data, trial.expected, trial.axes, trial.case), trial)


def dtype(trials: list[Trial]) -> None:
    """Floating results keep the inputs' dtype; others are bool or int64 as the oracle's."""
    for trial in trials:
        demand_return(trial)
        kind = trial.expected.dtype.kind
        wanted = {"b": "bool", "i": "int64"}.get(kind, trial.case.dtype)
        got = getattr(trial.outcome.value, "dtype", describe(trial.outcome.value))
        if got != wanted:
            raise Broken([say("wrong_dtype", wanted=wanted, got=got)], trial)


def untouched(trials: list[Trial]) -> None:
    """The caller's tensors hold what they held before."""
    for trial in trials:
        demand_return(trial)
        if trial.outcome.changed:
            raise Broken([say("changed", names=", ".join(trial.outcome.changed))], trial)


def values(trials: list[Trial]) -> None:
    """Equal to the oracle; the smallest failing case is reported."""
    wrong = []
    for trial in sorted(trials, key=lambda trial: trial.case.size()):
        demand_return(trial)
        if trial.expected_error is None:
            got = numbers(trial)
            if not same_array(got, np.asarray(trial.expected), trial.case.dtype):
                wrong.append(trial)
    if wrong:
        first = wrong[0]
        facts = symptoms(first.array, np.asarray(first.expected), first.axes, first.case)
        raise Broken(facts, first)


def by_hand(trials: list[Trial]) -> None:
    """Numbers that a learner worked out: says which are wrong, and never what they should be."""
    for trial in trials:
        demand_return(trial)
        if not isinstance(trial.outcome.value, Tensor):
            raise Broken([say("not_numbers")])
        got, expected = trial.array, np.asarray(trial.expected)
        if got.shape != expected.shape:
            raise Broken([say("wrong_rows", got=got.shape, expected=expected.shape)])
        right = close(got, expected, trial.case.dtype)
        if not right.all():
            raise Broken(_wrong_entries(got, expected, right, trial.axes), trial)


def _wrong_entries(
    got: np.ndarray, expected: np.ndarray, right: np.ndarray, axes: tuple[str, ...]
) -> list[str]:
    index = tuple(np.argwhere(~right)[0])
    value = f"{float(got[index]):.6g}"
    if got.ndim == 0:
        return [say("wrong_number", got=value)]
    where, counts = index_text(index, axes), {"wrong": int((~right).sum()), "total": right.size}
    first = say("wrong_entry", where=where, got=value, **counts)
    return [first, *patterns(got, expected, axes, right)]


def gradients(trials: list[Trial]) -> None:
    """Gradients equal to the oracle's, and finite."""
    for trial in trials:
        numbers(trial)
        for name, expected in trial.expected_gradients.items():
            got = trial.outcome.gradients.get(name)
            if got is None:
                raise Broken([say("no_gradient", name=name)], trial)
            _compare_gradient(name, got.data, expected, trial)


def finite_gradients(trials: list[Trial]) -> None:
    """Gradients exist and hold no NaN and no infinity, whatever their values."""
    for trial in trials:
        numbers(trial)
        for name in trial.case.differentiate:
            got = trial.outcome.gradients.get(name)
            if got is None:
                raise Broken([say("no_gradient", name=name)], trial)
            if not np.isfinite(got.data).all():
                where = index_text(np.argwhere(~np.isfinite(got.data))[0], ())
                raise Broken([say("gradient_not_finite", name=name, where=where)], trial)


def _compare_gradient(name: str, got: np.ndarray, expected: np.ndarray, trial: Trial) -> None:
    relative, absolute = GRADIENT_TOLERANCE
    if not np.isfinite(got).all():
        where = index_text(np.argwhere(~np.isfinite(got))[0], ())
        raise Broken([say("gradient_not_finite", name=name, where=where)], trial)
    right = np.isclose(got, expected, relative, absolute)
    if not right.all():
        difference = first_difference(got, expected, right, ())
        raise Broken([say("wrong_gradient", name=name, difference=difference)], trial)


JUDGES: dict[str, Callable[[list[Trial]], None]] = {
    "shape": shape,
    "dtype": dtype,
    "untouched": untouched,
    "values": values,
    "by_hand": by_hand,
    "gradients": gradients,
    "finite_gradients": finite_gradients,
}


def expect(condition: bool, fact: str, trial: Trial | None = None) -> None:
    """For checks that judge themselves: ``fact`` is a full sentence about what was seen."""
    if not condition:
        raise Broken([fact], trial)


def expect_equal(first: Trial, second: Trial, fact: str, *, rows: Any = ...) -> None:
    """Two calls must give the same numbers (in ``rows``); the first difference is shown."""
    a, b = numbers(first), numbers(second)
    if a.shape != b.shape:
        raise Broken([fact, say("shapes_differ", first=a.shape, second=b.shape)], second)
    a, b = a[rows], b[rows]
    right = close(b, a, first.case.dtype)
    if not right.all() and a.ndim == 0:
        raise Broken([fact, say("pair_of_numbers", first=float(a), second=float(b))], second)
    if not right.all():
        axes = first.axes if rows is ... else ()
        raise Broken([fact, say("pair", difference=first_difference(b, a, right, axes))], second)
