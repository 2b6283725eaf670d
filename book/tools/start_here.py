"""Write what `book/start_here.md` counts: its map, its reading paths, its list of exercises.

    python book/tools/start_here.py

The table of chapters is `book/start_here.yml`; minutes are those that chapters and exercises
state. The page's own text is left alone: only what stands between `<!-- begin NAME -->` and
`<!-- end NAME -->` is replaced. A test compares.
"""

import re
import sys
import textwrap
from collections.abc import Iterable
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

BOOK = Path(__file__).resolve().parents[1]
ROOT = BOOK.parent
INK, BLUE = "#6b7280", "#0072b2"  # those of course/figures.py

# The map, in units of its grid: where a chapter stands (column, row).
PLACES = {
    1: (0, 0), 3: (1, 0), 2: (2, 0),
    7: (0, 1), 4: (1, 1), 5: (2, 1),
    12: (0, 2), 9: (1, 2), 6: (2, 2),
    11: (1, 3), 8: (2, 3),
    10: (0, 4), 14: (1, 4), 13: (2, 4),
}  # fmt: skip
COLUMN, ROW, BOX_WIDTH, BOX_HEIGHT, MARGIN = 123, 88, 96, 54, 8
# Arrows: who is needed, by whom, and the ways that lead there. A way is a list of points on the
# grid (a box reaches X and Y from its middle); the flag says whether the last one has an arrowhead.
# Ways that belong together share a line.
Arrow = tuple[tuple[int, ...], tuple[int, ...], list[tuple[list[tuple[float, float]], bool]]]
X, Y = BOX_WIDTH / COLUMN / 2, BOX_HEIGHT / ROW / 2
ARROWS: list[Arrow] = [
    ((3,), (4,), [([(1, Y), (1, 1 - Y)], True)]),
    ((3,), (5,), [([(1 + X, 0), (1.5, 0), (1.5, 0.93), (2 - X, 0.93)], True)]),
    ((3,), (7, 12), [
        ([(1 - X, 0), (0.5, 0), (0.5, 1), (X, 1)], True),
        ([(0.5, 1), (0.5, 2), (X, 2)], True),
    ]),
    ((4,), (9,), [([(1, 1 + Y), (1, 2 - Y)], True)]),
    ((5,), (6,), [([(2, 1 + Y), (2, 2 - Y)], True)]),
    ((4, 6), (8, 11), [
        ([(1 + X, 1.07), (1.5, 1.07), (1.5, 3), (2 - X, 3)], True),
        ([(1.5, 3), (1 + X, 3)], True),
        ([(2 - X, 2), (1.5, 2)], False),
    ]),
    ((8, 9), (10, 13), [
        ([(1, 2 + Y), (1, 2.5), (0.5, 2.5), (0.5, 3.5), (0, 3.5), (0, 4 - Y)], True),
        ([(0.5, 3.5), (2, 3.5)], False),
        ([(2, 3 + Y), (2, 4 - Y)], True),
    ]),
    ((2,), (13,), [([(2 + X, 0), (2.47, 0), (2.47, 4), (2 + X, 4)], True)]),
]  # fmt: skip


@cache
def table() -> dict[str, Any]:
    """The data: chapters, pointed_at, paths."""
    return yaml.safe_load((BOOK / "start_here.yml").read_text(encoding="utf-8"))


def page(number: int) -> Path | None:
    """The file that a chapter is written in, or None while it is not there."""
    for folder in (BOOK / "source", BOOK):
        found = sorted(folder.glob(f"{number:02}_*.md"))
        if found:
            return found[0]
    return None


def minutes(number: int) -> int | None:
    """What a chapter says it takes, or None if it does not say."""
    source = page(number)
    if source is None:
        return None
    stated = re.search(r"\*\*Time\*\* about (\d+)\s+minutes", source.read_text(encoding="utf-8"))
    return int(stated[1]) if stated else None


def needed(number: int) -> set[int]:
    """The chapters that follow from a chapter's needs, their needs included."""
    direct = set(table()["chapters"][number]["needs"])
    return direct.union(*(needed(n) for n in direct))


def drawn(number: int) -> set[int]:
    """A chapter's needs without those that follow from its other needs."""
    direct = set(table()["chapters"][number]["needs"])
    return {n for n in direct if not any(n in needed(other) for other in direct - {n})}


