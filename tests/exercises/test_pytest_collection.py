"""``pytest exercises/<id>`` gives the runner's verdict; ``pytest`` alone leaves stubs in peace."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.engine.catalogue import find
from exercises.engine.progress import Progress
from exercises.engine.stub import solution_of, stub_of

ROOT = Path(__file__).resolve().parents[2]
HEADS, SDPA = find("split_heads"), find("sdpa")


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


def put(course: Path, name: str, source: str) -> None:
    (course / "exercises" / name / f"{name}.py").write_text(source, "utf-8")


def test_every_state_has_the_runners_verdict(course: Path) -> None:
    """One solved, one with a known mistake, one that does not import."""
    put(course, "split_heads", solution_of(HEADS))
    put(course, "sdpa", solution_of(SDPA).replace("dim=-1", "dim=-2"))
    put(course, "masks", "syntax error")
    done = run(course, *(f"exercises/{name}" for name in ("split_heads", "sdpa", "masks")), "-rA")
    assert done.returncode == 1
    assert done.stdout.count("PASSED exercises/split_heads/") == len(HEADS.checks)
    assert SDPA.text.mutants["softmax-over-queries"].what in done.stdout
    assert "SyntaxError" in done.stdout
    assert "2 failed" in done.stdout
    states = Progress(course / "exercises" / "progress.json").standings()
    assert states["split_heads"].state == "passed"
    assert states["sdpa"].mistakes == {"softmax-over-queries": 1}


def test_stub_is_not_started(course: Path) -> None:
    put(course, "split_heads", stub_of(HEADS))
    done = run(course, "exercises/split_heads")
    assert done.returncode == 1
    assert "split_heads: not started" in done.stdout
    assert f"1 failed, {len(HEADS.checks) - 1} skipped" in done.stdout


def test_plain_pytest_collects_no_stub(course: Path) -> None:
    done = run(course)
    assert done.returncode == 0
    assert "1 passed" in done.stdout
