"""Check a learner's file (runner, pytest) or functions (notebook), and remember the result."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from exercises.engine.catalogue import find
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_answer, grade_here
from exercises.engine.planning import Settings
from exercises.engine.progress import Progress
from exercises.engine.shipping import Unshippable, ship
from exercises.engine.text import say
from exercises.engine.verdict import PARTIAL, Verdict
from exercises.engine.workspace import Workspace


def check_file(
    exercise: Exercise, workspace: Workspace | None = None, settings: Settings | None = None
) -> Verdict:
    """Grade the learner's file and record the verdict.

    Raises:
        MissingFile: if there is no such file.
    """
    workspace = workspace or Workspace()
    answer = workspace.answer(exercise)
    verdict = replace(grade_answer(exercise, answer, settings), file=answer.filename)
    Progress(workspace.progress).record(verdict, answer.source)
    return verdict


def check(
    name: str,
    *functions: Callable,
    workspace: Workspace | None = None,
    settings: Settings | None = None,
) -> Verdict:
    """Check functions of a notebook, or, without any, the learner's file.

    ``check("sdpa", my_attention)`` takes any name where the exercise asks for one function.
    Where it asks for several, they are told apart by name, and a part of them may be given.

    Raises:
        UnknownExercise: naming close matches.
        TypeError: if a function matches nothing that the exercise asks for.
    """
    exercise = find(name)
    if not functions:
        return check_file(exercise, workspace, settings)
    wanted = _assign(exercise, functions)
    parts = [part for part in exercise.parts if part in wanted]
    source = ""
    try:
        answer = ship(wanted)
        source = answer.source
        verdict = grade_answer(exercise, answer, settings, parts)
    except Unshippable as reason:
        verdict = grade_here(exercise, wanted, settings, parts)
        note = say("unserved", reason=reason)
        verdict = replace(verdict, notes=(*verdict.notes, note))
    if verdict.state != PARTIAL:
        Progress((workspace or Workspace()).progress).record(verdict, source)
    return verdict


def _assign(exercise: Exercise, functions: tuple[Callable, ...]) -> Mapping[str, Callable]:
    if len(exercise.parts) == 1 and len(functions) == 1:
        return {exercise.parts[0]: functions[0]}
    wanted = {}
    for function in functions:
        name = getattr(function, "__name__", repr(function))
        if name not in exercise.parts:
            raise TypeError(f"{exercise.id} asks for {', '.join(exercise.parts)}, not for {name}")
        wanted[name] = function
    return wanted
