"""The authors' gate on every exercise, and the gate itself on broken ones."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.engine.authors import gate, kill_matrix
from exercises.engine.catalogue import _load_spec, find, load_all
from exercises.engine.exercise import Exercise
from exercises.engine.progress import Progress
from exercises.engine.stub import derive, solution_of, stub_of
from exercises.engine.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = list(load_all())


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise_passes_the_gate(name: str) -> None:
    """Stub, solution, mutants, alternatives, checks, words and hints; see ``authors.py``."""
    assert gate(find(name)) == []


@pytest.mark.parametrize("name", EXERCISES)
def test_the_tree_holds_the_unsolved_stub(name: str) -> None:
    """No solution slipped into the repository, and the stub is the solution's."""
    exercise, workspace = find(name), Workspace()
    if name in Progress(workspace.progress).standings():
        pytest.skip("a learner has worked on this exercise here")
    assert workspace.path(exercise).read_text(encoding="utf-8") == stub_of(exercise)


def test_matrix_names_every_mutant_and_the_check_that_catches_it() -> None:
    kills = kill_matrix("split_heads")
    assert {kill.mutant for kill in kills} == find("split_heads").text.mutants.keys()
    assert all(kill.caught_by and kill.diagnosed == (kill.mutant,) for kill in kills)


def test_matrix_is_json_on_the_command_line() -> None:
    command = [sys.executable, "-m", "exercises.engine.authors", "matrix", "split_heads"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    first = json.loads(done.stdout)[0]
    assert first["exercise"] == "split_heads"
    assert first["caught_by"] in find("split_heads").text.checks


BREAKAGES = {
    "a hint gives the solution away": (
        "text.toml",
        "Splitting has two steps:",
        "return hidden.view(batch, time, n_heads, d_model // n_heads).transpose(1, 2)",
        "gives away the solution line",
    ),
    "the solution is wrong": (
        "solution.py",
        "batch, n_heads, time, d_head = heads.shape",
        "n_heads, batch, time, d_head = heads.shape",
        "the solution fails with seed 0",
    ),
    "a mutant is right": (
        "mutants.py",
        'SPLIT + ".flip(1)"',
        'SPLIT + ".flip(1).flip(1)"',
        "heads-reversed behaves like the solution",
    ),
    "a mutant has no words": (
        "text.toml",
        "[mutants.interleaved]",
        "[mutants.something-else]",
        "mutant interleaved stands only in code",
    ),
    "a check catches nothing": (
        "spec.py",
        'return [Case(SPLIT, arguments, "one position, features 1 to 6, two heads")]',
        "return []",
        "check one_position kills no mutant",
    ),
    "two mutants cannot be told apart": (
        "mutants.py",
        '"permute(0, 2, 3, 1)")))\nvariants.edit("heads-first"',
        '"permute(2, 0, 1, 3)")))\nvariants.edit("heads-first"',
        "mutant transposed-last is diagnosed as",
    ),
    "the book has no such page": (
        "text.toml",
        'book = "notation#shapes-and-names"',
        'book = "no_such_page#x"',
        "no page 'no_such_page'",
    ),
    "stages are out of order": (
        "spec.py",
        "@exercise.check(Stage.ISOLATED, part=SPLIT)\ndef one_position",
        "@exercise.check(Stage.EDGES, part=SPLIT)\ndef one_position",
        "stage by stage",
    ),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_gate_reports(breakage: str, tmp_path: Path) -> None:
    """Break a copy of an exercise in one place: the gate must say so."""
    file, old, new, complaint = BREAKAGES[breakage]
    exercise = broken_copy(tmp_path, file, old, new)
    problems = "\n".join(gate(exercise))
    assert complaint in problems


def broken_copy(folder: Path, file: str, old: str, new: str) -> Exercise:
    copy = folder / "split_heads"
    shutil.copytree(find("split_heads").folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    source = (copy / file).read_text(encoding="utf-8")
    assert old in source
    (copy / file).write_text(source.replace(old, new), encoding="utf-8")
    return _load_spec(copy / "spec.py")


def test_mutant_whose_place_is_gone_is_refused(tmp_path: Path) -> None:
    exercise = broken_copy(
        tmp_path, "solution.py", "n_heads * d_head)\n    # end", "-1)\n    # end"
    )
    with pytest.raises(ValueError, match="stands 0 times"):
        gate(exercise)


def test_stub_and_solution_come_from_one_source() -> None:
    source = "def f(x):\n    # solution:\n    y = x + 1\n    return y\n    # end\n"
    assert derive(source) == "def f(x):\n    raise NotImplementedError\n"
    assert "# solution" not in solution_of(find("sdpa"))
    assert "return weights @ value" in solution_of(find("sdpa"))


def test_a_bug_hunts_stub_holds_the_faulty_lines() -> None:
    source = (
        "def f(x):\n    # solution:\n    return x + 1\n    # stub:\n    # if x:\n"
        "    #     return x - 1\n    # end\n"
    )
    assert derive(source) == "def f(x):\n    if x:\n        return x - 1\n"


def test_unbalanced_markers_are_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        derive("def f(x):\n    # solution:\n    return x\n")
    with pytest.raises(ValueError, match="markers"):
        derive("def f(x):\n    return x\n")
