"""Bug hunts, tests to write, numbers by hand: what the learner sees of each."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from exercises.engine.case import Outcome, Remarks
from exercises.engine.catalogue import find, load_all
from exercises.engine.compare import same_value
from exercises.engine.exercise import Exercise, Variants
from exercises.engine.grader import grade_answer, grade_here
from exercises.engine.isolated import calling, wire
from exercises.engine.isolated.testing import ACCEPTED, BROKE, REFUSED, run_test
from exercises.engine.progress import Progress
from exercises.engine.sandbox import Answer
from exercises.engine.stub import fill, solution_of, stub_of
from exercises.engine.verdict import FAILED, NOT_STARTED, PASSED, Verdict

ROOT = Path(__file__).resolve().parents[2]
HUNTS = [name for name in load_all() if name.startswith("hunt_")]
BY_HAND = [name for name in load_all() if name.startswith("by_hand_")]
TESTS = [name for name in load_all() if name.startswith("test_a_")]


def grade(exercise: Exercise, source: str) -> Verdict:
    return grade_answer(exercise, Answer(source, f"{exercise.id}.py"))


def namespace(source: str) -> dict:
    found: dict = {"__name__": "answer"}
    exec(compile(source, "x.py", "exec"), found)
    return found


# --- bug hunts


@pytest.mark.parametrize("name", HUNTS)
def test_untouched_hunt_is_not_started_and_shows_its_symptom(name: str, tmp_path: Path) -> None:
    exercise = find(name)
    verdict = grade(exercise, stub_of(exercise))
    assert verdict.state == NOT_STARTED
    assert verdict.codes == ("still-there",)
    progress = Progress(tmp_path / "progress.json")
    progress.record(verdict, "")
    assert not progress.standings()[name].mistakes


def test_hunt_with_a_comment_added_is_started() -> None:
    exercise = find("hunt_fp16_mask")
    verdict = grade(exercise, stub_of(exercise) + "# here?\n")
    assert verdict.state == FAILED
    assert verdict.codes == ("still-there",)


@pytest.mark.parametrize("name", HUNTS)
def test_a_hunts_words_for_the_bug_do_not_give_the_line_away(name: str) -> None:
    exercise = find(name)
    hidden = set(solution_of(exercise).splitlines()) - set(stub_of(exercise).splitlines())
    advice = exercise.text.mutants["still-there"]
    for line in filter(None, (line.strip() for line in hidden)):
        assert line not in " ".join((advice.what, advice.why, advice.print))


# --- numbers by hand


@pytest.mark.parametrize("name", BY_HAND)
def test_empty_places_are_not_started(name: str) -> None:
    exercise = find(name)
    verdict = grade_here(exercise, namespace(stub_of(exercise)))
    assert verdict.state == NOT_STARTED
    assert f"`{exercise.parts[0]}` still has empty places" in str(verdict)


def test_first_wrong_line_is_named_and_no_right_number() -> None:
    exercise = find("by_hand_attention")
    source = solution_of(exercise).replace("[0.73, 0.18, 0.09]", "[0.83, 0.18, 0.09]")
    text = str(grade_here(exercise, namespace(source.replace("[0.46, 0.51]", "[0.99, 0.51]"))))
    assert "line_3_weights" in text
    assert "the first is 0.83 at [query 2, key 0]" in text
    assert "0.73" not in text
    assert "expected" not in text.lower()


def test_one_number_alone_has_no_place() -> None:
    exercise = find("by_hand_beam")
    text = str(
        grade_here(exercise, namespace(solution_of(exercise).replace("winner = 1", "winner = 7")))
    )
    assert "7 is not right." in text


@pytest.mark.parametrize(
    ("old", "new"), [("1.41, 1.41", "1.42, 1.40"), ("[0.65, 0.27]", "[0.66, 0.25]")]
)
def test_rounding_on_the_way_is_forgiven(old: str, new: str) -> None:
    exercise = find("by_hand_attention")
    source = solution_of(exercise)
    assert old in source
    assert grade_here(exercise, namespace(source.replace(old, new))).state == PASSED


@pytest.mark.parametrize("numbers", ["[[2, 0, 1], [2, 2], [3, 1, 0]]", "['a', 'b']", "{'a': 1}"])
def test_what_is_no_table_of_numbers_is_said(numbers: str) -> None:
    exercise = find("by_hand_attention")
    source = solution_of(exercise).replace("scores = [", f"scores = {numbers}\nother = [", 1)
    text = str(grade_here(exercise, namespace(source)))
    assert "numbers only, and as many in every row" in text


def test_a_table_of_another_form_is_said() -> None:
    exercise = find("by_hand_attention")
    source = solution_of(exercise).replace("scores = [", "scores = [[1, 2]]\nother = [", 1)
    assert "form (1, 2); expected (3, 3)" in str(grade_here(exercise, namespace(source)))


@pytest.mark.parametrize("value", [None, ..., [1, None], [[1, 2], [3, ...]]])
def test_none_and_dots_are_empty_places(value: object) -> None:
    with pytest.raises(NotImplementedError):
        calling.written_down(value)


# --- tests to write

LAYER_NORM_TEST = (
    "x = torch.randn(2, 3, 4)\nout = layer_norm(x, torch.ones(4), torch.zeros(4), 1e-5)\n"
)


@pytest.mark.parametrize("name", TESTS)
def test_no_assertion_lets_all_through_and_counts_none(name: str) -> None:
    exercise = find(name)
    verdict = grade_here(exercise, namespace(fill(exercise, "return None")))
    wrong = [check for check in exercise.checks if check.name.startswith("catches_")]
    assert verdict.codes == ("no-assertion",)
    assert f"It catches 0 of {len(wrong)} wrong implementations" in str(verdict)


def test_survivor_is_described_in_words() -> None:
    exercise = find("test_a_layer_norm")
    body = LAYER_NORM_TEST + "assert out.mean().abs() < 1e-5\nassert out.dtype == x.dtype"
    verdict = grade_here(exercise, namespace(fill(exercise, body)))
    assert verdict.state == FAILED
    failed = exercise.text.checks[verdict.failure.check]  # type: ignore[union-attr]
    assert failed.what in str(verdict)
    assert "lets this wrong implementation through" in str(verdict)


def test_refused_right_one_is_told_with_the_reason_and_the_line() -> None:
    exercise = find("test_a_mask")
    verdict = grade(
        exercise, fill(exercise, "mask = causal_mask(3, 3)\nassert mask.sum() == 5, 'oh'")
    )
    text = str(verdict)
    assert "accepts_triangle" in text
    assert "refuses this right implementation. It raised AssertionError: oh" in text
    assert "of your code" in text


def test_a_test_that_breaks_is_not_taken_for_one_that_refuses() -> None:
    exercise = find("test_a_mask")
    verdict = grade(exercise, fill(exercise, "assert causal_mask(3, 3).equals(None)"))
    assert verdict.codes == ("check:accepts_triangle",)
    assert "AttributeError" in str(verdict)


def double(x: float) -> float:
    return 2 * x


VERDICTS = {
    "return None": ACCEPTED,
    "return True": ACCEPTED,
    "return False": REFUSED,
    "assert False": REFUSED,
    "raise ValueError('no')": REFUSED,
    "import pytest; pytest.fail('no')": REFUSED,
    "return nothing": BROKE,
}


@pytest.mark.parametrize("body", VERDICTS)
def test_raising_or_returning_false_refuses(body: str) -> None:
    def tried(right: list[str], wrong: list[str]) -> tuple:
        found = namespace(f"def test(double):\n    {body}\n")
        return run_test(found, "test", {"double": double}, {"right": right, "wrong": wrong})

    codes, remarks = tried(["double"], [])
    assert codes.tolist() == [VERDICTS[body]]
    assert bool(remarks.lines[0]) is (VERDICTS[body] != ACCEPTED)
    assert tried([], ["double"])[0].tolist() == [min(VERDICTS[body], REFUSED)]


def test_every_implementation_is_tried_once_however_many_checks_ask() -> None:
    found = namespace("calls = []\ndef test(double):\n    calls.append(double)\n")
    for _ in range(3):
        run_test(found, "test", {"double": double}, {"right": ["double"], "wrong": []})
    assert found["calls"] == [double]


def test_stub_of_a_test_is_not_taken_for_a_refusal() -> None:
    found = namespace("def test(double):\n    raise NotImplementedError\n")
    with pytest.raises(NotImplementedError):
        run_test(found, "test", {"double": double}, {"right": ["double"], "wrong": []})


def test_remarks_travel_and_do_not_count_in_comparisons(tmp_path: Path) -> None:
    wire.save(tmp_path / "x.npz", {"a": (np.ones(2), Remarks(("why", "")))})
    loaded = wire.load(tmp_path / "x.npz")
    assert loaded["a"][1] == Remarks(("why", ""))
    assert same_value(loaded["a"], (np.ones(2), Remarks(("another",))), "float32")
    assert not same_value(loaded["a"], (np.zeros(2), Remarks(("why", ""))), "float32")


def test_pytest_tries_the_learners_test_and_does_not_run_it_itself() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "exercises/test_a_mask",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert "fixture" not in done.stdout
    assert "accepts_triangle" in done.stdout


# --- variants


def test_replaced_helpers_are_called_by_the_rest_of_the_solution(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(
        "def helper(x):\n    return x\n\n\ndef main(x):\n    return helper(x)\n", "utf-8"
    )
    variants = Variants(path)

    @variants.function("other")
    def helper(x):
        return x + 1

    (variant,) = variants
    assert variant.namespace["main"](1) == 2


def test_outcome_with_words_is_an_outcome() -> None:
    assert Outcome(value=(np.ones(1), Remarks(("a",)))).error is None
