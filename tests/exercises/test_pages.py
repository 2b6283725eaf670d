"""Pages that are made from the exercises: every mistake is on them, and nothing in it is markup."""

from pathlib import Path

import pytest

from exercises.engine.authors import kill_matrix, main
from exercises.engine.catalogue import find, load_all
from exercises.engine.pages import escape, kill_page, misconception_page
from exercises.engine.text import page_name


def test_kill_page_has_a_row_for_every_mistake() -> None:
    heads = find("split_heads")
    page = kill_page({"split_heads": heads}, kill_matrix("split_heads"))
    rows = [line for line in page.splitlines() if line.startswith("| **")]
    assert len(rows) == len(heads.text.mutants)
    assert page.count(":::{dropdown}") == 1
    assert any("two positions (isolated" in row for row in rows)
    assert f"{len(rows)} mistakes, {len(heads.checks)} checks" in page


def test_map_holds_every_mistake_once() -> None:
    exercises = load_all().values()
    page = misconception_page(exercises)
    entries = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(entries) == sum(len(exercise.text.mutants) for exercise in exercises)
    assert page.count("\n:::\n") == page.count(":::{dropdown}")


def test_map_refers_to_labels_that_exist_and_promises_no_others(tmp_path: Path) -> None:
    chapter = "# Self-attention\n\n(masks)=\n\n## Masks and what they hide\n"
    (tmp_path / "03_self_attention.md").write_text(chapter, encoding="utf-8")
    page = misconception_page([find("sdpa")], tmp_path)
    assert "\n## Self-attention\n" in page
    assert ":::{dropdown} Masks and what they hide: " in page
    assert "<masks>`" in page
    assert "<why-the-root>`" not in page
    assert "{doc}`/03_self_attention`" in page


@pytest.mark.parametrize("text", ["a | b", "$x$", "x_1 * y_2", "[a](b)", "`c`", "a < b", "{d}"])
def test_markup_in_words_is_escaped(text: str) -> None:
    escaped = escape(text)
    assert escaped.replace("\\", "") == text
    for position, character in enumerate(escaped):
        assert character not in "|$*_[]`<{}" or escaped[position - 1] == "\\"


def test_command_writes_both_pages(tmp_path: Path) -> None:
    assert main(["page", str(tmp_path / "kills.md"), "split_heads"]) == 0
    assert main(["misconceptions", str(tmp_path / "map.md"), "split_heads", "masks"]) == 0
    assert (tmp_path / "kills.md").read_text(encoding="utf-8").startswith("(kill-matrix)=\n# ")
    assert (tmp_path / "map.md").read_text(encoding="utf-8").startswith("(misconception-map)=\n# ")


def test_command_without_a_file_explains_itself(capsys: pytest.CaptureFixture) -> None:
    assert main(["page"]) == 2
    assert "page      FILE" in capsys.readouterr().out


def test_page_names_are_files_of_the_book() -> None:
    assert page_name("self_attention#masks") == "03_self_attention"
