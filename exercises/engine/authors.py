"""For authors: the gate that every exercise passes, its kill matrix, and the stub files.

python -m exercises.engine.authors gate      [ID ...]   what is wrong with each exercise
python -m exercises.engine.authors matrix    [ID ...]   exercise × mutant × check, as JSON
python -m exercises.engine.authors stubs     [ID ...]   write the stub files from the solutions
python -m exercises.engine.authors page      FILE [ID ...]   the matrix as a page of the book
python -m exercises.engine.authors misconceptions FILE [ID ...]   paragraph ↔ mistakes, likewise
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from exercises.engine.catalogue import find, load_all, with_variants
from exercises.engine.compare import same_outcome
from exercises.engine.diagnosis import run_here
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_here
from exercises.engine.pages import kill_page, misconception_page
from exercises.engine.planning import Settings, attach, decide, plan
from exercises.engine.stub import hidden_lines, solution_of, stub_of
from exercises.engine.text import page_link
from exercises.engine.verdict import NOT_STARTED, PASSED
from exercises.engine.workspace import Workspace, write_text

FEWEST_MUTANTS, FEWEST_ALTERNATIVES, HINTS = 8, 3, 3
SEEDS = (0, 1, 2, 3, 20_240)
LONGEST_SENTENCE = 330  # characters of a `what`: one sentence, or two short ones


@dataclass(frozen=True)
class Kill:
    """How one mutant fares: the check that stops it, all that would, and its diagnosis."""

    exercise: str
    mutant: str
    what: str
    book: str
    caught_by: str
    stage: str
    also_caught_by: tuple[str, ...]
    diagnosed: tuple[str, ...]


def kill_matrix(*ids: str) -> list[Kill]:
    """Every mutant of the given exercises (all by default) against every check."""
    chosen = [find(name) for name in ids] or list(load_all().values())
    return [kill for exercise in chosen for kill in _kills(with_variants(exercise))]


def _kills(exercise: Exercise) -> Iterator[Kill]:
    for mutant in exercise.mutants:
        planned = plan(exercise, Settings())
        cases = [case for item in planned for case in item.cases]
        attach(exercise, planned, run_here(mutant.namespace, cases, exercise))
        caught = [item.check for item in planned if decide(item) is not None]
        verdict = grade_here(exercise, mutant.namespace)
        text = exercise.text.mutants.get(mutant.code)
        yield Kill(
            exercise=exercise.id,
            mutant=mutant.code,
            what=text.what if text else "",
            book=text.book if text else "",
            caught_by=verdict.failure.check if verdict.failure else "",
            stage=verdict.failure.stage if verdict.failure else "",
            also_caught_by=tuple(check.name for check in caught[1:]),
            diagnosed=verdict.codes,
        )


def gate(exercise: Exercise) -> list[str]:
    """All that is wrong with an exercise, as sentences; an empty list is a pass."""
    with_variants(exercise)
    first = [*_text_problems(exercise), *_hint_problems(exercise), *_order_problems(exercise)]
    if first:
        return first  # without all its words an exercise cannot be run
    return [
        *_stub_problems(exercise),
        *_right_answer_problems(exercise),
        *_mutant_problems(exercise),
    ]


def _stub_problems(exercise: Exercise) -> Iterator[str]:
    """Nothing is written yet, or (a bug hunt) the stub is wrong in a way that has a name."""
    verdict = grade_here(exercise, _namespace(stub_of(exercise)))
    named = {mutant.code for mutant in exercise.mutants} & set(verdict.codes)
    if verdict.state == PASSED:
        yield "the stub passes"
    elif verdict.state != NOT_STARTED and not named:
        yield f"the stub is {verdict.state}, neither 'not started' nor one of the mutants"


def _right_answer_problems(exercise: Exercise) -> Iterator[str]:
    """Solutions over seeds and sizes; every check brings its own dtypes."""
    answers: dict[str, Mapping[str, Any]] = {"the solution": _namespace(solution_of(exercise))}
    answers |= {f"alternative {v.code}": v.namespace for v in exercise.alternatives}
    for name, namespace in answers.items():
        for seed in SEEDS:
            verdict = grade_here(exercise, namespace, Settings(seed=seed))
            if not verdict.passed:
                yield f"{name} fails with seed {seed}:\n{verdict}"
    if len(exercise.alternatives) < FEWEST_ALTERNATIVES:
        yield f"only {len(exercise.alternatives)} alternatives; {FEWEST_ALTERNATIVES} are needed"


def _mutant_problems(exercise: Exercise) -> Iterator[str]:
    codes = [mutant.code for mutant in exercise.mutants]
    if len(codes) < FEWEST_MUTANTS:
        yield f"only {len(codes)} mutants; {FEWEST_MUTANTS} are needed"
    if len(set(codes)) < len(codes):
        yield "two mutants have the same code"
    kills = list(_kills(exercise))
    for kill in kills:
        if kill.diagnosed != (kill.mutant,):
            yield f"mutant {kill.mutant} is diagnosed as {kill.diagnosed or 'right'}"
    for code in _equal_to_solution(exercise):
        yield f"mutant {code} behaves like the solution on every case"
    killers = {name for kill in kills for name in (kill.caught_by, *kill.also_caught_by)}
    for check in exercise.checks:
        if check.name not in killers:
            yield f"check {check.name} kills no mutant"


def _equal_to_solution(exercise: Exercise) -> Iterator[str]:
    cases = [case for item in plan(exercise, Settings()) for case in item.cases]
    right = run_here(_namespace(solution_of(exercise)), cases, exercise)
    for mutant in exercise.mutants:
        outcomes = run_here(mutant.namespace, cases, exercise)
        triples = zip(right, outcomes, cases, strict=True)
        if all(same_outcome(a, b, case.dtype) for a, b, case in triples):
            yield mutant.code


def _text_problems(exercise: Exercise) -> Iterator[str]:
    text = exercise.text
    pairs = (
        ("mutant", {m.code for m in exercise.mutants}, text.mutants),
        ("check", {c.name for c in exercise.checks}, text.checks),
    )
    for kind, declared, written in pairs:
        for name in declared ^ written.keys():
            yield f"{kind} {name} stands only in {'code' if name in declared else 'text.toml'}"
        for name, advice in written.items():
            if len(advice.what) > LONGEST_SENTENCE:
                yield f"{kind} {name}: `what` has {len(advice.what)} characters; say it shorter"
            if not all((advice.what, advice.why, advice.print)):
                yield f"{kind} {name} has an empty field"
            try:
                page_link(advice.book)
            except ValueError as error:
                yield f"{kind} {name}: {error}"


def _hint_problems(exercise: Exercise) -> Iterator[str]:
    hints = exercise.text.hints
    if len(hints) != HINTS:
        yield f"{len(hints)} hints; there must be {HINTS}"
    source = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    for number, hint in enumerate(hints, 1):
        squeezed = "".join(hint.split())
        for line in hidden_lines(source):
            if len(line) > 12 and "".join(line.split()) in squeezed:
                yield f"hint {number} gives away the solution line {line!r}"


def _order_problems(exercise: Exercise) -> Iterator[str]:
    """Within one part the stages come in order, and parts come in order."""
    keys = [(exercise.parts.index(check.part), check.stage) for check in exercise.checks]
    if keys != sorted(keys):
        yield "checks must be declared part by part, and stage by stage within a part"


def _namespace(source: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "answer"}
    exec(compile(source, "<stub or solution>", "exec"), namespace)
    return namespace


def main(arguments: list[str]) -> int:
    """Command line for authors."""
    action, ids = (arguments[0] if arguments else ""), arguments[1:]
    file = Path(ids.pop(0)) if action in ("page", "misconceptions") and ids else None
    chosen = [find(name) for name in ids] or list(load_all().values())
    if action == "gate":
        problems = [f"{e.id}: {problem}" for e in chosen for problem in gate(e)]
        print("\n".join(problems) or f"{len(chosen)} exercises pass the gate")
        return 1 if problems else 0
    if action == "matrix":
        kills = kill_matrix(*(exercise.id for exercise in chosen))
        print(json.dumps([asdict(kill) for kill in kills], indent=1, ensure_ascii=False))
        return 0
    if action == "stubs":
        for exercise in chosen:
            backup = Workspace().reset(exercise)
            print(exercise.id, f"(replaced; the old file is {backup})" if backup else "")
        return 0
    if file is not None:
        known = {exercise.id: exercise for exercise in chosen}
        text = (
            kill_page(known, kill_matrix(*known))
            if action == "page"
            else misconception_page(chosen)
        )
        write_text(file, text)
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
