"""What an exercise is: its oracle, its ordered checks, its mutants and accepted alternatives.

An exercise's folder declares them with the decorators below; the words stand in its ``text.toml``.
"""

import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from exercises.engine.case import Case, Draw
from exercises.engine.text import ExerciseText, load_text


class Stage(IntEnum):
    """Checks run in this order and stop at the first failure."""

    CONTRACT = 1
    ISOLATED = 2
    ORACLE = 3
    PROPERTIES = 4
    GRADIENTS = 5
    EDGES = 6

    @property
    def label(self) -> str:
        """The stage's name as a learner reads it."""
        return self.name.lower()


@dataclass(frozen=True)
class Oracle:
    """An independent answer in float64, and the names of the output's axes."""

    function: str
    compute: Callable[..., Any]
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """One thing that must hold.

    ``build`` takes a ``Draw`` and returns cases, which ``judge`` then decides on; or it is a
    generator that yields cases once, receives their outcomes, and calls ``expect`` itself.
    """

    name: str
    stage: Stage
    part: str
    build: Callable[[Draw], Any]
    judge: str | None


@dataclass(frozen=True)
class Variant:
    """A whole answer: a mutant (known mistake) or an accepted alternative."""

    code: str
    namespace: Mapping[str, Any]


@dataclass
class Exercise:
    """One folder under ``exercises/``. Create it in ``spec.py`` with ``Exercise(__file__)``.

    Args:
        order: place in the course.
        minutes: how long a learner needs, roughly.
        parts: the functions (or classes) to be written, in order.
    """

    file: str
    order: int
    minutes: int
    parts: tuple[str, ...]
    oracles: dict[str, Oracle] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)
    mutants: list[Variant] = field(default_factory=list)
    alternatives: list[Variant] = field(default_factory=list)
    _built: dict[Any, list[Case]] = field(default_factory=dict, repr=False)

    @property
    def folder(self) -> Path:
        """Where the exercise lives."""
        return Path(self.file).resolve().parent

    @property
    def id(self) -> str:
        """The folder's name is the exercise's id."""
        return self.folder.name

    @property
    def text(self) -> ExerciseText:
        """All that a learner reads of this exercise."""
        return load_text(self.folder / "text.toml")

    @property
    def driver(self) -> Path | None:
        """Trusted code that makes unusual calls inside the child, if the exercise needs any."""
        path = self.folder / "driver.py"
        return path if path.exists() else None

    def oracle(self, function: str, axes: str) -> Callable[[Callable], Callable]:
        """Declare the reference for ``function``; ``axes`` names the output's axes."""

        def register(compute: Callable) -> Callable:
            self.oracles[function] = Oracle(function, compute, tuple(axes.split()))
            return compute

        return register

    def check(
        self, stage: Stage, *, part: str | None = None, judge: str | None = None
    ) -> Callable[[Callable], Callable]:
        """Declare a check; the function's name is its key in ``text.toml``."""

        def register(build: Callable[[Draw], Any]) -> Callable:
            chosen = judge or DEFAULT_JUDGE.get(stage)
            if inspect.isgeneratorfunction(build):
                chosen = None
            elif chosen is None:
                raise ValueError(f"check {build.__name__}: the contract stage needs a judge")
            where = part or self.parts[0]
            self.checks.append(Check(build.__name__, stage, where, build, chosen))
            return build

        return register

    def cases_of(self, check: Check, seed: int, sizes: Mapping[str, int]) -> tuple[list[Case], Any]:
        """Build a check's cases; the second item is the running generator, or None."""
        key = (check.name, seed, tuple(sorted(sizes.items())))
        if key in self._built:
            return self._built[key], None
        built = check.build(Draw(seed, f"{self.id}/{check.name}", sizes))
        if isinstance(built, types.GeneratorType):
            return _as_list(next(built)), built
        self._built[key] = _as_list(built)
        return self._built[key], None


DEFAULT_JUDGE = {
    Stage.ISOLATED: "values",
    Stage.ORACLE: "values",
    Stage.PROPERTIES: "values",
    Stage.GRADIENTS: "gradients",
    Stage.EDGES: "values",
}


class Variants:
    """Collects whole answers that are each a small change of the solution.

    ``edit`` replaces places in the solution's source; ``function`` one of its functions.
    """

    def __init__(self, solution: Path) -> None:
        self.source = solution.read_text(encoding="utf-8")
        self.path = solution
        self.collected: list[Variant] = []

    def edit(self, code: str, *changes: tuple[str, str]) -> None:
        """The solution with each ``(old, new)`` applied; ``old`` must stand there exactly once.

        Raises:
            ValueError: if it does not, e.g. because the solution was rewritten.
        """
        source = self.source
        for old, new in changes:
            if source.count(old) != 1:
                raise ValueError(f"{code}: {old!r} stands {source.count(old)} times in {self.path}")
            source = source.replace(old, new)
        self.collected.append(Variant(code, _execute(source, f"<{self.path.parent.name}: {code}>")))

    def function(self, code: str) -> Callable[[Callable], Callable]:
        """The solution with the decorated function in place of the one of the same name."""

        def register(function: Callable) -> Callable:
            namespace = _execute(self.source, str(self.path))
            if function.__name__ not in namespace:
                raise ValueError(f"{code}: the solution defines no {function.__name__}")
            namespace[function.__name__] = function  # the solution's other functions call it, too
            self.collected.append(Variant(code, namespace))
            return function

        return register

    def stub(self, code: str) -> None:
        """The stub as it is given out: the mistake that a bug hunt starts from."""
        from exercises.engine.stub import derive  # it imports this module

        namespace = _execute(derive(self.source), f"<{self.path.parent.name}: {code}>")
        self.collected.append(Variant(code, namespace))

    def __iter__(self) -> Iterator[Variant]:
        return iter(self.collected)


def _execute(source: str, filename: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "solution"}
    exec(compile(source, filename, "exec"), namespace)
    return namespace


def _as_list(cases: Case | Iterable[Case]) -> list[Case]:
    return [cases] if isinstance(cases, Case) else list(cases)
