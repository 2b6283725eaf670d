"""What a learner has achieved: an append-only list of events in one JSON file.

Everything else (passed? how many attempts?) is computed from the events, so two files merge by
taking the union: nothing is lost, merging twice changes nothing, and the order does not matter.
"""

import contextlib
import hashlib
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exercises.engine.text import say
from exercises.engine.verdict import NOT_STARTED, PASSED, Verdict
from exercises.engine.workspace import write_text

VERSION = 1
LOCK_PATIENCE, LOCK_STALE = 3.0, 15.0  # seconds
REQUIRED = ("id", "time", "exercise", "kind")


@dataclass
class Standing:
    """Where one exercise stands."""

    state: str = NOT_STARTED
    attempts: int = 0
    hints: int = 0
    revealed: bool = False
    passed_at: str = ""
    mistakes: Counter = field(default_factory=Counter)


class Progress:
    """The progress file. Every write is atomic, and first takes in what others wrote meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warnings: list[str] = []

    def events(self) -> list[dict[str, Any]]:
        """All events, oldest first. A damaged file is moved aside, never deleted."""
        try:
            return _valid(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return []
        except (ValueError, TypeError, KeyError):
            kept = self.path.with_name(f"{self.path.stem}.damaged-{time.time_ns()}.json")
            os.replace(self.path, kept)  # noqa: PTH105
            self.warnings.append(say("damaged_progress", path=self.path, kept=kept.name))
            return []

    def add(self, exercise: str, kind: str, **details: Any) -> None:
        """Append one event."""
        stamp = (
            time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() % 10**9:09d}Z"
        )
        event = {"id": uuid.uuid4().hex[:16], "time": stamp, "exercise": exercise, "kind": kind}
        self.merge([{**event, **details}])

    def record(self, verdict: Verdict, source: str = "") -> None:
        """Append a check's verdict, unless it repeats the last one for the same text."""
        started = verdict.state != NOT_STARTED  # a bug hunt's own bug is not the learner's
        details = {
            "state": verdict.state,
            "mistakes": [code for code in verdict.codes if code != "not-started" and started],
            "source": hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:16],
        }
        last = [
            e for e in self.events() if e["exercise"] == verdict.exercise and e["kind"] == "check"
        ]
        if not last or any(last[-1].get(key) != value for key, value in details.items()):
            self.add(verdict.exercise, "check", **details)

    def merge(self, events: Iterable[dict[str, Any]]) -> int:
        """Take in events that are not there yet; returns how many were new."""
        with _lock(self.path):
            known = {event["id"]: event for event in self.events()}
            before = len(known)
            for event in events:
                known.setdefault(event["id"], event)
            if len(known) > before:
                ordered = sorted(known.values(), key=lambda event: (event["time"], event["id"]))
                document = {"version": VERSION, "events": ordered}
                write_text(self.path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
            return len(known) - before

    def merge_file(self, path: Path) -> int:
        """Take in another progress file.

        Raises:
            ValueError: if it is not one.
        """
        try:
            return self.merge(_valid(json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise ValueError(say("bad_file", path=path, reason=error)) from error

    def standings(self) -> dict[str, Standing]:
        """Where each exercise stands, computed from the events."""
        found: dict[str, Standing] = {}
        for event in self.events():
            _apply(found.setdefault(event["exercise"], Standing()), event)
        return found


def _apply(standing: Standing, event: dict[str, Any]) -> None:
    match event["kind"]:
        case "check":
            state = event.get("state")
            standing.attempts += state != NOT_STARTED
            standing.mistakes.update(event.get("mistakes", ()))
            if state == PASSED:
                standing.passed_at = standing.passed_at or event["time"]
            if standing.passed_at:
                standing.state = PASSED
            elif state != NOT_STARTED or standing.attempts:
                standing.state = "in progress"
        case "hint":
            standing.hints = max(standing.hints, int(event.get("number", 0)))
        case "reveal":
            standing.revealed = True
        case "reset":
            standing.hints = 0


def _valid(document: Any) -> list[dict[str, Any]]:
    """Check the form of a progress document.

    Raises:
        ValueError, KeyError, TypeError: if it has another form.
    """
    if document["version"] != VERSION:
        raise ValueError(f"progress version {document['version']} is not {VERSION}")
    for event in document["events"]:
        if not all(isinstance(event[key], str) for key in REQUIRED):
            raise ValueError("an event lacks a field")
    return document["events"]


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Keep two processes (a watch and a check) from writing at once; a forgotten lock expires."""
    lock = path.with_name(path.name + ".lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + LOCK_PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except (FileExistsError, PermissionError):
            with contextlib.suppress(OSError):
                if time.time() - lock.stat().st_mtime > LOCK_STALE:
                    lock.unlink()
                    continue
            if time.monotonic() > deadline:  # better two writers than a learner who waits
                break
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
