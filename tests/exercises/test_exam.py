"""Exam packs: what is handed out, what stays secret, and how the papers are graded."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from exercises.engine.catalogue import find
from exercises.engine.command_line import main
from exercises.engine.stub import solution_of, stub_of
from exercises.engine.workspace import Workspace

Run = Callable[..., tuple[int, str, str]]
HEADS = find("split_heads")
WRONG = solution_of(HEADS).replace("transpose(1, 2).reshape", "reshape")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        screen = io.StringIO()
        words = list(map(str, arguments))
        code = main(words, Workspace(tmp_path / "home"), Console(file=screen, width=60))
        return code, screen.getvalue(), capsys.readouterr().err

    return command


@pytest.fixture
def seed_file(tmp_path: Path) -> Path:
    path = tmp_path / "secret.json"
    path.write_text('{"seed": 4711, "sizes": {"batch": 3}}', encoding="utf-8")
    return path


def test_students_get_stubs_and_instructions_and_no_seed(
    run: Run, seed_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "exam"
    assert run("exam", "split_heads", "masks", "--seed-file", seed_file, "--out", out)[0] == 0
    assert sorted(path.name for path in (out / "students").iterdir()) == [
        "README.md",
        "masks.py",
        "split_heads.py",
    ]
    assert (out / "students" / "split_heads.py").read_text(encoding="utf-8") == stub_of(HEADS)
    handed_out = "".join(p.read_text(encoding="utf-8") for p in (out / "students").iterdir())
    assert "4711" not in handed_out
    assert HEADS.text.title in handed_out
    secret = json.loads((out / "teacher" / "seed.json").read_text(encoding="utf-8"))
    assert secret == {"seed": 4711, "sizes": {"batch": 3}}
    assert "grade submissions split_heads masks" in (out / "teacher" / "README.md").read_text(
        "utf-8"
    )


def test_without_a_seed_file_a_fresh_seed_is_drawn(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("exam", "split_heads", "--out", tmp_path / name)
    seeds = {(tmp_path / name / "teacher" / "seed.json").read_text("utf-8") for name in ("a", "b")}
    assert len(seeds) == 2
    assert all(json.loads(seed)["seed"] > 0 for seed in seeds)


def test_fixed_numbers_are_pointed_out_to_the_teacher(run: Run, tmp_path: Path) -> None:
    run("exam", "by_hand_beam", "split_heads", "--out", tmp_path / "exam")
    text = (tmp_path / "exam" / "teacher" / "README.md").read_text(encoding="utf-8")
    assert "nothing secret: by_hand_beam." in text


def test_an_old_exam_is_not_mixed_with_a_new_one(run: Run, tmp_path: Path) -> None:
    run("exam", "masks", "--out", tmp_path / "exam")
    code, _, error = run("exam", "split_heads", "--out", tmp_path / "exam")
    assert code == 2
    assert "is not empty" in error
    assert not (tmp_path / "exam" / "students" / "split_heads.py").exists()


def test_papers_are_graded_one_by_one_and_then_as_a_class(
    run: Run, seed_file: Path, tmp_path: Path
) -> None:
    papers = {"ada": solution_of(HEADS), "bob": WRONG, "cleo": None}
    for student, source in papers.items():
        (tmp_path / "submissions" / student).mkdir(parents=True)
        if source is not None:
            path = tmp_path / "submissions" / student / "split_heads.py"
            path.write_text(source, encoding="utf-8")
    out = tmp_path / "results"
    request = ("grade", tmp_path / "submissions", "split_heads")
    code, screen, _ = run(*request, "--seed-file", seed_file, "--out", out)
    assert code == 0
    for line in ("ada: 1 of 1 passed", "bob: 0 of 1 passed", "cleo: 0 of 1 passed"):
        assert line in screen
    assert "1 × merge-not-transposed" in screen
    states = {
        student: json.loads((out / student / "report.json").read_text("utf-8"))["exercises"]
        for student in papers
    }
    assert states["ada"]["split_heads"]["state"] == "passed"
    assert states["cleo"]["split_heads"]["state"] == "not started"
    score = json.loads((out / "bob" / "gradescope" / "results.json").read_text("utf-8"))["tests"][0]
    assert score["score"] == 0


def test_a_folder_without_students_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, _, error = run("grade", tmp_path / "empty", "masks", "--out", tmp_path / "results")
    assert code == 2
    assert "no folder of a student" in error
