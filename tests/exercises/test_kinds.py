"""The mechanism carries every kind of exercise that is planned, not only functions of tensors.

Each toy below is a whole exercise folder; it must pass the authors' gate (apart from the numbers of
mutants and alternatives) and be graded in the child process.
"""

from pathlib import Path

import pytest

from exercises.engine import authors
from exercises.engine.catalogue import _load_spec
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_answer
from exercises.engine.sandbox import Answer
from exercises.engine.stub import solution_of, stub_of
from exercises.engine.verdict import NOT_STARTED

SPEC = """
import numpy as np
from exercises.engine.case import Case, Generator
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers
exercise = Exercise(__file__, order=1, minutes=1, parts=({part!r},))
"""
EDITS = """
from pathlib import Path
from exercises.engine.exercise import Variants
variants = Variants(Path(__file__).with_name("solution.py"))
"""

MODULE = {
    "part": "Affine",
    "solution": """
import torch
class Affine(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.bias = torch.nn.Parameter(torch.zeros(size))
    def forward(self, x):
        # solution:
        return x * self.weight + self.bias
        # end
""",
    "spec": """
@exercise.oracle("Affine", axes="batch feature")
def affine(x, state):
    return x * state["weight"] + state["bias"]

def case(draw):
    b, size = draw.dims("batch", "size")
    state = {"weight": draw.normal(size), "bias": draw.normal(size)}
    return Case("Affine", {"x": draw.normal(b, size), "state": state}, construct={"size": size})

@exercise.check(Stage.ORACLE)
def values(draw):
    return [case(draw)]

@exercise.check(Stage.GRADIENTS)
def parameters_learn(draw):
    made = case(draw)
    shape = made.arguments["x"].shape
    names = ("x", "state")
    return [made.set(dtype="float64", differentiate=names, cotangent=draw.normal(*shape))]
""",
    "mutants": """
variants.edit("no-bias", (" + self.bias", ""))
variants.edit("frozen", ("self.weight +", "self.weight.detach() +"))
""",
    "names": (["values", "parameters_learn"], ["no-bias", "frozen"]),
}

DRIVEN = {
    "part": "greedy",
    "solution": """
def greedy(next_scores, start, steps):
    # solution:
    tokens = [start]
    for _ in range(steps):
        tokens.append(int(next_scores(tokens).argmax()))
    return tokens
    # end
""",
    "driver": """
import torch
def with_table(namespace, case, arguments):
    table = arguments["table"]
    def next_scores(tokens):
        return table[tokens[-1]]
    found = namespace["greedy"](next_scores, arguments["start"], arguments["steps"])
    return torch.tensor(found)
""",
    "spec": """
@exercise.oracle("greedy", axes="position")
def greedy(table, start, steps):
    tokens = [start]
    for _ in range(steps):
        tokens.append(int(np.argmax(table[tokens[-1]])))
    return np.array(tokens)

@exercise.check(Stage.ORACLE)
def follows_the_best(draw):
    arguments = {"table": draw.normal(5, 5), "start": 1, "steps": 6}
    return [Case("greedy", arguments, via="with_table")]
""",
    "mutants": 'variants.edit("forgets-start", ("[start]\\n", "[start]\\n    del tokens[0]\\n'
    '    tokens += [start][1:]\\n    tokens = tokens or [0]\\n"))\n'
    'variants.edit("takes-worst", ("argmax", "argmin"))\n',
    "names": (["follows_the_best"], ["forgets-start", "takes-worst"]),
}

RANDOM = {
    "part": "corrupt",
    "solution": """
import torch
def corrupt(tokens, mask_id, generator):
    # solution:
    chosen = torch.rand(tokens.shape, generator=generator) < 0.15
    return torch.where(chosen, mask_id, tokens)
    # end
""",
    "spec": """
def case(draw, seed):
    tokens = draw.integers(5, 99, 40, 100)
    return Case("corrupt", {"tokens": tokens, "mask_id": 3, "generator": Generator(seed)})

@exercise.check(Stage.CONTRACT, judge="untouched")
def tokens_stay(draw):
    return [case(draw, 1)]

@exercise.check(Stage.PROPERTIES)
def fifteen_percent(draw):
    (trial,) = yield [case(draw, 2)]
    share = float((numbers(trial) == 3).mean())
    expect(0.12 < share < 0.18, f"{share:.1%} of the tokens are masked.", trial)

@exercise.check(Stage.PROPERTIES)
def the_generator_decides(draw):
    first = case(draw, 3)
    a, b = yield [first, first.but(generator=Generator(4))]
    expect((numbers(a) != numbers(b)).any(), "Two generators gave the same mask.", b)
""",
    "mutants": """
variants.edit("half", ("0.15", "0.5"))
variants.edit(
    "in-place", ("torch.where(chosen, mask_id, tokens)", "tokens.masked_fill_(chosen, mask_id)")
)
RAND = "torch.rand(tokens.shape, generator=generator)"
variants.edit("no-chance", (RAND, "torch.arange(tokens.size(1)) / 100"))
""",
    "names": (
        ["tokens_stay", "fifteen_percent", "the_generator_decides"],
        ["half", "in-place", "no-chance"],
    ),
}

BY_HAND = {
    "part": "weights",
    "solution": """
def weights():
    # solution:
    return [[0.5, 0.5], [0.25, 0.75]]
    # end
""",
    "spec": """
@exercise.oracle("weights", axes="line column")
def weights():
    return np.array([[0.5, 0.5], [0.25, 0.75]])

@exercise.check(Stage.ORACLE)
def every_line(draw):
    return [Case("weights", {})]
""",
    "mutants": """
variants.edit("not-normalised", ("0.25, 0.75", "1.0, 3.0"))
""",
    "names": (["every_line"], ["not-normalised"]),
}

