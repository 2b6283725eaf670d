"""The script that turns sources into notebooks."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

GLUED = {"scrapbook": {"name": "answer", "mime_prefix": "application/papermill.record/"}}
SOURCE = """\
---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A page

```{{code-cell}} python
{code}
```
"""


@pytest.fixture
def little_book(builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of one page in a folder of its own; returns the page's source."""
    for folder in ("source", "tools", "course"):
        (tmp_path / "book" / folder).mkdir(parents=True)
    book = tmp_path / "book"
    (book / "_config.yml").write_text(
        "repository: {url: 'https://example.org/x'}", encoding="utf-8"
    )
    (book / "tools" / "first_cell.py").write_text("home = '{repository}'\n", encoding="utf-8")
    (book / "course" / "__init__.py").write_text("ANSWER = 42\n", encoding="utf-8")
    source = book / "source" / "01_page.md"
    source.write_text(SOURCE.format(code="import course\ncourse.ANSWER"), encoding="utf-8")
    monkeypatch.setattr(builder, "BOOK", book)
    monkeypatch.setattr(builder, "ROOT", tmp_path)
    return source


def test_stripping_spares_glued_values(builder: ModuleType):
    data = {"application/papermill.record/text/plain": "42"}
    cell = new_code_cell("glue('answer', 42)", execution_count=3)
    cell.outputs = [
        new_output("display_data", data=data, metadata=GLUED | {"needs_background": "light"}),
        new_output("execute_result", data={"text/plain": "1"}, execution_count=7),
    ]
    notebook = new_notebook(cells=[cell])
    builder.strip(notebook)
    assert cell.outputs[0].metadata == GLUED
    assert cell.outputs[0].data == data
    assert cell.outputs[1].execution_count == 3


def test_the_first_cell_has_the_address_filled_in(builder: ModuleType, little_book: Path):
    notebook = builder.convert(little_book)
    assert [c.cell_type for c in notebook.cells] == ["markdown", "code", "code"]
    assert notebook.cells[1].source == "home = 'https://example.org/x'"
    assert notebook.cells[1].metadata == {"tags": ["remove-cell"]}


@pytest.mark.slow
def test_only_what_changed_is_executed_and_a_second_run_changes_nothing(
    builder: ModuleType, little_book: Path
):
    assert builder.is_stale(little_book)
    path = builder.build(little_book)
    first = path.read_bytes()
    assert b'"42"' in first
    assert not builder.is_stale(little_book)
    builder.build(little_book)
    assert path.read_bytes() == first

    helper = little_book.parents[1] / "course" / "__init__.py"
    helper.write_text("ANSWER = 43\n", encoding="utf-8")
    assert builder.is_stale(little_book), "an imported file of the repository changed"
    builder.build(little_book)
    assert not builder.is_stale(little_book)

    little_book.write_text(SOURCE.format(code="7"), encoding="utf-8")
    assert builder.is_stale(little_book), "the source changed"


@pytest.mark.slow
def test_a_warning_stops_the_build_and_leaves_no_notebook(builder: ModuleType, little_book: Path):
    code = "import warnings\nwarnings.warn('old')"
    little_book.write_text(SOURCE.format(code=code), encoding="utf-8")
    with pytest.raises(RuntimeError, match="standard error"):
        builder.build(little_book)
    assert not builder.notebook_path(little_book).exists()


def test_check_reports_and_runs_nothing(
    builder: ModuleType, little_book: Path, capsys: pytest.CaptureFixture
):
    assert builder.main(["--check"]) == 1
    assert "stale: 01_page.ipynb" in capsys.readouterr().out
    assert not builder.notebook_path(little_book).exists()


def test_the_first_cell_fetches_the_course_only_where_it_is_missing(
    builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    commands: list[list[str]] = []

    def run(command: list[str], *, check: bool) -> None:
        assert check
        commands.append(command)
        if command[0] == "git":
            (tmp_path / "course-files" / "book").mkdir(parents=True)

    code = builder.first_cell()
    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr("sys.path", list(sys.path))
    (tmp_path / "somewhere").mkdir()
    monkeypatch.chdir(tmp_path / "somewhere")
    exec(code, {})
    assert commands == [], "the package is installed here"

    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert commands[0][:2] == ["git", "clone"]
    assert commands[1][1:4] == ["-m", "pip", "install"]
    assert Path.cwd() == tmp_path / "course-files" / "book"
    assert sys.path[:2] == [str(Path.cwd()), str(Path.cwd().parent)]


def test_streams_that_came_in_parts_are_one_output(builder: ModuleType):
    def out(text: str, name: str = "stdout"):
        return new_output("stream", name=name, text=text)

    other = new_output("display_data", data={"text/plain": "x"})
    cell = new_code_cell("", outputs=[out("a"), out("b\n"), other, out("c"), out("d", "stderr")])
    builder.join_streams(cell)
    assert [o.get("text") for o in cell.outputs] == ["ab\n", None, "c", "d"]
