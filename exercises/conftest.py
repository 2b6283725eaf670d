"""``pytest exercises/<id>``: one test a check, with the verdict that the runner gives.

No test files lie in the folders: the checks are declared in ``spec.py``, and this file turns them
into tests. ``pytest`` without a path runs the project's own tests only.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from exercises.engine.catalogue import load_all  # noqa: E402
from exercises.engine.checking import check_file  # noqa: E402
from exercises.engine.exercise import Exercise  # noqa: E402
from exercises.engine.verdict import NOT_REACHED, PASSED, CheckResult, Verdict  # noqa: E402


class CheckFailed(Exception):
    """Carries the verdict to pytest's report."""


class ExerciseFile(pytest.File):
    """The learner's file; graded once, when its first test runs."""

    exercise: Exercise
    verdict: Verdict | None = None

    def collect(self) -> Iterator[pytest.Item]:
        for check in self.exercise.checks:
            yield CheckItem.from_parent(self, name=f"{check.stage.label}::{check.name}")

    def result(self, name: str) -> tuple[Verdict, CheckResult]:
        if self.verdict is None:
            self.verdict = check_file(self.exercise)
        found = [r for r in self.verdict.results if f"{r.stage}::{r.name}" == name]
        return self.verdict, found[0]


class CheckItem(pytest.Item):
    """One check of one exercise."""

    parent: ExerciseFile

    def runtest(self) -> None:
        verdict, result = self.parent.result(self.name)
        if result.status == PASSED:
            return
        first_of_failed_run = verdict.failure is not None and verdict.failure.check == "run"
        if result.status == NOT_REACHED and not (first_of_failed_run and self._is_first()):
            pytest.skip("not reached: an earlier check failed")
        raise CheckFailed(str(verdict))

    def _is_first(self) -> bool:
        check = self.parent.exercise.checks[0]
        return self.name == f"{check.stage.label}::{check.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: str | None = None) -> object:
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class Nothing(pytest.Module):
    """In place of the plain module that pytest would make of ``test_a_mask.py``."""

    def collect(self) -> Iterator[pytest.Item]:
        return iter(())


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    """The tests that a learner writes are tried on implementations; alone they cannot run."""
    return Nothing.from_parent(parent, path=module_path) if _exercise(module_path) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExerciseFile | None:
    """The file that the learner edits, ``<id>/<id>.py``, is an exercise."""
    exercise = _exercise(file_path)
    if exercise is None:
        return None
    collected = ExerciseFile.from_parent(parent, path=file_path)
    collected.exercise = exercise
    return collected


def _exercise(path: Path) -> Exercise | None:
    """The exercise whose file this is."""
    if path.suffix == ".py" and path.stem == path.parent.name:
        exercise = load_all().get(path.stem)
        if exercise is not None and exercise.folder == path.parent.resolve():
            return exercise
    return None
