"""The glossary has every Chinese term that a chapter gives beside an English one."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
SOURCE = BOOK / "source" / "00_notation.md"
PAGES = [
    *sorted((BOOK / "source").glob("*.md")),
    *sorted(p for p in BOOK.glob("*.md") if p.name != "topics.md"),  # it quotes
]
HAN = r"[\u3400-\u9fff]"
NO_TERMS = {"动手学深度学习", "学习笔记"}  # a book's title; "study notes"


def without_code(text: str) -> str:
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+).+?\1", "`", text)


def terms(text: str) -> set[str]:
    """Chinese terms in brackets behind an English word, or after a comma behind one in italics.

    Brackets may hold more, as in (前馈网络, FFN); a part that is not all Chinese is no term.
    """
    text = without_code(text)
    found = set()
    for inside in re.findall(r"(?<=[\w*`}])\s\(([^()]*)\)", text):
        parts = [part.strip() for part in re.split(r"[,，、]", inside)]
        found |= {part for part in parts if re.fullmatch(rf"[a-z]?{HAN}+", part)}
    return found | set(re.findall(rf"\w\*, ({HAN}+)", text))


def glossary() -> list[tuple[str, set[str], str]]:
    """The rows: English, the Chinese terms, the line that explains."""
    text = SOURCE.read_text(encoding="utf-8").partition("## Glossary")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    return [(en, set(re.split(r"[，、]", zh)), what) for en, zh, what in rows if en != "English"]


def test_terms_are_found():
    text = (
        "A **token** (词元), the network (前馈网络, FFN), *smoothing*, 平滑, an n-gram (n元语法);\n"
        "好人 (*good*), see (从 here), `f(x)` and\n"
        "```python\nx  # word (代码)\n```\n$\\text{a (甲)}$"
    )
    assert terms(text) == {"词元", "前馈网络", "平滑", "n元语法", "甲"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_term_of_a_page_is_in_the_glossary(page: Path):
    explained = "".join(what for _, _, what in glossary())
    known = set().union(*(chinese for _, chinese, _ in glossary())) | terms(explained)
    assert terms(page.read_text(encoding="utf-8")) - known - NO_TERMS == set()


def test_the_chapters_have_terms_to_find():
    chapters = [p for p in PAGES if re.match(r"(0[1-9]|1[0-2])_", p.name)]
    for chapter in chapters:
        assert len(terms(chapter.read_text(encoding="utf-8"))) >= 3, chapter.name


def test_a_row_is_a_term_with_its_chinese_and_one_short_line():
    rows = glossary()
    assert len(rows) > 100
    english = [en for en, _, _ in rows]
    assert sorted(set(english)) == sorted(english)
    for en, chinese, what in rows:
        assert all(re.fullmatch(rf"[a-z]?{HAN}+", term) for term in chinese), en
        assert len(what.split()) <= 18, f"not one line: {en}"
