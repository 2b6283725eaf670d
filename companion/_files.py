"""Write a file whole or not at all.

A reader never sees half a file: the bytes go into a temporary file beside the target, reach the
disk, and then take the target's name in one step (`os.replace`). When the disk is full or the
process dies on the way, the file that stood there before is still the old one.
"""

import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any


def replace_file(path: Path, write: Callable[[Path], Any]) -> None:
    """Replace `path` atomically by the file that `write` makes under the name it is given.

    The folder must exist. Raises what `write` raises, and OSError.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        write(temporary)
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Replace `path` by `content` atomically; the folder must exist. Raises OSError."""
    replace_file(path, lambda temporary: temporary.write_bytes(content))


def write_text(path: Path, content: str) -> None:
    """Replace `path` by `content`, as UTF-8 with Unix line ends, atomically."""
    write_bytes(path, content.encode("utf-8"))


def write_json(path: Path, content: Any) -> None:
    """Replace `path` by `content` as JSON that a person can read: UTF-8, indented, no escapes."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
