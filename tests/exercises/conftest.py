"""Shared by the tests of the exercise mechanism."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from exercises.engine.catalogue import find, load_all  # noqa: E402
from exercises.engine.workspace import Workspace  # noqa: E402


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A learner's folder of their own, with every stub in it."""
    space = Workspace(tmp_path / "learner")
    for exercise in load_all().values():
        space.reset(exercise)
    return space


@pytest.fixture
def write(workspace: Workspace) -> Callable[[str, str], Path]:
    """Save text as the learner's file of an exercise."""

    def save(exercise: str, source: str) -> Path:
        path = workspace.path(find(exercise))
        path.write_text(source, encoding="utf-8")
        return path

    return save
