"""Words: complete, used, and leading to places that exist."""

import re
import tomllib
from pathlib import Path

import pytest

from exercises.engine.catalogue import load_all
from exercises.engine.text import HOME, book_link, load_text, page_link, say

BOOK = HOME.parent / "book"
PHRASES = tomllib.loads((HOME / "engine" / "phrases.toml").read_text(encoding="utf-8"))
PLACES = tomllib.loads((HOME / "book.toml").read_text(encoding="utf-8"))


def links() -> list[str]:
    found = set()
    for exercise in load_all().values():
        text = exercise.text
        found |= {text.book, *(a.book for a in (*text.checks.values(), *text.mutants.values()))}
    return sorted(found)


def anchors(page: str) -> set[str]:
    """The anchors of a page's source: headings as MyST slugs them, and explicit labels."""
    source = (BOOK / "source" / page.replace(".html", ".md")).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", source, flags=re.MULTILINE)
    labels = re.findall(r"^\(([\w-]+)\)=$", source, flags=re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}
    return slugs | set(labels)


@pytest.mark.parametrize("link", links())
def test_book_links_lead_somewhere(link: str) -> None:
    page, _, anchor = page_link(link).partition("#")
    if page == "index.html":
        assert link.partition("#")[0] in PLACES["planned"]
        return
    assert anchor in anchors(page), f"{page} has only {sorted(anchors(page))}"


@pytest.mark.parametrize("page", PLACES["planned"])
def test_a_page_that_exists_is_no_longer_planned(page: str) -> None:
    source = BOOK / "source" / PLACES["pages"][page].replace(".html", ".md")
    assert not source.exists(), f"take {page} off the list in exercises/book.toml"


def test_unknown_page_is_an_error() -> None:
    with pytest.raises(ValueError, match="no page 'nowhere'"):
        book_link("nowhere#x")


def test_every_phrase_is_used_and_exists() -> None:
    source = "".join(p.read_text(encoding="utf-8") for p in (HOME / "engine").rglob("*.py"))
    used = set(re.findall(r'say\(\s*"(\w+)"', source))
    for key in PHRASES.keys() - used:
        assert f'"{key}"' in source or key.startswith("crash_"), f"{key} is never said"
    assert used <= PHRASES.keys()


def test_phrases_are_filled_in() -> None:
    assert "Did you mean a?" in say("did_you_mean", names="a")
    assert '{"seed": 7' in say("bad_seed_file", path="x", reason="y")


def test_missing_field_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text.toml"
    path.write_text('title = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="lacks the field 'summary'"):
        load_text(path)
