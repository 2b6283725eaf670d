"""Where the learner's files are: the stub that is edited, backups, the progress file."""

import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from exercises.engine.exercise import Exercise
from exercises.engine.sandbox import Answer
from exercises.engine.stub import stub_of
from exercises.engine.text import HOME, say


class MissingFile(OSError):
    """The learner's file is not there or cannot be read; the message says what to do."""


@dataclass(frozen=True)
class Workspace:
    """The folder that holds the learner's ``<id>/<id>.py``: by default the exercises."""

    home: Path = HOME

    @property
    def progress(self) -> Path:
        """The progress file."""
        return self.home / "progress.json"

    def path(self, exercise: Exercise) -> Path:
        """The file that the learner edits."""
        return self.home / exercise.id / f"{exercise.id}.py"

    def shown(self, exercise: Exercise) -> str:
        """That file as the learner would type it."""
        path = self.path(exercise)
        try:
            return str(path.relative_to(Path.cwd()))
        except ValueError:
            return str(path)

    def answer(self, exercise: Exercise) -> Answer:
        """Read the learner's file.

        Raises:
            MissingFile: if it is gone or is not UTF-8 text.
        """
        path = self.path(exercise)
        try:
            return Answer(path.read_text(encoding="utf-8-sig"), str(path))
        except FileNotFoundError:
            raise MissingFile(say("no_file", path=self.shown(exercise), id=exercise.id)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise MissingFile(say("bad_file", path=self.shown(exercise), reason=error)) from None

    def reset(self, exercise: Exercise) -> Path | None:
        """Bring the stub back; returns where the old file is kept, None if nothing changed."""
        path, stub = self.path(exercise), stub_of(exercise)
        backup = None
        if path.exists():
            if path.read_bytes().replace(b"\r\n", b"\n") == stub.encode():
                return None
            stamp = time.strftime("%Y%m%d-%H%M%S") + f"-{time.time_ns() % 10**6:06d}"
            backup = self.home / "backups" / f"{exercise.id}-{stamp}.py"
            backup.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, backup)
        write_text(path, stub)
        return backup


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with ``\\n`` line ends; readers see the old file or the new one, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        Path(name).chmod(mode)
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
