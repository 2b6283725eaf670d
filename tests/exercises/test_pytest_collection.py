"""``pytest exercises/<id>`` gives the runner's verdict; ``pytest`` alone leaves stubs in peace."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.engine.catalogue import find
from exercises.engine.stub import solution_of, stub_of

ROOT = Path(__file__).resolve().parents[2]
HEADS = find("split_heads")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the repository's exercises, with its pytest settings."""
    skip = shutil.ignore_patterns("__pycache__", "progress*.json", "backups", ".work")
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises", ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_nothing.py").write_text("def test_nothing(): pass\n", "utf-8")
    return tmp_path


def run(course: Path, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=course, capture_output=True, text=True, encoding="utf-8")


def put(course: Path, source: str) -> None:
    (course / "exercises/split_heads/split_heads.py").write_text(source, "utf-8")


def test_a_mistake_fails_with_the_same_words(course: Path) -> None:
    put(course, solution_of(HEADS).replace(".transpose(1, 2).reshape", ".reshape"))
    done = run(course, "exercises/split_heads")
    assert done.returncode == 1
    assert HEADS.text.mutants["merge-not-transposed"].what in done.stdout
    assert "1 failed" in done.stdout


def test_the_solution_passes_every_check(course: Path) -> None:
    put(course, solution_of(HEADS))
    done = run(course, "exercises/split_heads")
    assert done.returncode == 0, done.stdout
    assert f"{len(HEADS.checks)} passed" in done.stdout
    assert (course / "exercises/progress.json").exists()


def test_a_file_that_does_not_import_fails(course: Path) -> None:
    put(course, "syntax error")
    done = run(course, "exercises/split_heads")
    assert done.returncode == 1
    assert "SyntaxError" in done.stdout


def test_stub_is_not_started(course: Path) -> None:
    put(course, stub_of(HEADS))
    done = run(course, "exercises/split_heads/split_heads.py")
    assert done.returncode == 1
    assert "split_heads: not started" in done.stdout


def test_plain_pytest_collects_no_stub(course: Path) -> None:
    done = run(course)
    assert done.returncode == 0
    assert "1 passed" in done.stdout
