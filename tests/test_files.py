"""Files are replaced whole or left alone."""

import json
import os
from pathlib import Path

import pytest

from companion._files import replace_file, write_bytes, write_json, write_text


def test_text_is_utf8_with_unix_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "好久不见\n")
    assert (tmp_path / "a.txt").read_bytes() == "好久不见\n".encode()


def test_json_stays_readable(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"源": ["好"]})
    content = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert "好" in content
    assert json.loads(content) == {"源": ["好"]}


def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.bin"
    write_bytes(target, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_bytes(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def test_what_somebody_else_writes_is_whole_as_well(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    replace_file(target, lambda path: path.write_bytes(b"old"))

    def half(path: Path) -> None:
        path.write_bytes(b"ne")
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        replace_file(target, half)
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
