"""The executed notebooks: what their sources say, run in order, and nothing of this machine."""

import json
import re
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
SOURCES = sorted((BOOK / "source").glob("*.md"))
NOTEBOOKS = [BOOK / f"{source.stem}.ipynb" for source in SOURCES]


def name(path: Path) -> str:
    return path.name


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


@pytest.mark.parametrize("source", SOURCES, ids=name)
def test_cells_are_those_of_the_source(source: Path, builder: ModuleType):
    expected = builder.convert(source)
    stored = read(builder.notebook_path(source))

    def content(notebook):
        return [(c.cell_type, c.id, c.source, c.metadata) for c in notebook.cells]

    assert content(stored) == content(expected), "run `make notebooks`"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_every_code_cell_was_executed_in_order(notebook: Path):
    # nbval does not compare the outputs of a cell without an execution count.
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_no_output_is_an_error_or_a_warning(notebook: Path):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"] == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_nothing_tells_which_machine_it_was(notebook: Path):
    stored = read(notebook)
    text = json.dumps(stored, ensure_ascii=False)
    pictures_out = re.sub(r'"image/png": "[^"]*"', "", text)
    home_or_temp = r"(?:/(?:home|root|tmp|Users|work|usr|opt)/|[A-Z]:\\\\)[\w.-]+"
    assert re.findall(home_or_temp, pictures_out) == []
    assert re.findall(r" at 0x[0-9a-f]{6,}", pictures_out) == []
    assert set(stored.metadata) == {"course", "kernelspec", "language_info"}
    assert stored.metadata.language_info == {"name": "python"}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_every_picture_has_a_text_for_those_who_cannot_see_it(notebook: Path):
    for cell in code_cells(notebook):
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            image = cell.metadata.get("mystnb", {}).get("image", {})
            assert len(image.get("alt", "")) > 30, cell.source


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_a_picture_is_drawn_from_numbers_that_are_asserted(notebook: Path):
    # image/png is not compared by nbval, so the cell must check what it draws.
    for cell in code_cells(notebook):
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            assert re.search(r"^\s*(assert |np\.testing\.|torch\.testing\.)", cell.source, re.M)


def test_there_is_no_notebook_without_a_source():
    assert sorted(BOOK.glob("*.ipynb")) == sorted(NOTEBOOKS)
