"""Checking on save, by polling."""

import io
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from exercises.engine import command_line
from exercises.engine.catalogue import find
from exercises.engine.stub import solution_of
from exercises.engine.watch import changes
from exercises.engine.workspace import Workspace


def test_changes_are_seen_once_by_content(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("1", encoding="utf-8")
    actions: list[Callable[[], object]] = [
        lambda: None,
        lambda: path.write_text("2", encoding="utf-8"),
        lambda: os.utime(path, (1, 1)),  # touched, not changed
        path.unlink,  # an editor replaces the file: gone for a moment
        lambda: path.write_text("2", encoding="utf-8"),
        lambda: path.write_text("3", encoding="utf-8"),
    ]
    seen: list[str] = []

    def stop() -> bool:
        if not actions:
            return True
        actions.pop(0)()
        return False

    for changed in changes([path], interval=0, stop=stop):
        seen.append(changed.read_text(encoding="utf-8"))
    assert seen == ["1", "2", "3"]


def test_watch_checks_on_every_save(
    workspace: Workspace, write: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()

    def until(text: str) -> None:
        deadline = time.monotonic() + 60
        while text not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)

    def learner() -> None:
        until("not started")
        write("split_heads", solution_of(find("split_heads")))
        until("passed all")
        finished.set()

    finished = threading.Event()

    def watched(paths: list[Path], interval: float):
        yield from changes(paths, interval, finished.is_set)
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "changes", watched)
    thread = threading.Thread(target=learner)
    thread.start()
    arguments = ["watch", "split_heads", "--interval", "0.05"]
    code = command_line.main(arguments, workspace, Console(file=screen))
    thread.join()
    assert code == 0
    text = screen.getvalue()
    assert text.index("not started") < text.index("passed all") < text.index("Stopped watching")
