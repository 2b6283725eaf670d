"""Limits on the child process, set after ``torch`` is loaded and before the learner's code runs.

An audit hook cannot be taken away again by Python code. It closes the solutions, refuses writes
to the exercises and the starting of processes, and notes each attempt. Limits, stated plainly:
code that opens files from C (``ctypes``, ``torch.from_file``) is not seen, and nobody is kept
from reading the solution in an editor. The hook is there against accidents and temptation, not
against a determined attacker; what *no* trick in the child changes is the verdict, which the
parent computes from returned numbers.
"""

import os
import sys
from pathlib import Path

CLOSED_STEMS = {"solution", "mutants", "alternatives", "spec"}
PROCESS_EVENTS = {
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.spawn",
}
CHANGE_EVENTS = {"os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
CLOSED_PACKAGES = {"companion", "exercises"}
EXTRA_MEMORY = 2 << 30  # bytes beyond what Python and torch already take


def limit_memory() -> None:
    """Cap the address space where the system can (Linux); elsewhere the time limit has to do."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + EXTRA_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, OSError, ValueError):
        pass


def install(note: int, exercises: str, closed_folders: tuple[str, ...]) -> None:
    """Close the solutions below ``exercises`` and everything in ``closed_folders``.

    Args:
        note: file descriptor that receives one line for each refused attempt.
    """
    fspath, separator = os.fspath, os.sep
    realpath, normcase = os.path.realpath, os.path.normcase
    write, encode = os.write, str.encode
    home = normcase(realpath(exercises)) + separator
    closed = tuple(normcase(realpath(folder)) + separator for folder in closed_folders)
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def refuse(kind: str, subject: str) -> None:
        write(note, encode(f"{kind} {subject}\n", "utf-8", "replace"))
        raise PermissionError(f"the grader refuses this ({kind}): {subject}")

    def resolve(path: object) -> str:
        path = fspath(path) if not isinstance(path, str) else path  # type: ignore[call-overload]
        text = path.decode(errors="replace") if isinstance(path, bytes) else path
        return normcase(realpath(text))

    def look(path: object, flags: int) -> None:
        if not isinstance(path, str | bytes) and not hasattr(path, "__fspath__"):
            return  # an open file descriptor
        full = resolve(path)
        name = full.rsplit(separator, 1)[-1].split(".", 1)[0]
        if full.startswith(closed) or (full.startswith(home) and name in CLOSED_STEMS):
            refuse("read", full)
        if full.startswith(home) and flags & writing:
            refuse("write", full)

    def hook(event: str, arguments: tuple) -> None:
        if event == "open":
            look(arguments[0], arguments[2] if isinstance(arguments[2], int) else 0)
        elif event == "import":
            if arguments[0].split(".", 1)[0] in CLOSED_PACKAGES:
                refuse("import", arguments[0])
        elif event in PROCESS_EVENTS:
            refuse("process", event)
        elif event in CHANGE_EVENTS:
            for path in arguments[:2]:
                look(path, writing)

    sys.addaudithook(hook)