def exercises() -> dict[int, list[Any]]:
    """Every exercise once, under the chapter that explains it, in the order of the course."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from exercises.engine.catalogue import load_all
    from exercises.engine.text import page_name

    found: dict[int, list[Any]] = {number: [] for number in table()["chapters"]}
    for exercise in load_all().values():
        home = int(page_name(exercise.text.book)[:2])
        found[home or table()["explained_in"][exercise.id]].append(exercise)
    return found


def link(number: int) -> str:
    """A chapter as a link, or in words while it is being written."""
    source = page(number)
    if source is None:
        return f"{number} {table()['chapters'][number]['title']} (being written)"
    return f"{number} {{doc}}`{source.stem}`"


def total(numbers: Iterable[int | None]) -> int:
    return sum(n for n in numbers if n)


def duration(count: int) -> str:
    """Minutes in words that one can plan with."""
    hours, rest = divmod(count, 60)
    return f"{count} minutes" if not hours else f"{hours} h {rest:02} min" if rest else f"{hours} h"


def path_block(name: str) -> str:
    """A reading path as a table, and its sum."""
    path, work = table()["paths"][name], exercises()
    rows, with_exercises = path["rows"], path["unit"] != "part"
    lines = [f"| {path['unit']} | read |", "|--:|--:|"]
    if with_exercises:
        lines = [f"{lines[0]} train |", f"{lines[1]}--:|"]
    lines = [f"{lines[0]} chapters |", f"{lines[1]}:--|"]
    for at, row in enumerate(rows, start=1):
        if row in rows[: at - 1]:
            continue  # a chapter that takes two weeks has one line
        times = rows.count(row)
        label = str(at) if times == 1 else f"{at}–{at + times - 1}"
        cells = [label, total(map(minutes, row)) or "–"]
        if with_exercises:
            cells.append(total(e.minutes for n in row for e in work[n]) or "–")
        cells.append(", ".join(map(link, row)))
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    chosen = dict.fromkeys(n for row in rows for n in row)
    summed = f"**In all** {duration(total(map(minutes, chosen)))} of reading"
    if with_exercises:
        training = duration(total(e.minutes for n in chosen for e in work[n]))
        summed += f" and {training} of exercises"
    for number in chosen:
        if page(number) is None:
            summed += f"; chapter {number}, which is being written, is not counted"
    return "\n".join([*lines, "", f"{summed}."])


def _exercise_link(exercise: Any) -> str:
    """An exercise's name, leading to the section that explains it where that has a label."""
    anchor = exercise.text.book.partition("#")[2]
    labels = (f"({anchor})=" in source.read_text("utf-8") for source in BOOK.glob("source/*.md"))
    name = f"{{ref}}`{exercise.id} <{anchor}>`" if any(labels) else exercise.id.replace("_", r"\_")
    return f"{name} {exercise.minutes}"


def exercises_block() -> str:
    """Every exercise under its chapter."""
    return "\n".join(
        f"- **{link(number)}** ({total(e.minutes for e in found)}): "
        + ", ".join(map(_exercise_link, found))
        for number, found in exercises().items()
        if found
    )


def needs_block() -> str:
    """The map in words, for those who cannot see it."""
    lines = ["| minutes | after | chapter |", "|--:|:--|:--|"]
    for number, chapter in table()["chapters"].items():
        after = ", ".join(str(n) for n in chapter["needs"]) or "–"
        lines.append(f"| {minutes(number) or '–'} | {after} | {link(number)} |")
    return "\n".join(lines)


BLOCKS = {
    "needs": needs_block,
    "evening": lambda: path_block("evening"),
    "week": lambda: path_block("week"),
    "semester": lambda: path_block("semester"),
    "exercises": exercises_block,
}


def filled(text: str) -> str:
    """``text`` with every block written anew."""
    for name, block in BLOCKS.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"start_here.md has no block {name!r}")
        text = f"{before}{begin}\n{block()}\n\n{end}{after}"
    return text


def _point(column: float, row: float) -> tuple[float, float]:
    return (
        MARGIN + BOX_WIDTH / 2 + column * COLUMN,
        MARGIN + BOX_HEIGHT / 2 + row * ROW,
    )


def _way(points: list[tuple[float, float]], arrowhead: bool) -> str:
    steps = [_point(*point) for point in points]
    d = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in steps)
    if not arrowhead:
        return f'  <path d="{d}"/>'
    (x0, y0), (x, y) = list(pairwise(steps))[-1]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    back, side = (x - 6 * dx, y - 6 * dy), (3.5 * dy, 3.5 * dx)
    head = (
        f"M{back[0] + side[0]:.1f} {back[1] + side[1]:.1f} L{x:.1f} {y:.1f} "
        f"L{back[0] - side[0]:.1f} {back[1] - side[1]:.1f}"
    )
    return f'  <path d="{d}"/>\n  <path d="{head}"/>'


def _box(number: int) -> str:
    x, y = _point(*PLACES[number])
    evening = number in {n for row in table()["paths"]["evening"]["rows"] for n in row}
    stroke, width = (BLUE, 3) if evening else (INK, 1)
    lines = textwrap.wrap(table()["chapters"][number]["title"], 15, break_on_hyphens=False)
    top = y - 4 - 5 * (len(lines) - 1)
    text = [
        f'  <rect x="{x - BOX_WIDTH / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{BOX_WIDTH}" '
        f'height="{BOX_HEIGHT}" rx="5" stroke="{stroke}" stroke-width="{width}"/>',
        f'  <text x="{x:.1f}" y="{top:.1f}" class="n">{number}</text>',
    ]
    for i, line in enumerate(lines, start=1):
        at = top + 2 + 14 * i
        text.append(f'  <text x="{x:.1f}" y="{at:.1f}">{escape(line)}</text>')
    return "\n".join(text)


def map_svg() -> str:
    """The map of dependencies, 360 units wide: as wide as a phone."""
    width, height = 2 * MARGIN + 2 * COLUMN + BOX_WIDTH + 6, 2 * MARGIN + 4 * ROW + BOX_HEIGHT
    ways = [_way(*way) for _, _, some in ARROWS for way in some]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            "<style>text { font: 12px sans-serif; text-anchor: middle; "
            f"fill: {INK}; stroke: none }} .n {{ font-weight: bold; font-size: 14px }}</style>",
            f'<g fill="none" stroke="{INK}" stroke-width="1.5">',
            *ways,
            *(_box(number) for number in sorted(PLACES)),
            "</g>",
            "</svg>",
            "",
        ]
    )


def main() -> None:
    """Write the page's blocks and the map."""
    text = BOOK / "start_here.md"
    text.write_text(filled(text.read_text(encoding="utf-8")), encoding="utf-8")
    (BOOK / "start_here.svg").write_text(map_svg(), encoding="utf-8")
    print("wrote book/start_here.md and book/start_here.svg")


if __name__ == "__main__":
    main()
