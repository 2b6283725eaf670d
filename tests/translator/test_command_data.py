"""`companion data` counts a corpus for people and for programs."""

import json
from pathlib import Path

from click.testing import CliRunner

from companion.translator.command_line import main


def test_a_file_is_reported_on(tmp_path: Path) -> None:
    lines = [f"I have {i} books.\t我有{i}本书。\n" for i in range(2, 102)]
    path = tmp_path / "cmn.txt"
    path.write_text("".join([*lines, "no pair\n", lines[0]]), encoding="utf-8")
    result = CliRunner().invoke(main, ["data", str(path)])
    assert result.exit_code == 0, result.output
    assert "      101  read" in result.stdout
    assert "      100  without doubles" in result.stdout
    assert "        1  malformed lines\n  line 101: 1 columns" in result.stdout
    assert "in the training data: 0 sources, 0 references" in result.stdout
    report = json.loads(CliRunner().invoke(main, ["data", str(path), "--json"]).stdout)
    assert report["leakage"]["test"] == {"sources": 0, "references": 0}


def test_bad_files_are_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "empty.tsv"
    path.write_text("", encoding="utf-8")
    result = CliRunner().invoke(main, ["data", str(path)])
    assert result.exit_code == 2
    assert result.stderr == f"Error: {path} holds no Chinese-English pair among its 0 lines\n"
    assert CliRunner().invoke(main, ["data", str(tmp_path / "none")]).exit_code == 2
