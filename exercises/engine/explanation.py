"""From what broke to a :class:`Failure`: the mistake's name, or the best description."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from exercises.engine.case import Tensor
from exercises.engine.compare import same_array
from exercises.engine.diagnosis import Diagnosis, diagnose
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Broken, Trial, error_facts
from exercises.engine.planning import Planned, decide
from exercises.engine.sandbox import Crash, Run
from exercises.engine.symptoms import symptoms
from exercises.engine.text import say
from exercises.engine.verdict import Failure

MOST_LISTED = 4  # sentences on what else holds or breaks
ADVISED_REFUSALS = {
    "read": "refused_read",
    "import": "refused_import",
    "process": "refused_process",
}


def explain_run(exercise: Exercise, run: Run) -> Failure | None:
    """Failures before any check: refused actions, no start, no import, missing functions."""
    if run.refused:
        kind, _, subject = run.refused[0].partition(" ")
        key = ADVISED_REFUSALS.get(kind, "refused_write")
        return _runner_failure(exercise, key.replace("_", "-"), say(key, subject=subject))
    if run.crash is not None and run.crash.kind == "start":
        return _runner_failure(exercise, "no-start", say("no_start", detail=run.crash.detail))
    if run.import_error is not None:
        error, *facts = error_facts(run.import_error)
        what = say("import_error", error=error)
        return _runner_failure(exercise, "import-error", what, tuple(facts))
    if run.missing:
        found = ", ".join(run.defined) or "nothing"
        message = say("missing_function", names=", ".join(run.missing), found=found)
        return _runner_failure(exercise, "missing-function", message)
    if run.crash is not None and not any(run.outcomes):
        return _runner_failure(exercise, run.crash.kind, crash_text(run.crash))
    return None


def crash_text(crash: Crash) -> str:
    """One sentence on how the child ended."""
    return say(f"crash_{crash.kind}", detail=crash.detail)


def _runner_failure(
    exercise: Exercise, code: str, what: str, facts: tuple[str, ...] = ()
) -> Failure:
    return Failure(
        check="run",
        stage="run",
        what=what,
        why=say("import_why" if code == "import-error" else "run_why"),
        book=exercise.text.book,
        print=say("run_print", id=exercise.id),
        facts=facts,
        mistakes=(code,),
    )


def explain_failure(
    exercise: Exercise,
    planned: Sequence[Planned],
    index: int,
    broken: Broken,
    run: Run,
) -> Failure:
    """Explain the first broken check."""
    item = planned[index]
    if broken.trial is not None and not broken.trial.finished:
        return _stopped(exercise, item, broken.trial, run.crash)
    unwritten = [trial for trial in item.trials if trial.outcome.unwritten]
    if unwritten:
        return _not_written(exercise, item, unwritten[0])
    reached = [t for other in planned for t in other.trials if t.finished]
    diagnosis = diagnose(exercise, item.trials, reached)
    if diagnosis is not None:
        return _named(exercise, item, broken, diagnosis)
    return _unknown(exercise, planned, index, broken)


def _stopped(exercise: Exercise, item: Planned, trial: Trial, crash: Crash | None) -> Failure:
    crash = crash or Crash("damaged", None, "")
    what = crash_text(crash)
    return _of_check(exercise, item, what=what, case=_case(trial), mistakes=(crash.kind,))


def _not_written(exercise: Exercise, item: Planned, trial: Trial) -> Failure:
    from_the_file = (trial.outcome.error or {}).get("line") is None
    key = "not_filled_in" if from_the_file else "not_written"
    what = say(key, function=trial.case.function)
    return _of_check(
        exercise, item, what=what, why=exercise.text.summary, print="", mistakes=("not-started",)
    )


def _named(exercise: Exercise, item: Planned, broken: Broken, diagnosis: Diagnosis) -> Failure:
    advice = exercise.text.mutants[diagnosis.codes[0]]
    others = [exercise.text.mutants[code].what for code in diagnosis.codes[1:]]
    return _of_check(
        exercise,
        item,
        what=advice.what,
        why=advice.why,
        book=advice.book,
        print=advice.print,
        facts=tuple(broken.facts),
        case=_case(broken.trial),
        mistakes=diagnosis.codes,
        certain=diagnosis.certain,
        alternative=others[0] if others else "",
    )


def _unknown(
    exercise: Exercise,
    planned: Sequence[Planned],
    index: int,
    broken: Broken,
) -> Failure:
    """Nobody foresaw this one: show the smallest failing case, and what else holds and breaks."""
    item = planned[index]
    trial, facts = broken.trial, list(broken.facts)
    if trial is not None and _is_news(item, trial):
        return _no_tensor(exercise, item, trial, facts)
    if item.check.stage is Stage.ORACLE:
        smaller = _smallest_wrong(planned[index:])
        if smaller is not None and trial is not None and smaller.case.size() < trial.case.size():
            expected = np.asarray(smaller.expected)
            trial, facts = smaller, symptoms(smaller.array, expected, smaller.axes, smaller.case)
    holds, breaks = _other_checks(exercise, planned, item)
    return _of_check(
        exercise, item, facts=tuple(facts), case=_case(trial), holds=holds, breaks=breaks
    )


def _is_news(item: Planned, trial: Trial) -> bool:
    """Did something come out that cannot be compared, or not what the contract asks for?"""
    no_tensor = not isinstance(trial.outcome.value, Tensor)
    if trial.outcome.error or (item.check.judge == "shape" and no_tensor):
        return True
    try:
        return trial.array is None
    except (TypeError, ValueError):
        return True


def _no_tensor(exercise: Exercise, item: Planned, trial: Trial, facts: list[str]) -> Failure:
    """An exception, None, or another object came out: that is the news, not the check."""
    look = say("print_shapes" if (trial.outcome.error or {}).get("line") else "print_result")
    case = _case(trial)
    return _of_check(exercise, item, what=facts[0], facts=tuple(facts[1:]), case=case, print=look)


def _other_checks(
    exercise: Exercise,
    planned: Sequence[Planned],
    failed: Planned,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which of the other small checks and properties of the same part hold, and which break?"""
    holds: list[str] = []
    breaks: list[str] = []
    if failed.check.stage is Stage.CONTRACT:
        return (), ()
    for other in planned:
        telling = other.check.stage in (Stage.ISOLATED, Stage.PROPERTIES) and other is not failed
        finished = all(trial.finished for trial in other.trials)
        if telling and finished and other.check.part == failed.check.part:
            (breaks if decide(other) else holds).append(exercise.text.checks[other.check.name].what)
    return tuple(holds[:MOST_LISTED]), tuple(breaks[:MOST_LISTED])


def _smallest_wrong(planned: Sequence[Planned]) -> Trial | None:
    def wrong(trial: Trial) -> bool:
        try:
            expected = np.asarray(trial.expected)
            return not same_array(trial.array, expected, trial.case.dtype)
        except Exception:  # no oracle, no array, or an expected error: not comparable
            return False

    # Edges have troubles of their own: an empty case that gives NaN explains no wrong formula.
    items = [item for item in planned if item.check.stage is not Stage.EDGES]
    trials = [t for item in items for t in item.trials if t.finished and wrong(t)]
    return min(trials, key=lambda trial: trial.case.size(), default=None)


def _of_check(exercise: Exercise, item: Planned, **fields: Any) -> Failure:
    advice = exercise.text.checks[item.check.name]
    defaults = {"what": advice.what, "why": advice.why, "book": advice.book, "print": advice.print}
    return Failure(check=item.check.name, stage=item.check.stage.label, **{**defaults, **fields})


def _case(trial: Trial | None) -> str:
    if trial is None:
        return ""
    label = f"{trial.case.label}: " if trial.case.label else ""
    return label + trial.case.shapes()
