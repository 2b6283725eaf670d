"""What is to be checked: the cases of every check, their outcomes, and whether a check holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exercises.engine import sandbox
from exercises.engine.case import Case, Outcome
from exercises.engine.exercise import Check, Exercise
from exercises.engine.judges import JUDGES, Broken, Trial, demand_return


@dataclass(frozen=True)
class Settings:
    """What a teacher may fix: the inputs' seed, sizes by name, seconds for the code."""

    seed: int = 0
    sizes: Mapping[str, int] = ()  # type: ignore[assignment]
    time_limit: float = sandbox.TIME_LIMIT


@dataclass
class Planned:
    """A check with its cases and, if it judges itself, its suspended generator."""

    check: Check
    cases: list[Case]
    generator: Any
    trials: list[Trial]


def plan(
    exercise: Exercise, settings: Settings, parts: Sequence[str] | None = None
) -> list[Planned]:
    """Build every check's cases for the chosen parts (all by default), in order."""
    planned = []
    for check in exercise.checks:
        if parts is None or check.part in parts:
            cases, generator = exercise.cases_of(check, settings.seed, dict(settings.sizes))
            planned.append(Planned(check, cases, generator, []))
    return planned


def attach(exercise: Exercise, planned: list[Planned], outcomes: Sequence[Outcome | None]) -> None:
    """Give every case its outcome."""
    remaining = iter(outcomes)
    for item in planned:
        item.trials = [_trial(exercise, case, next(remaining)) for case in item.cases]


def _trial(exercise: Exercise, case: Case, outcome: Outcome | None) -> Trial:
    oracle = exercise.oracles.get(case.function)
    return Trial(case, outcome or Outcome(), oracle, finished=outcome is not None)


def decide(item: Planned) -> Broken | None:
    """Does this check hold?"""
    try:
        if unfinished := [trial for trial in item.trials if not trial.finished]:
            raise Broken([], unfinished[0])
        if item.generator is None:
            JUDGES[item.check.judge or ""](item.trials)
            return None
        for trial in item.trials:
            demand_return(trial)
        try:
            item.generator.send(item.trials)
        except StopIteration:
            return None
        except (ValueError, IndexError):  # a check that calculates with unfit shapes
            JUDGES["shape"](item.trials)
            raise
        raise RuntimeError(f"check {item.check.name} must yield exactly once")
    except Broken as broken:
        return broken
