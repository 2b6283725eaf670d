"""The chapters' Markdown: complete in form, and free of what a build does not notice."""

import re
from pathlib import Path
from types import ModuleType

import pytest
import yaml

BOOK = Path(__file__).resolve().parents[2] / "book"
SOURCES = sorted((BOOK / "source").glob("*.md"))
PAGES = [*SOURCES, *sorted(BOOK.glob("*.md"))]
CHAPTERS = [p for p in SOURCES if int(p.name[:2]) > 0]  # page 00 is no chapter
CODE_WIDTH = 92
FORM = (
    "You will learn",
    "You need",
    "Time",
    "In three lines",
    "Predict before you run",
    "Break it",
    "## Check yourself",
    "## Exercises",
    "## Three things to remember",
    "## Further reading",
)


def name(path: Path) -> str:
    return path.name


def open_fences(text: str) -> list[str]:
    """Fences that were opened and never closed, innermost last."""
    stack: list[str] = []
    for line in text.splitlines():
        match = re.match(r"\s*(:{3,}|`{3,})\s*(.*)$", line)
        if not match:
            continue
        fence, rest = match.groups()
        if stack and stack[-1][0] == "`" and (fence[0] != "`" or rest):
            continue  # inside a code block everything is text
        if stack and not rest and fence == stack[-1]:
            stack.pop()
        else:
            stack.append(fence)
    return stack


def prose(text: str) -> str:
    """``text`` without front matter, code blocks and code spans."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+).+?\1", "", text)


def stray_dollars(text: str) -> list[str]:
    """Lines that still hold a dollar sign when every formula is taken out."""
    text = prose(text)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    # Inline formulas may run over a line's end, but not over a paragraph's.
    text = re.sub(r"(?<!\\)\$(?:[^$\n]|\n(?!\n))+?(?<!\\)\$", "", text)
    return [line for line in text.splitlines() if re.search(r"(?<!\\)\$", line)]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_fences_are_closed(page: Path):
    assert open_fences(page.read_text(encoding="utf-8")) == []


def test_an_open_fence_is_found():
    assert open_fences(":::{note}\ntext\n") == [":::"]
    assert open_fences("::::{a}\n:::{b}\n:::\n::::\n```{code-cell}\n:::\n```\n") == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_dollar_signs_come_in_pairs(page: Path):
    assert stray_dollars(page.read_text(encoding="utf-8")) == []


def test_a_stray_dollar_is_found():
    assert stray_dollars("costs $5, see $x$") == ["costs 5, see $x$"] or stray_dollars("a $ b")
    assert stray_dollars("$x$ and `$` and\n\n$$\ny\n$$\n") == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name)
def test_a_chapter_has_every_part_of_its_form(chapter: Path):
    text = chapter.read_text(encoding="utf-8")
    assert [part for part in FORM if part not in text] == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=name)
def test_a_chapter_has_a_quiz(chapter: Path):
    text = chapter.read_text(encoding="utf-8")
    questions = re.split(r"^:{4,}\{question\}", text, flags=re.MULTILINE)[1:]
    assert len(questions) >= 4
    for question in questions:
        choices = re.split(r"^:{3}\{choice\} ", question, flags=re.MULTILINE)[1:]
        assert len(choices) >= 2
        assert sum(":right:" in choice for choice in choices) == 1
        for choice in choices:
            feedback = re.sub(r"^(:right:|:{3,})$", "", choice, flags=re.MULTILINE)
            assert len(feedback.strip().splitlines()) >= 2, f"no feedback: {choice}"


@pytest.mark.parametrize("source", SOURCES, ids=name)
def test_code_fits_the_width_of_a_page(source: Path, builder: ModuleType):
    code = [
        c.source
        for c in builder.convert(source).cells
        if "remove-cell" not in c.metadata.get("tags", []) and c.cell_type == "code"
    ]
    assert code
    lines = [line for cell in code for line in cell.splitlines()]
    assert [line for line in lines if len(line) > CODE_WIDTH] == []


def test_every_page_is_in_the_table_of_contents():
    toc = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    listed = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    assert sorted([toc["root"], *listed]) == sorted(p.stem for p in PAGES)


def test_no_page_knows_the_repository_address_but_the_configuration():
    config = yaml.safe_load((BOOK / "_config.yml").read_text(encoding="utf-8"))
    address = config["repository"]["url"]
    code = [p for folder in ("course", "tools", "extensions") for p in (BOOK / folder).glob("*.py")]
    assert [p.name for p in [*PAGES, *code] if address in p.read_text(encoding="utf-8")] == []
