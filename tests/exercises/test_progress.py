"""Progress: atomic, mergeable, never lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.engine import progress as module
from exercises.engine.catalogue import find
from exercises.engine.grader import grade_here
from exercises.engine.progress import Progress
from exercises.engine.stub import solution_of, stub_of

HEADS = find("split_heads")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress(tmp_path / "progress.json")


def verdict(source: str):
    namespace: dict = {}
    exec(source, namespace)
    return grade_here(HEADS, namespace)


WRONG = solution_of(HEADS).replace(".transpose(1, 2).reshape", ".reshape")


def test_states_follow_the_checks(progress: Progress) -> None:
    progress.record(verdict(stub_of(HEADS)), "a")
    assert progress.standings()["split_heads"].state == "not started"
    progress.record(verdict(WRONG), "b")
    standing = progress.standings()["split_heads"]
    assert (standing.state, standing.attempts) == ("in progress", 1)
    assert standing.mistakes == {"merge-not-transposed": 1}
    progress.record(verdict(solution_of(HEADS)), "c")
    progress.record(verdict(WRONG), "d")
    standing = progress.standings()["split_heads"]
    assert (standing.state, standing.attempts) == ("passed", 3)


def test_same_text_and_verdict_are_recorded_once(progress: Progress) -> None:
    for _ in range(3):
        progress.record(verdict(WRONG), "same text")
    assert len(progress.events()) == 1


def test_merge_is_a_union(tmp_path: Path) -> None:
    home, work = Progress(tmp_path / "a.json"), Progress(tmp_path / "b.json")
    home.add("sdpa", "check", state="passed", mistakes=[])
    work.add("masks", "check", state="failed", mistakes=["causal-float"])
    work.add("sdpa", "reveal")
    assert home.merge_file(work.path) == 2
    assert home.merge_file(work.path) == 0
    assert work.merge_file(home.path) == 1
    assert home.events() == work.events()
    assert home.standings()["sdpa"].state == "passed"
    assert home.standings()["sdpa"].revealed


def test_merging_something_else_is_a_clear_error(progress: Progress, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for content in ("{}", "[1]", "no json", '{"version": 1, "events": [{"id": 3}]}'):
        other.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=r"other\.json"):
            progress.merge_file(other)


def test_damaged_file_is_kept_and_reported(progress: Progress) -> None:
    progress.path.write_text('{"version": 1, "events": [', encoding="utf-8")
    progress.add("sdpa", "hint", number=1)
    assert len(progress.events()) == 1
    kept = list(progress.path.parent.glob("progress.damaged-*.json"))
    assert len(kept) == 1
    assert kept[0].name in progress.warnings[0]


def test_failed_write_leaves_the_old_file(
    progress: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress.add("sdpa", "hint", number=1)
    before = progress.path.read_bytes()

    def full_disk(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="no space"):
        progress.add("sdpa", "hint", number=2)
    assert progress.path.read_bytes() == before
    assert [p.name for p in progress.path.parent.iterdir()] == ["progress.json"]


def test_writers_at_the_same_time_lose_nothing(progress: Progress) -> None:
    code = (
        "import sys; from pathlib import Path; from exercises.engine.progress import Progress\n"
        "for n in range(15): Progress(Path(sys.argv[1])).add('sdpa', 'hint', number=1)"
    )
    command = [sys.executable, "-c", code, str(progress.path)]
    writers = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(progress.events()) == 45


def test_forgotten_lock_expires(progress: Progress, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = progress.path.with_name("progress.json.lock")
    lock.touch()
    os.utime(lock, (0, 0))
    monkeypatch.setattr(module, "LOCK_PATIENCE", 60.0)
    progress.add("sdpa", "reveal")
    assert not lock.exists()
    assert json.loads(progress.path.read_text(encoding="utf-8"))["events"]