WRITE_THE_TEST = {
    "part": "is_right",
    "solution": """
def is_right(double):
    # solution:
    return double(2) == 4 and double(-3) == -6
    # end
""",
    "driver": """
import torch
RIGHT = [lambda x: 2 * x, lambda x: x + x]
WRONG = [lambda x: x * x, lambda x: abs(2 * x), lambda x: 4, lambda x: 0]
def on_all(namespace, case, arguments):
    return torch.tensor([bool(namespace["is_right"](subject)) for subject in RIGHT + WRONG])
""",
    "spec": """
@exercise.oracle("is_right", axes="subject")
def right_ones():
    return np.array([True, True, False, False, False, False])

@exercise.check(Stage.ORACLE)
def kills_the_wrong_and_spares_the_right(draw):
    return [Case("is_right", {}, via="on_all")]
""",
    "mutants": """
variants.edit("one-input", (" and double(-3) == -6", ""))
variants.edit("lets-all-pass", ("double(2) == 4 and double(-3) == -6", "True"))
""",
    "names": (["kills_the_wrong_and_spares_the_right"], ["one-input", "lets-all-pass"]),
}

BUG_HUNT = {
    "part": "mean",
    "solution": """
def mean(x):
    # solution:
    return x.sum() / x.numel()
    # stub:
    # return x.sum() / len(x)
    # end
""",
    "spec": """
@exercise.oracle("mean", axes="")
def mean(x):
    return x.mean()

@exercise.check(Stage.ORACLE)
def mean_of_all(draw):
    return [Case("mean", {"x": draw.normal(3, 4)})]
""",
    "mutants": """
variants.edit("length", ("x.numel()", "len(x)"))
variants.edit("no-division", (" / x.numel()", ""))
""",
    "names": (["mean_of_all"], ["length", "no-division"]),
}

TOYS = {
    "module": MODULE,
    "driven": DRIVEN,
    "random": RANDOM,
    "by_hand": BY_HAND,
    "write_the_test": WRITE_THE_TEST,
    "bug_hunt": BUG_HUNT,
}


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(authors, "FEWEST_MUTANTS", 1)
    monkeypatch.setattr(authors, "FEWEST_ALTERNATIVES", 0)

    def make(name: str) -> Exercise:
        toy, folder = TOYS[name], tmp_path / name
        folder.mkdir()
        checks, mutants = toy["names"]
        files = {
            "solution.py": toy["solution"].lstrip(),
            "spec.py": SPEC.format(part=toy["part"]) + toy["spec"],
            "mutants.py": EDITS + toy["mutants"],
            "alternatives.py": EDITS,
            "text.toml": words(checks, mutants),
        }
        if "driver" in toy:
            files["driver.py"] = toy["driver"]
        for file, content in files.items():
            (folder / file).write_text(content, encoding="utf-8")
        return _load_spec(folder / "spec.py")

    return make


def words(checks: list[str], mutants: list[str]) -> str:
    head = 'title = "t"\nsummary = "s"\nbook = "notation"\nhints = ["a", "b", "c"]\nexplain = "e"\n'
    tables = [f"checks.{name}" for name in checks] + [f"mutants.{code}" for code in mutants]
    body = 'what = "{0}"\nwhy = "w"\nprint = "p"\n'
    return head + "".join(f"[{table}]\n{body.format(table)}" for table in tables)


@pytest.mark.parametrize("kind", TOYS)
def test_kind_passes_the_gate(kind: str, build) -> None:
    assert authors.gate(build(kind)) == []


@pytest.mark.parametrize("kind", TOYS)
def test_kind_is_graded_in_the_child(kind: str, build) -> None:
    exercise = build(kind)
    verdict = grade_answer(exercise, Answer(solution_of(exercise), "x.py"))
    assert verdict.passed, str(verdict)


def test_the_line_of_an_error_inside_a_driver_is_the_learners(build) -> None:
    exercise = build("driven")
    source = "def greedy(next_scores, start, steps):\n    return next_scores([99])\n"
    verdict = grade_answer(exercise, Answer(source, "x.py"))
    assert "In line 2 of your code: return next_scores([99])" in str(verdict)


def test_bug_hunts_stub_is_a_named_mistake(build) -> None:
    exercise = build("bug_hunt")
    verdict = grade_answer(exercise, Answer(stub_of(exercise), "x.py"))
    assert verdict.codes == ("length",)


def test_wrong_line_by_hand_is_pointed_at(build) -> None:
    exercise = build("by_hand")
    verdict = grade_answer(exercise, Answer("def weights(): return [[0.5, 0.5], [0.2, 0.8]]", "x"))
    assert "[line 1, column 0]: expected 0.25, got 0.2" in str(verdict)
    assert grade_answer(exercise, Answer(stub_of(exercise), "x.py")).state == NOT_STARTED


def test_the_parameters_of_a_module_are_counted_not_listed(build) -> None:
    exercise = build("module")
    wrong = solution_of(exercise).replace(" + self.bias", " + 1")
    text = str(grade_answer(exercise, Answer(wrong, "x.py")))
    assert "state of 2 tensors, float32" in text


def test_other_parameter_names_are_named(build) -> None:
    """Then loading fails, and the message says which names are expected."""
    exercise = build("module")
    source = solution_of(exercise).replace("self.weight", "self.scale")
    verdict = grade_answer(exercise, Answer(source, "x.py"))
    assert not verdict.passed
    assert "weight" in str(verdict)
