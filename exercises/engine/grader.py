"""Grade an answer: build the cases, have them run, decide check by check, explain a failure."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from exercises.engine import sandbox
from exercises.engine.case import Case
from exercises.engine.exercise import Exercise
from exercises.engine.explanation import explain_failure, explain_run
from exercises.engine.planning import Planned, Settings, attach, decide, plan
from exercises.engine.sandbox import Answer, Run
from exercises.engine.stub import stub_of
from exercises.engine.text import say
from exercises.engine.verdict import (
    FAILED,
    NOT_REACHED,
    NOT_STARTED,
    PARTIAL,
    PASSED,
    CheckResult,
    Failure,
    Verdict,
)

Runner = Callable[[Sequence[Case], Sequence[str]], Run]


def grade(
    exercise: Exercise,
    runner: Runner,
    settings: Settings | None = None,
    parts: Sequence[str] | None = None,
) -> Verdict:
    """Run all checks and stop at the first failure, which is explained."""
    settings = settings or Settings()
    started = time.perf_counter()
    planned = plan(exercise, settings, parts)
    chosen = tuple(parts or exercise.parts)
    run = runner([case for item in planned for case in item.cases], chosen)
    state, results, failure = _judge(exercise, planned, run)
    if state == PASSED and set(chosen) != set(exercise.parts):
        state = PARTIAL
    return Verdict(
        exercise=exercise.id,
        title=exercise.text.title,
        state=state,
        results=results,
        failure=failure,
        printed=run.printed,
        notes=_notes(exercise, settings, chosen, state),
        seconds=time.perf_counter() - started,
    )


def grade_answer(
    exercise: Exercise,
    answer: Answer,
    settings: Settings | None = None,
    parts: Sequence[str] | None = None,
) -> Verdict:
    """Grade untrusted code in a child process."""
    limit = (settings or Settings()).time_limit

    def runner(cases: Sequence[Case], functions: Sequence[str]) -> Run:
        return sandbox.run(answer, cases, functions, driver=exercise.driver, time_limit=limit)

    verdict = grade(exercise, runner, settings, parts)
    untouched = verdict.state == FAILED and answer.source == stub_of(exercise)
    return replace(verdict, state=NOT_STARTED) if untouched else verdict


def grade_here(
    exercise: Exercise,
    namespace: Mapping[str, Any],
    settings: Settings | None = None,
    parts: Sequence[str] | None = None,
) -> Verdict:
    """Grade trusted code in this process: no child, no limits."""
    from exercises.engine.diagnosis import run_here

    def runner(cases: Sequence[Case], _: Sequence[str]) -> Run:
        return Run(outcomes=list(run_here(namespace, cases, exercise)))

    return grade(exercise, runner, settings, parts)


def _judge(
    exercise: Exercise, planned: list[Planned], run: Run
) -> tuple[str, tuple[CheckResult, ...], Failure | None]:
    early = explain_run(exercise, run)
    if early is not None:
        return FAILED, _results(exercise, planned, 0, NOT_REACHED), early
    attach(exercise, planned, run.outcomes)
    for index, item in enumerate(planned):
        broken = decide(item)
        if broken is None:
            continue
        state = NOT_STARTED if _unwritten(item) and index == 0 else FAILED
        failure = explain_failure(exercise, planned, index, broken, run)
        return state, _results(exercise, planned, index, FAILED), failure
    return PASSED, _results(exercise, planned, len(planned), PASSED), None


def _unwritten(item: Planned) -> bool:
    return any(trial.outcome.unwritten for trial in item.trials)


def _results(
    exercise: Exercise, planned: list[Planned], reached: int, status: str
) -> tuple[CheckResult, ...]:
    results = []
    for index, item in enumerate(planned):
        here = PASSED if index < reached else status if index == reached else NOT_REACHED
        check = item.check
        what = exercise.text.checks[check.name].what
        results.append(CheckResult(check.name, check.stage.label, check.part, what, here))
    return tuple(results)


def _notes(
    exercise: Exercise, settings: Settings, chosen: tuple[str, ...], state: str
) -> tuple[str, ...]:
    notes = []
    if state == PARTIAL:
        rest = [part for part in exercise.parts if part not in chosen]
        notes.append(say("partial", given=", ".join(chosen), rest=", ".join(rest)))
    if settings.seed:
        notes.append(say("seeded"))
    return tuple(notes)
