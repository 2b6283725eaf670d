"""The generated pages: what they list is what there is."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from exercises.engine.catalogue import load_all

ROOT = Path(__file__).parents[2]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tool() -> ModuleType:
    return load(ROOT / "book" / "tools" / "build_pages.py")


def test_every_module_has_its_place() -> None:
    listed = [name for group in tool().GROUPS.values() for name in group]
    modules = {p.stem for p in (ROOT / "companion").glob("[a-z]*.py")} | {"pretrained"}
    assert sorted(listed) == sorted(modules)


@pytest.mark.parametrize("name", tool().PAGES)
def test_the_page_is_the_generated_one(name: str) -> None:
    stored = (ROOT / "book" / name).read_text(encoding="utf-8")
    assert stored == tool().PAGES[name](), "run `make notebooks`"


def test_the_parity_table_has_every_configuration_that_the_tests_compare() -> None:
    folder = ROOT / "tests" / "pretrained"
    cases = {
        *load(folder / "test_decoders.py").CONFIGS,
        *load(folder / "test_seq2seq.py").CONFIGS,
        *load(folder / "test_encoders.py").HEADS,
    }
    rows = json.loads((ROOT / "book" / "parity.json").read_text(encoding="utf-8"))
    assert set(rows) == cases, "run `make parity`"
    for row in rows.values():
        assert float(row["float32"]["error"]) < 1e-5
        assert float(row["float64"]["error"]) < 1e-9


def test_the_kill_matrix_lists_every_exercise_and_every_mistake() -> None:
    text = (ROOT / "book" / "kill_matrix.md").read_text(encoding="utf-8").replace(r"\_", "_")
    sections = dict(re.findall(r"^:::\{dropdown\} .+ \((\w+)\): .+\n((?:.*\n)+?):::$", text, re.M))
    exercises = load_all()
    assert set(sections) == set(exercises), "run `make kill-matrix`"
    for name, exercise in exercises.items():
        listed = re.findall(r"^\| \*\*([\w-]+)\*\*:", sections[name], re.M)
        assert sorted(listed) == sorted(exercise.text.mutants), f"{name}: run `make kill-matrix`"
