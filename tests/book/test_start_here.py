"""The page "Start here": its map, paths and minutes are those of the chapters."""

import re
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture(scope="module")
def tool(load_tool) -> ModuleType:
    return load_tool("start_here")


def linked_needs(text: str) -> set[int]:
    """The chapters that a chapter's "You need" paragraph links to."""
    paragraph = re.search(r"^\*\*You need\*\*.*?\n\n", text, re.DOTALL | re.MULTILINE)
    assert paragraph is not None
    return {int(n) for n in re.findall(r"\{doc\}`[^`]*?(\d\d)_\w+>?`", paragraph[0])} - {0}


def test_needs_are_those_that_the_chapters_state(tool: ModuleType):
    data = tool.table()
    for number, chapter in data["chapters"].items():
        source = tool.page(number)
        if source is None or source.parent == BOOK:  # not written yet; or a page without the box
            continue
        stated = linked_needs(source.read_text(encoding="utf-8"))
        expected = {*chapter["needs"], *data["pointed_at"].get(number, [])}
        assert stated == expected, f"{source.name} against book/start_here.yml"


def test_links_of_a_need_are_found():
    text = "**You need** {doc}`03_a`, the {doc}`fifth <05_b>`\nand {doc}`00_n`.\n\n{doc}`07_no`\n"
    assert linked_needs(text) == {3, 5}


def test_every_chapter_is_in_the_table(tool: ModuleType):
    files = [p for folder in (BOOK / "source", BOOK) for p in folder.glob("[0-9][0-9]_*.md")]
    numbers = {int(p.name[:2]) for p in files} - {0}
    assert numbers <= set(tool.table()["chapters"])
    assert set(tool.table()["chapters"]) == set(range(1, 15)) == set(tool.PLACES)


def test_the_map_draws_the_needs_less_those_that_follow(tool: ModuleType):
    arrows = [(n, to) for needed, by, _ in tool.ARROWS for to in by for n in needed]
    expected = [(n, to) for to in tool.table()["chapters"] for n in tool.drawn(to)]
    assert sorted(arrows) == sorted(expected)
    assert tool.drawn(8) == {4, 6}
    assert tool.needed(10) >= {3, 4, 5, 6, 8, 9}


def test_ways_of_the_map_begin_and_end_at_the_boxes_they_join(tool: ModuleType):
    def near(point: tuple[float, float]) -> set[int]:
        return {
            number
            for number, (column, row) in tool.PLACES.items()
            if abs(point[0] - column) < tool.X + 0.01 and abs(point[1] - row) < tool.Y + 0.01
        }

    for needed, by, ways in tool.ARROWS:
        starts = set().union(*(near(points[0]) for points, _ in ways))
        ends = [near(points[-1]) for points, arrowhead in ways if arrowhead]
        assert starts & set(needed)
        assert sorted(number for end in ends for number in end) == sorted(by)
        touched = set().union(*(near(points[i]) for points, _ in ways for i in (0, -1)))
        assert touched == {*needed, *by}


def test_a_path_respects_the_needs(tool: ModuleType):
    chapters = tool.table()["chapters"]
    for name, path in tool.table()["paths"].items():
        order = list(dict.fromkeys(n for row in path["rows"] for n in row))
        for at, number in enumerate(order):
            assert set(chapters[number]["needs"]) <= set(order[:at]), f"{number} in {name}"
    semester = [n for row in tool.table()["paths"]["semester"]["rows"] for n in row]
    assert set(semester) == set(chapters)


def test_the_page_and_its_map_are_the_generated_ones(tool: ModuleType):
    text = (BOOK / "start_here.md").read_text(encoding="utf-8")
    assert text == tool.filled(text), "run `python book/tools/start_here.py`"
    stored = (BOOK / "start_here.svg").read_text(encoding="utf-8")
    assert stored == tool.map_svg(), "run `python book/tools/start_here.py`"


def test_minutes_add_up(tool: ModuleType):
    text = (BOOK / "start_here.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*\| (\d+) \{doc", tool.needs_block(), re.MULTILINE)
    listed = {chapter: minutes for minutes, chapter in rows}
    assert len(listed) >= 12
    for name in ("evening", "week", "semester"):
        block = text.partition(f"<!-- begin {name} -->")[2].partition("<!-- end")[0]
        numbers = set(re.findall(r"(\d+) \{doc\}", block))
        hours, rest = re.search(r"\*\*In all\*\* (\d+) h(?: (\d+) min)? of reading", block).groups()
        assert 60 * int(hours) + int(rest or 0) == sum(int(listed.get(n, 0)) for n in numbers)


def test_every_exercise_stands_there_once(tool: ModuleType):
    from exercises.engine.catalogue import load_all

    found = [e.id for some in tool.exercises().values() for e in some]
    assert sorted(found) == sorted(load_all())


def test_commands_are_those_of_the_readme():
    readme = (BOOK.parent / "README.md").read_text(encoding="utf-8")
    page = (BOOK / "start_here.md").read_text(encoding="utf-8")
    known = {" ".join(line.split("#")[0].split()) for line in readme.splitlines()}
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    commands = {" ".join(line.split("#")[0].split()) for b in blocks for line in b.splitlines()}
    assert len(commands) > 10
    assert commands - known == set()
