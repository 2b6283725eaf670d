"""Find the exercises: every folder here that holds a ``spec.py`` is one."""

import difflib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from exercises.engine.exercise import Exercise, Variants
from exercises.engine.text import HOME, say


class UnknownExercise(LookupError):
    """No exercise of that name; the message names close ones."""


@cache
def load_all(home: Path = HOME) -> dict[str, Exercise]:
    """All exercises in the order of the course. Checks and oracles only: torch is not imported."""
    found = [_load_spec(path) for path in home.glob("*/spec.py")]
    return {exercise.id: exercise for exercise in sorted(found, key=lambda e: (e.order, e.id))}


def find(name: str, home: Path = HOME) -> Exercise:
    """The exercise called ``name``; a path to its folder or file works as well.

    Raises:
        UnknownExercise: naming close matches.
    """
    known = load_all(home)
    path = Path(name)
    for candidate in (name, path.stem, path.name, path.parent.name):
        if candidate in known:
            return known[candidate]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [
        key for key, exercise in known.items() if _mentions(exercise, name) and key not in near
    ]
    close = say("did_you_mean", names=", ".join(near[:3])) if near else ""
    raise UnknownExercise(say("unknown_exercise", id=name, close=close))


def with_variants(exercise: Exercise) -> Exercise:
    """Load mutants and alternatives as well (this imports torch)."""
    if not exercise.mutants:
        for file, target in (
            ("mutants", exercise.mutants),
            ("alternatives", exercise.alternatives),
        ):
            target.extend(_variants(exercise.folder / f"{file}.py"))
    return exercise


def _mentions(exercise: Exercise, name: str) -> bool:
    return name.lower() in exercise.text.title.lower() or name in exercise.parts


def _load_spec(path: Path) -> Exercise:
    exercise = vars(_load(path)).get("exercise")
    if not isinstance(exercise, Exercise):
        raise TypeError(f"{path} must define `exercise = Exercise(...)`")
    return exercise


def _variants(path: Path) -> Variants:
    collected = vars(_load(path)).get("variants")
    if not isinstance(collected, Variants):
        raise TypeError(f"{path} must define `variants = Variants(...)`")
    return collected


def _load(path: Path) -> ModuleType:
    """Import a file under a name of its own, wherever the exercises lie."""
    name = f"_exercise_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
