"""The teachers' page names exercises that exist, all of them, and adds their minutes up rightly."""

import re

import pytest

from exercises.engine.catalogue import load_all
from exercises.engine.command_line import parser
from exercises.engine.text import HOME

TEXT = (HOME / "TEACHING.md").read_text(encoding="utf-8")
SEMESTER = TEXT.split("### One semester")[1].split("\n## ")[0]


def named(text: str) -> list[str]:
    """Exercises in backticks."""
    return re.findall(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)*)`", text)


def test_the_semester_holds_every_exercise_once() -> None:
    rows = [line for line in SEMESTER.splitlines() if line.startswith("| ")]
    found = [name for row in rows for name in named(row)]
    assert sorted(found) == sorted(load_all())


@pytest.mark.parametrize("line", [line for line in TEXT.splitlines() if line.startswith("|")])
def test_tables_name_exercises_that_exist(line: str) -> None:
    assert set(named(line)) <= {*load_all(), "report"}


def test_minutes_of_the_exams_add_up() -> None:
    table = TEXT.split("Good mixtures")[1]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and named(cells[1]):
            assert sum(load_all()[name].minutes for name in named(cells[1])) == int(cells[2])


def test_commands_are_those_of_the_runner() -> None:
    """Every ``python -m exercises …`` line can be parsed."""
    lines = re.findall(r"^python -m exercises (.+)$", TEXT, flags=re.MULTILINE)
    assert lines, "the page shows no command any more, or shows them another way"
    for line in lines:
        words = line.split("#")[0].split()
        parser().parse_args(words)
