"""Check again on every save, by looking at the files: works on network drives and on Windows."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

INTERVAL = 0.5  # seconds


def changes(
    paths: Sequence[Path], interval: float = INTERVAL, stop: Callable[[], bool] = lambda: False
) -> Iterator[Path]:
    """Yield every path once at the start and again after each change of its content.

    Size and time tell that a file may have changed; the content decides, because some editors write
    the same text again and coarse clocks miss fast saves. A file that is gone for a moment (editors
    replace files) is waited for.
    """
    seen: dict[Path, tuple[tuple[int, int], bytes]] = {}
    while not stop():
        for path in paths:
            state = _state(path)
            if state is None or (path in seen and seen[path] == state):
                continue
            known = seen.get(path)
            seen[path] = state
            if known is None or known[1] != state[1]:
                yield path
        time.sleep(interval)


def _state(path: Path) -> tuple[tuple[int, int], bytes] | None:
    try:
        status = path.stat()
        return (status.st_mtime_ns, status.st_size), path.read_bytes()
    except OSError:
        return None
