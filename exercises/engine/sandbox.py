"""The parent's side of the child process: start it, watch the clock, collect what it returned.

Nothing that the learner's code does in the child reaches the verdict except through the arrays it
returns: the oracle, the comparison and the progress file live in this process.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from exercises.engine.case import Case, Outcome
from exercises.engine.isolated import wire

TIME_LIMIT = 10.0  # seconds of the learner's code; every case here takes milliseconds
START_LIMIT = 180.0  # seconds to import torch on a cold, slow disk
KEPT_OUTPUT = 4000  # characters of what the learner printed
POLL = 0.01
HOME = Path(__file__).resolve().parents[1]
CHILD = HOME / "engine" / "isolated" / "child.py"


@dataclass(frozen=True)
class Answer:
    """The learner's code as text. ``filename`` is what tracebacks and messages call it."""

    source: str
    filename: str


@dataclass(frozen=True)
class Crash:
    """Why the child did not finish: ``timeout``, ``exit``, ``killed``, ``start``, ``damaged``."""

    kind: str
    case: int | None = None
    detail: str = ""


@dataclass
class Run:
    """Everything that came back. ``outcomes[i]`` is None where case ``i`` was not reached."""

    outcomes: list[Outcome | None]
    import_error: dict | None = None
    missing: list[str] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    crash: Crash | None = None
    printed: str = ""
    refused: list[str] = field(default_factory=list)


def run(
    answer: Answer,
    cases: Sequence[Case],
    functions: Sequence[str],
    *,
    driver: Path | None = None,
    time_limit: float = TIME_LIMIT,
) -> Run:
    """Run the learner's functions on all cases in one child process."""
    with tempfile.TemporaryDirectory(prefix="exercise-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        job = {
            "source": answer.source,
            "filename": answer.filename,
            "functions": list(functions),
            "driver": str(driver) if driver else None,
            "exercises": str(HOME),
            "closed_folders": [str(HOME.parent / "companion")],
            "cases": [case.to_wire() for case in cases],
        }
        wire.save(folder / "job.npz", job)
        output = _Output()
        process = _start(folder)
        output.drain(process.stdout)
        try:
            kind, detail = _wait(process, folder / "events.txt", time_limit)
        finally:
            _kill(process)
        output.finish(process.stdout)
        return _collect(folder, len(cases), kind, detail, output.text())


def _start(folder: Path) -> subprocess.Popen:
    environment = {
        **os.environ,
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    group = {"creationflags": 0x200} if sys.platform == "win32" else {"start_new_session": True}
    return subprocess.Popen(
        [sys.executable, "-P", str(CHILD), str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment,
        **group,
    )


def _wait(process: subprocess.Popen, events: Path, time_limit: float) -> tuple[str, str]:
    """Wait for the end. The learner's clock starts when torch is imported, not before."""
    deadline = time.monotonic() + START_LIMIT
    ready = False
    while process.poll() is None:
        if not ready and events.exists() and events.stat().st_size:
            ready = True
            deadline = time.monotonic() + time_limit
        if time.monotonic() > deadline:
            return ("timeout", f"{time_limit:g}") if ready else ("start", f"{START_LIMIT:g} s")
        time.sleep(POLL)
    return ("killed" if process.returncode < 0 else "exit"), str(abs(process.returncode))


def _kill(process: subprocess.Popen) -> None:
    """End the child and, on POSIX, whatever it managed to start in its own session."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, 9)
    if process.poll() is None:
        process.kill()
    process.wait()


class _Output:
    """Reads what the child prints, keeps the beginning, and lets a flood pass."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._total = 0
        self._thread: threading.Thread | None = None

    def drain(self, stream: IO[bytes] | None) -> None:
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), 65536):
                self._total += len(chunk)
                self._kept += chunk[: max(0, 4 * KEPT_OUTPUT - len(self._kept))]

    def finish(self, stream: IO[bytes] | None) -> None:
        if self._thread is not None:
            self._thread.join(timeout=2)
        if stream is not None and not (self._thread and self._thread.is_alive()):
            stream.close()

    def text(self) -> str:
        text = self._kept.decode("utf-8", "replace").replace("\r\n", "\n")
        if len(text) <= KEPT_OUTPUT and self._total <= len(self._kept):
            return text
        return f"{text[:KEPT_OUTPUT]}\n[cut: {self._total} bytes were printed]"


def _collect(folder: Path, count: int, kind: str, detail: str, printed: str) -> Run:
    """Read what the child left; a missing or damaged file is a fact, never an exception."""
    result = Run(outcomes=[None] * count, printed=printed)
    events = _events(folder / "events.txt")
    result.refused = [event for event in events if event.split(" ", 1)[0] in REFUSALS]
    reached = [int(e.split()[1]) for e in events if e.startswith("case ") and e[5:].isdigit()]
    last = reached[-1] if reached and reached[-1] < count else None
    try:
        if not events:
            raise LookupError
        module = wire.load(folder / "module.npz")
        result.import_error = module["error"]
        result.missing, result.defined = list(module["missing"]), list(module["defined"])
        for index in range(count):
            if (folder / f"{index:04d}.npz").exists():
                result.outcomes[index] = Outcome.from_wire(wire.load(folder / f"{index:04d}.npz"))
    except LookupError:
        result.crash = Crash("start", None, printed[-1500:])
        return result
    except (wire.WireError, KeyError, TypeError) as error:
        reason = str(error)
        if (folder / "module.npz").exists() or (kind == "exit" and "end" in events):
            result.crash = Crash("damaged", last, reason)
            return result
    if "end" not in events or kind == "timeout":
        result.crash = Crash(kind, last, detail)
    elif result.import_error is None and not result.missing and None in result.outcomes:
        result.crash = Crash("damaged", last, "a result file is missing")
    return result


REFUSALS = {"read", "write", "import", "process"}


def _events(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
