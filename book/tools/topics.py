"""Write `book/topics.md`: where each topic of the Chinese study notes is treated.

    python book/tools/topics.py

The data is `book/topics.yml`; a test holds it against the chapters and, where the notes are at
hand, against them.
"""

import re
from pathlib import Path
from typing import NamedTuple

import yaml

BOOK = Path(__file__).resolve().parents[1]
LONGEST, LONGEST_FORMULA = 60, 45
# Headings with a formula, which a link cannot show.
PLAIN = {"why-the-root": "Why the root", "embedding-scale": "The table, and why the root of d"}

INTRODUCTION = """\
# The topics of the notes

<!-- Written by book/tools/topics.py from book/topics.yml -->

The order of this course follows five Chinese study notes (学习笔记) on the Transformer, as many of
them circulate. If you come from such a note, look its headings, tables, figures, formulas, programs
and examples up here: each leads to the section that treats it, in other words and computed anew.
What the notes state too loosely is listed with the right value in {doc}`claims`.
"""


class Topic(NamedTuple):
    """One thing that a note has, and the labels of the sections that treat it."""

    kind: str
    text: str
    labels: tuple[str, ...]


class Note(NamedTuple):
    """A note's number, title and topics, and lines in it that look like headings and are none."""

    number: str
    title: str
    topics: list[Topic]
    not_topics: list[str]


def read() -> list[Note]:
    """The notes as `book/topics.yml` has them.

    Raises:
        ValueError: for a line that is not `kind | words | labels`.
    """
    entries = yaml.safe_load((BOOK / "topics.yml").read_text(encoding="utf-8"))
    return [
        Note(
            entry["note"],
            entry["title"],
            [_topic(line) for line in entry["topics"].splitlines()],
            [str(line) for line in entry["not_topics"]],
        )
        for entry in entries
    ]


def _topic(line: str) -> Topic:
    kind, first, rest = line.partition(" | ")
    text, last, labels = rest.rpartition(" | ")
    if not (first and last):
        raise ValueError(f"not `kind | words | labels`: {line!r}")
    return Topic(kind, text, tuple(labels.split(", ")))


def shown(topic: Topic) -> str:
    """A topic's words as Markdown; a formula that is too long for a line has none."""
    if topic.kind == "formula" and topic.text.startswith("$$"):
        formula = topic.text.strip("$")
        return f"${formula}$" if len(formula) <= LONGEST_FORMULA else ""
    if topic.kind == "code":
        return f"`{re.split('[(:]', topic.text)[0]}`"
    text = topic.text.replace("\t", " · ").replace("**", "").replace("$", "").strip("•：: ")
    if len(text) > LONGEST:
        text = re.sub(r"[\w-]*$", "", text[:LONGEST], flags=re.ASCII).rstrip("，、 ") + "…"
    for mark in "\\*_`[]<|#":
        text = text.replace(mark, f"\\{mark}")
    return text


def _link(label: str) -> str:
    return f"{{ref}}`{PLAIN[label]} <{label}>`" if label in PLAIN else f"{{ref}}`{label}`"


def page() -> str:
    """The page as MyST Markdown: a note's headings, and below each what stands there."""
    parts = [INTRODUCTION]
    for note in read():
        parts += ["", f"## {note.title}", ""]
        for topic in note.topics:
            links = ", ".join(map(_link, topic.labels))
            if topic.kind == "heading":
                parts += ["", f"**{shown(topic)}** → {links}", ""]
            else:
                words = shown(topic)
                parts.append(f"- *{topic.kind}*{': ' if words else ''}{words} → {links}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def main() -> None:
    """Write the page."""
    (BOOK / "topics.md").write_text(page(), encoding="utf-8")
    print("wrote book/topics.md")


if __name__ == "__main__":
    main()
