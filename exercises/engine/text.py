"""The words that a learner reads: ``text.toml``, the runner's phrases, links to the book."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Advice:
    """What went wrong, why it matters, where the book explains it, and one thing to print."""

    what: str
    why: str
    book: str
    print: str


@dataclass(frozen=True)
class ExerciseText:
    """Everything of an exercise that could be translated."""

    title: str
    summary: str
    book: str
    hints: tuple[str, ...]
    explain: str
    checks: Mapping[str, Advice]
    mutants: Mapping[str, Advice]


@cache
def load_text(path: Path) -> ExerciseText:
    """Read ``text.toml``.

    Raises:
        ValueError: if a field is missing, naming it.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return ExerciseText(
            title=data["title"],
            summary=data["summary"].strip(),
            book=data["book"],
            hints=tuple(hint.strip() for hint in data["hints"]),
            explain=data["explain"].strip(),
            checks={k: _advice(v, data["book"]) for k, v in data["checks"].items()},
            mutants={k: _advice(v, data["book"]) for k, v in data["mutants"].items()},
        )
    except KeyError as error:
        raise ValueError(f"{path} lacks the field {error}") from error


def _advice(entry: Mapping[str, Any], book: str) -> Advice:
    return Advice(
        entry["what"].strip(), entry["why"].strip(), entry.get("book", book), entry["print"].strip()
    )


@cache
def _book() -> dict[str, Any]:
    return tomllib.loads((HOME / "book.toml").read_text(encoding="utf-8"))


def page_link(link: str) -> str:
    """From ``page#anchor`` to the page's file name and anchor, for use inside the book.

    A page that ``book.toml`` says is still planned leads to the front page.

    Raises:
        ValueError: if ``book.toml`` does not know the page.
    """
    page, _, anchor = link.partition("#")
    pages = _book()["pages"]
    if page not in pages:
        raise ValueError(f"book.toml has no page {page!r}, only {', '.join(pages)}")
    if page in _book()["planned"]:
        return "index.html"
    return pages[page] + (f"#{anchor}" if anchor else "")


def page_name(link: str) -> str:
    """The file that ``page#anchor`` stands in, without its ending, also while it is planned."""
    return str(_book()["pages"][link.partition("#")[0]]).removesuffix(".html")


def book_link(link: str) -> str:
    """The full address; ``EXERCISES_BOOK_URL`` overrides where the book lies."""
    return os.environ.get("EXERCISES_BOOK_URL", _book()["base"]) + page_link(link)


@cache
def _phrases() -> dict[str, str]:
    return tomllib.loads((HOME / "engine" / "phrases.toml").read_text(encoding="utf-8"))


def say(key: str, /, **values: Any) -> str:
    """One of the runner's own sentences, filled in."""
    return _phrases()[key].format(**values)
