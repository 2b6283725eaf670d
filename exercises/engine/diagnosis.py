"""Name the mistake: which known wrong answer behaves exactly like the learner's?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exercises.engine.case import Case, Outcome
from exercises.engine.catalogue import with_variants
from exercises.engine.compare import same_outcome
from exercises.engine.exercise import Exercise
from exercises.engine.judges import Trial


@dataclass(frozen=True)
class Diagnosis:
    """Codes of the best matches (usually one), and whether it agrees on every case."""

    codes: tuple[str, ...]
    certain: bool


def run_here(
    namespace: Mapping[str, Any], cases: Sequence[Case], exercise: Exercise
) -> list[Outcome]:
    """Run trusted code (a mutant, a solution) in this process, observed as the child observes."""
    import runpy

    from exercises.engine.isolated import calling

    drivers: dict[str, calling.Driver] = {"call": calling.call}
    if exercise.driver:
        drivers |= {k: v for k, v in runpy.run_path(str(exercise.driver)).items() if callable(v)}
    results = [calling.run_case(namespace, case.to_wire(), drivers) for case in cases]
    return [Outcome.from_wire(result) for result in results]


def diagnose(
    exercise: Exercise, failed: Sequence[Trial], others: Sequence[Trial]
) -> Diagnosis | None:
    """Compare with every mutant, on the failed check's cases first, then on all others.

    Several mistakes can give equal output on one case; those that agree on more of the remaining
    cases come first. Returns None when no mutant agrees on the failed check's cases.
    """
    functions = {trial.case.function for trial in failed}
    rest = [trial for trial in others if trial.case.function in functions and trial not in failed]
    scores: dict[str, int] = {}
    for mutant in with_variants(exercise).mutants:
        if _agreements(exercise, mutant.namespace, failed) == len(failed):
            scores[mutant.code] = _agreements(exercise, mutant.namespace, rest)
    best = max(scores.values(), default=0)
    if not scores or (best < len(rest) and not any(map(_telling, failed))):
        return None
    codes = tuple(code for code, score in scores.items() if score == best)[:2]
    return Diagnosis(codes, certain=best == len(rest) and len(codes) == 1)


def _telling(trial: Trial) -> bool:
    """Zeros, NaN, an exception: they come out of too many mistakes to say which one it was."""
    if trial.outcome.error:
        return False
    value = getattr(trial.outcome.value, "data", None)
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return True
    return bool((np.isfinite(value) & (value != 0)).any())


def _agreements(exercise: Exercise, namespace: Mapping[str, Any], trials: Sequence[Trial]) -> int:
    outcomes = run_here(namespace, [trial.case for trial in trials], exercise)
    return sum(
        same_outcome(trial.outcome, outcome, trial.case.dtype)
        for trial, outcome in zip(trials, outcomes, strict=True)
    )
