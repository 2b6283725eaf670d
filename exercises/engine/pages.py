"""Two pages of the book, as MyST Markdown: the kill matrix and the map of misconceptions.

``python -m exercises.engine.authors page FILE`` and ``… misconceptions FILE`` write them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from exercises.engine.exercise import Exercise
from exercises.engine.text import HOME, page_link, page_name, say

SOURCES = HOME.parent / "book" / "source"
SPECIAL = re.compile(r"([\\`*_{}\[\]<>|$~#@^])")


def kill_page(exercises: Mapping[str, Exercise], kills: Iterable) -> str:
    """Exercise × mistake × the check that stops it; one collapsible section an exercise."""
    by_exercise = {name: list(rows) for name, rows in groupby(kills, lambda kill: kill.exercise)}
    total = sum(map(len, by_exercise.values()))
    counts = {"exercises": len(by_exercise), "mistakes": total}
    head = say("page_kills")
    lines = ["(kill-matrix)=", f"# {head}", "", say("page_kills_intro", **counts)]
    for name, rows in by_exercise.items():
        exercise = exercises[name]
        numbers = {"mistakes": len(rows), "checks": len(exercise.checks)}
        title = say("page_kills_section", title=exercise.text.title, id=name, **numbers)
        table = ["", say("page_kills_head"), "|---|---|", *map(_kill_row, rows)]
        lines += _dropdown(escape(title), table)
    return "\n".join(lines) + "\n"


def _kill_row(kill) -> str:
    check = kill.caught_by.replace("_", " ")
    also = len(kill.also_caught_by)
    stopped = say("page_stopped", check=check, stage=kill.stage, also=also)
    return f"| **{escape(kill.mutant)}**: {escape(kill.what)} | {escape(stopped)} |"


def misconception_page(exercises: Iterable[Exercise], sources: Path = SOURCES) -> str:
    """Paragraph of the book ↔ the mistakes that lead to it; one collapsible section a paragraph."""
    found: dict[str, list[str]] = {}
    for exercise in exercises:
        for advice in exercise.text.mutants.values():
            entry = f"- {escape(advice.what)} (*{escape(exercise.text.title)}*)"
            found.setdefault(advice.book, []).append(entry)
    counts = {"mistakes": sum(map(len, found.values())), "paragraphs": len(found)}
    head = say("page_map")
    lines = ["(misconception-map)=", f"# {head}", "", say("page_map_intro", **counts)]
    ordered = sorted(found, key=lambda link: (page_name(link), link))
    for page, links in groupby(ordered, page_name):
        lines += ["", f"## {_chapter(page, sources)}"]
        for link in links:
            heading, reference = _paragraph(link, sources)
            title = say("page_map_section", heading=heading, count=len(found[link]))
            lines += _dropdown(title, ["", reference, "", *found[link]])
    return "\n".join(lines) + "\n"


def _dropdown(title: str, body: Sequence[str]) -> Iterator[str]:
    yield from ("", f":::{{dropdown}} {title}", *body, ":::")


def escape(text: str) -> str:
    """Plain words as Markdown: nothing in them is markup."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _chapter(page: str, sources: Path) -> str:
    """The chapter's title, or the name of the file that is still to be written."""
    source = _source(page, sources)
    titles = re.findall(r"^# (.+)$", source, flags=re.MULTILINE)
    return titles[0] if titles else escape(page.replace("_", " "))


def _paragraph(link: str, sources: Path) -> tuple[str, str]:
    """Heading and cross-reference of ``page#anchor``; words only where it is still planned."""
    page, anchor = page_name(link), link.partition("#")[2]
    planned = page_link(link) == "index.html"
    source = "" if planned else _source(page, sources)
    heading = anchor.replace("-", " ") or page
    labelled = re.search(rf"^\({re.escape(anchor)}\)=\n+(?:#+ (.+))?", source, flags=re.MULTILINE)
    if labelled and anchor:
        read = say("page_read")
        return labelled[1] or heading, f"{{ref}}`{read} <{anchor}>`"
    if planned or not source:
        return heading, say("page_planned")
    return heading, f"{{doc}}`/{page}`"


def _source(page: str, sources: Path) -> str:
    path = sources / f"{page}.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""
