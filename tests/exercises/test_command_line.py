"""``python -m exercises``: what it prints, what it writes, its exit codes."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from exercises.engine.catalogue import find, load_all
from exercises.engine.command_line import main
from exercises.engine.progress import Progress
from exercises.engine.stub import solution_of, stub_of
from exercises.engine.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
HEADS = find("split_heads")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(workspace: Workspace, capsys: pytest.CaptureFixture) -> Run:
    def command(*arguments: str) -> tuple[int, str, str]:
        screen = io.StringIO()
        code = main(arguments, workspace, Console(file=screen, width=60))
        return code, screen.getvalue(), capsys.readouterr().err

    return command


@pytest.mark.parametrize("command", ["check", "hint", "explain", "solution", "reset", "export"])
def test_unknown_id_names_close_ones(run: Run, command: str) -> None:
    code, _, error = run(command, "split_hedas")
    assert code == 2
    assert "no exercise 'split_hedas'" in error
    assert "Did you mean split_heads" in error
    assert "Traceback" not in error


def test_a_function_or_a_word_of_the_title_finds_the_exercise(run: Run) -> None:
    assert "split_heads" in run("hint", "merge_heads")[2]
    assert "masks" in run("hint", "padding")[2]


def test_a_path_is_as_good_as_an_id(run: Run) -> None:
    assert run("explain", "exercises/sdpa/sdpa.py")[0] == 0
    assert run("explain", "exercises/sdpa")[0] == 0


def test_next_and_list_follow_progress(run: Run, write: Callable) -> None:
    assert f"Next: {next(iter(load_all()))}" in run("next")[1]
    assert run()[1] == run("next")[1]
    write("split_heads", solution_of(HEADS))
    code, screen, _ = run("check", "split_heads")
    assert code == 0
    assert "passed all" in screen
    assert "✓ split_heads" in run("list")[1]
    assert f"1 of {len(load_all())} passed" in run("status")[1]


def test_next_when_all_is_done(run: Run, workspace: Workspace) -> None:
    for name in load_all():
        Progress(workspace.progress).add(name, "check", state="passed", mistakes=[])
    assert f"All {len(load_all())} exercises are passed" in run("next")[1]


def test_check_of_a_stub_says_where_to_write(run: Run, workspace: Workspace) -> None:
    code, screen, _ = run("check", "sdpa")
    assert code == 1
    assert "not started" in screen
    assert str(workspace.path(find("sdpa"))) in screen


def test_mistake_shows_up_in_status(run: Run, write: Callable) -> None:
    write("split_heads", solution_of(HEADS).replace(".transpose(1, 2).reshape", ".reshape"))
    code, screen, _ = run("check", "split_heads")
    assert code == 1
    assert "You reshape without transposing back" in screen
    assert "1 × merge-not-transposed" in run("status")[1]


def test_missing_and_unreadable_files_are_clear(run: Run, workspace: Workspace) -> None:
    path = workspace.path(find("sdpa"))
    path.write_bytes(b"\xff\xfe\x00broken")
    code, _, error = run("check", "sdpa")
    assert code == 2
    assert "sdpa.py" in error
    path.unlink()
    code, _, error = run("check", "sdpa")
    assert code == 2
    assert "reset sdpa" in error


def test_hints_come_one_by_one(run: Run) -> None:
    hints = find("sdpa").text.hints
    for number, hint in enumerate((*hints, hints[-1]), 1):
        screen = run("hint", "sdpa")[1]
        assert hint in screen
        assert f"Hint {min(number, 3)} of 3" in screen
    assert hints[0] in run("hint", "sdpa", "--number", "1")[1]
    code, _, error = run("hint", "sdpa", "--number", "4")
    assert code == 2
    assert "3 hints" in error


def test_solution_stays_closed_until_a_pass(run: Run, write: Callable) -> None:
    code, screen, error = run("solution", "split_heads")
    assert code == 2
    assert "return hidden.view" not in screen + error
    write("split_heads", solution_of(HEADS))
    run("check", "split_heads")
    code, screen, _ = run("solution", "split_heads")
    assert code == 0
    assert "return hidden.view" in screen
    assert "0 solutions opened" in run("status")[1]


def test_reveal_opens_it_and_is_recorded(run: Run) -> None:
    code, screen, _ = run("solution", "sdpa", "--reveal")
    assert code == 0
    assert "return weights @ value" in screen
    assert "1 solutions opened" in run("status")[1]


def test_reset_keeps_a_backup(run: Run, write: Callable, workspace: Workspace) -> None:
    path = write("masks", "my = 'work'\n")
    run("reset", "masks")
    assert path.read_text(encoding="utf-8") == stub_of(find("masks"))
    backups = list((workspace.home / "backups").iterdir())
    assert [b.read_text(encoding="utf-8") for b in backups] == ["my = 'work'\n"]
    assert "already the empty stub" in run("reset", "masks")[1]
    assert len(list((workspace.home / "backups").iterdir())) == 1
    path.unlink()
    run("reset", "masks")
    assert path.exists()


def test_explain_gives_the_idea_and_the_book(run: Run) -> None:
    screen = run("explain", "sdpa")[1]
    assert "√d_k" in screen
    assert "03_self_attention.html#" in screen


def test_book_address_can_be_overridden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXERCISES_BOOK_URL", "https://example.org/book/")
    assert "https://example.org/book/03_self_attention.html#" in run("explain", "sdpa")[1]


def test_seed_file(run: Run, write: Callable, tmp_path: Path) -> None:
    write("split_heads", solution_of(HEADS))
    good = tmp_path / "seed.json"
    good.write_text('{"seed": 5, "sizes": {"batch": 10}}', encoding="utf-8")
    code, screen, _ = run("check", "split_heads", "--seed-file", str(good))
    assert code == 0
    assert "another seed" in screen


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"seed": "x"}', '{"seed": 1, "size": {}}', '{"seed": 1, "sizes": {"b": 0}}',
     '{"seed": 1, "sizes": {"batch": 3, "keys": 3}}'],
)  # fmt: skip
def test_bad_seed_file_is_refused(run: Run, tmp_path: Path, content: str) -> None:
    bad = tmp_path / "seed.json"
    bad.write_text(content, encoding="utf-8")
    code, _, error = run("check", "sdpa", "--seed-file", str(bad))
    assert code == 2
    assert "is not a seed file" in error


def test_export_writes_all_forms(run: Run, write: Callable, tmp_path: Path) -> None:
    write("split_heads", solution_of(HEADS).replace(".transpose(1, 2).reshape", ".reshape"))
    out = tmp_path / "out"
    assert run("export", "split_heads", "masks", "--out", str(out), "--name", "Ada")[0] == 0
    exercism = json.loads((out / "exercism/split_heads/results.json").read_text(encoding="utf-8"))
    assert (exercism["version"], exercism["status"]) == (3, "fail")
    statuses = [test["status"] for test in exercism["tests"]]
    assert statuses.count("fail") == 1
    assert {test["task_id"] for test in exercism["tests"]} == {1, 2}
    failed = exercism["tests"][statuses.index("fail")]
    assert failed["message"].startswith("[merge-not-transposed] You reshape")
    gradescope = json.loads((out / "gradescope/results.json").read_text(encoding="utf-8"))
    assert [test["status"] for test in gradescope["tests"]] == ["failed", "failed"]
    assert gradescope["tests"][0]["tags"] == ["merge-not-transposed"]
    assert all(test["score"] <= test["max_score"] for test in gradescope["tests"])
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["learner"] == "Ada"
    assert report["exercises"]["split_heads"]["codes"] == ["merge-not-transposed"]


def test_class_report_counts_each_learner_once(run: Run, tmp_path: Path) -> None:
    rows = [
        {"state": "passed", "codes": [], "mistakes": {"no-scale": 3}},
        {"state": "failed", "codes": ["no-scale"], "mistakes": {"no-scale": 1, "mask-inverted": 1}},
        {"state": "not started", "codes": ["not-started"], "mistakes": {}},
    ]
    files = []
    for number, row in enumerate(rows):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps({"learner": str(number), "exercises": {"sdpa": row}}), "utf-8")
        files.append(str(file))
    screen = run("report", *files)[1]
    assert "3 learners, 1 exercises" in screen
    assert "sdpa: 1 of 2 passed" in screen
    assert "2 × no-scale: Your scores are not divided by √d_k." in screen
    assert "1 × mask-inverted" in screen
    assert "not-started" not in screen


def test_report_of_something_else_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    code, _, error = run("report", str(tmp_path / "x.json"))
    assert code == 2
    assert "x.json" in error


def test_merge_command(run: Run, tmp_path: Path) -> None:
    Progress(tmp_path / "other.json").add("sdpa", "check", state="passed", mistakes=[])
    assert "1 new events" in run("merge", str(tmp_path / "other.json"))[1]
    assert "✓ sdpa" in run("list")[1]


def test_damaged_progress_is_reported_not_lost(run: Run, workspace: Workspace) -> None:
    workspace.progress.write_text("{", encoding="utf-8")
    code, _, error = run("list")
    assert code == 0
    assert "was damaged" in error


def test_as_a_module() -> None:
    """The real thing, once, in its own process."""
    command = [sys.executable, "-m", "exercises", "check", "no_such_thing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 2
    assert "no exercise 'no_such_thing'" in done.stderr
    assert "Traceback" not in done.stderr
