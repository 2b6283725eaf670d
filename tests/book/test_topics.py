"""Every topic of the notes that the course follows has its section in the book."""

import re
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
NOTES = BOOK.parents[1] / "shared" / "notes"
KINDS = {"heading", "figure", "table", "formula", "code", "example", "claim"}
# How many of each the notes were counted to have: (headings, everything else).
COUNTED = {"000": (10, 28), "001": (11, 13), "002": (25, 32), "003": (24, 22), "004": (31, 27)}
NUMBERED = r"(?<![\d.])\d\.(?:\d\.?)*\d? (?=[^\d\s])"  # of note 003, which has no lines


@pytest.fixture(scope="module")
def tool(load_tool) -> ModuleType:
    return load_tool("topics")


@pytest.fixture(scope="module")
def labels() -> set[str]:
    texts = [p.read_text(encoding="utf-8") for p in (*BOOK.glob("source/*.md"), *BOOK.glob("*.md"))]
    return {label for text in texts for label in re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE)}


def test_every_topic_leads_to_sections_that_are_there(tool: ModuleType, labels: set[str]):
    for note in tool.read():
        for topic in note.topics:
            assert topic.kind in KINDS, topic
            assert topic.text.strip()
            assert topic.labels
            assert set(topic.labels) <= labels, f"{topic} of note {note.number}"


def test_labels_stand_in_front_of_headings(tool: ModuleType):
    used = {label for note in tool.read() for topic in note.topics for label in topic.labels}
    texts = "\n".join(p.read_text(encoding="utf-8") for p in BOOK.glob("source/*.md"))
    texts += (BOOK / "14_where_next.md").read_text(encoding="utf-8")
    headed = set(re.findall(r"^\(([\w-]+)\)=\n+#", texts, re.MULTILINE))
    assert used - headed <= {"softmax"}


def test_the_lists_are_as_long_as_they_were_counted(tool: ModuleType):
    notes = tool.read()
    counts = {}
    for note in notes:
        headings = sum(topic.kind == "heading" for topic in note.topics)
        counts[note.number] = (headings, len(note.topics) - headings)
    assert counts == COUNTED


def test_every_chapter_but_the_last_but_one_is_led_to(tool: ModuleType):
    used = {label for note in tool.read() for topic in note.topics for label in topic.labels}
    for chapter in BOOK.glob("source/[01]?_*.md"):
        if chapter.name[:2] not in {"00", "13"}:  # the translator is a topic of no note's heading
            own = set(re.findall(r"^\(([\w-]+)\)=$", chapter.read_text("utf-8"), re.MULTILINE))
            assert own & used, chapter.name


def test_the_page_is_the_generated_one(tool: ModuleType):
    stored = (BOOK / "topics.md").read_text(encoding="utf-8")
    assert stored == tool.page(), "run `python book/tools/topics.py`"


def test_a_bad_line_is_refused(tool: ModuleType):
    assert tool._topic("code | P(a | b) | x, y") == ("code", "P(a | b)", ("x", "y"))
    with pytest.raises(ValueError, match="kind"):
        tool._topic("heading | no labels")


def looks_like_topics(text: str) -> list[str]:
    """Lines that stand alone and are short; heads of tables; classes and functions; formulas."""
    if len(text.splitlines()) < 3:  # the whole note in a line, twice
        return [text[m.start() : m.end() + 4] for m in re.finditer(NUMBERED, text)]
    lines = ["", *text.splitlines(), ""]
    found = []
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        alone = before.strip() in ("", "---") and not after.strip()
        words = line.strip()
        short = 0 < len(words) <= 40
        sentence = re.search(r"[。；;，！：:]$|[，。；]| — |^[•→$-]|=", words)
        head = ("\t" in line and "\t" not in before) or re.match(r"(class|def) |\$\$", line)
        if head or (alone and short and not sentence):
            found.append(words)
    return found


def test_what_looks_like_a_topic_is_found():
    text = "Title\n\na\tb\nc\td\n\nA sentence。\n\ndef f(x):\n    return x\n\n• item\n"
    assert looks_like_topics(text) == ["Title", "a\tb", "def f(x):"]
    assert looks_like_topics("1. One and 2.1 Another at 3.5") == ["1. One ", "2.1 Anot"]


@pytest.mark.skipif(not NOTES.is_dir(), reason="the notes are not part of the project")
def test_entries_are_those_of_the_notes(tool: ModuleType):
    for note in tool.read():
        (file,) = NOTES.glob(f"{note.number}_*.txt")
        text = file.read_text(encoding="utf-8")
        for topic in note.topics:
            assert topic.text in text, f"note {note.number} does not say {topic.text!r}"
        listed = [topic.text for topic in note.topics]
        for words in looks_like_topics(text):
            known = any(entry.startswith(words) or words.startswith(entry) for entry in listed)
            assert known or words in note.not_topics, f"note {note.number} has {words!r}"
