"""A course, not an encyclopedia: how many words of running text the book has.

Counted are the words of paragraphs and lists. Not counted: code, formulas, tables, quizzes, the
options of directives, and appendices.
"""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = [
    BOOK / "index.md",
    BOOK / "start_here.md",
    *sorted(BOOK.glob("source/*.md")),
    *sorted(BOOK.glob("[0-9][0-9]_*.md")),
]
BOOK_WORDS = range(25_000, 40_001)
CHAPTER_WORDS = range(900, 3_801)


def running_text(text: str) -> str:
    """``text`` without what is not counted."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(:{4,})\{question\}.*?^\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\$\$.*?\$\$(?: *\([\w-]+\))?", "", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]*\$", "x", text)
    text = re.sub(r"^\|.*$|^:[\w-]+:.*$|^:{3,}.*$|^\(.*\)=$", "", text, flags=re.MULTILINE)
    return re.sub(r"\{[\w:-]+\}`[^`]*`", "x", text)


def count(text: str) -> int:
    return len(re.findall(r"[A-Za-z][\w'’-]*", running_text(text)))


def counted() -> dict[str, int]:
    return {page.name: count(page.read_text(encoding="utf-8")) for page in PAGES}


def test_only_running_text_is_counted():
    text = (
        "---\na: b\n---\n# Two words\n\n| not | this |\n\n```python\nnor = this\n```\n"
        "::::{question}\nNor this?\n:::{choice} No.\n:::\n::::\n$$\nnor\n$$ (this)\n\n"
        ":::{note}\n:class: no\nThree {ref}`x <y>` words.\n:::\n"
    )
    assert count(text) == 5


def test_the_book_is_a_course_and_no_encyclopedia():
    words = counted()
    assert sum(words.values()) in BOOK_WORDS, words


@pytest.mark.parametrize("page", [p for p in PAGES if re.match(r"(?!00)\d\d_", p.name)])
def test_no_chapter_is_a_book_of_its_own(page: Path):
    assert count(page.read_text(encoding="utf-8")) in CHAPTER_WORDS


if __name__ == "__main__":
    for name, number in counted().items():
        print(f"{number:6,} {name}")
    print(f"{sum(counted().values()):6,} in all")
