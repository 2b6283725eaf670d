"""An exam: stubs and instructions to hand out, and the grading of what comes back.

``python -m exercises exam`` writes a folder for the students and one for the teacher, who alone
has the secret seed; ``python -m exercises grade`` grades one folder a student with it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from exercises.engine import export
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_answer
from exercises.engine.planning import Settings
from exercises.engine.sandbox import Answer
from exercises.engine.stub import stub_of
from exercises.engine.text import say
from exercises.engine.verdict import Verdict
from exercises.engine.workspace import write_text


def write_exam(folder: Path, exercises: Sequence[Exercise], settings: Settings) -> list[Path]:
    """Write ``students/`` (stubs, instructions) and ``teacher/`` (seed, how to grade).

    Raises:
        ValueError: if ``folder`` holds something already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(say("exam_folder", path=folder))
    fixed = [exercise.id for exercise in exercises if not _seeded(exercise)]
    note = say("exam_fixed", ids=", ".join(fixed)) if fixed else ""
    ids = " ".join(exercise.id for exercise in exercises)
    seed = {"seed": settings.seed, "sizes": dict(settings.sizes)}
    documents = {f"students/{exercise.id}.py": stub_of(exercise) for exercise in exercises}
    documents["students/README.md"] = _instructions(exercises)
    documents["teacher/seed.json"] = json.dumps(seed, indent=2) + "\n"
    documents["teacher/README.md"] = say("exam_teacher", ids=ids, points=export.POINTS, note=note)
    for name, text in documents.items():
        write_text(folder / name, text)
    return [folder / name for name in documents]


def _seeded(exercise: Exercise) -> bool:
    """Does any input depend on the seed?"""
    return _inputs(exercise, 1) != _inputs(exercise, 2)


def _inputs(exercise: Exercise, seed: int) -> list[str]:
    """All inputs under one seed, in a form that can be compared."""
    cases = [case for check in exercise.checks for case in exercise.cases_of(check, seed, {})[0]]
    return [repr(case.to_wire()["arguments"]) for case in cases]


def _instructions(exercises: Sequence[Exercise]) -> str:
    rows = [
        say("exam_row", id=exercise.id, title=exercise.text.title, minutes=exercise.minutes)
        for exercise in exercises
    ]
    minutes = sum(exercise.minutes for exercise in exercises)
    return say("exam_students", rows="\n".join(rows), minutes=minutes, points=export.POINTS)


def grade_folders(
    submissions: Path,
    exercises: Sequence[Exercise],
    settings: Settings,
    out: Path,
    tell: Callable[[str], None],
) -> list[Path]:
    """Grade ``submissions/<student>/<id>.py``; a missing file counts as not started.

    Returns the ``report.json`` of every student.

    Raises:
        ValueError: if there is no student's folder.
    """
    students = sorted(path for path in submissions.glob("*") if path.is_dir())
    if not students:
        raise ValueError(say("no_students", path=submissions))
    reports = []
    for student in students:
        verdicts = list(_verdicts(student, exercises, settings))
        written = export.write_all(out / student.name, verdicts, {}, student.name)
        reports += [path for path in written if path.name == "report.json"]
        passed = sum(verdict.passed for verdict in verdicts)
        tell(say("graded", student=student.name, passed=passed, total=len(verdicts)))
    return reports


def _verdicts(folder: Path, exercises: Sequence[Exercise], settings: Settings) -> Iterator[Verdict]:
    for exercise in exercises:
        path = folder / f"{exercise.id}.py"
        source = stub_of(exercise)
        if path.exists():
            source = path.read_text(encoding="utf-8-sig", errors="replace")
        yield grade_answer(exercise, Answer(source, path.name), settings)
