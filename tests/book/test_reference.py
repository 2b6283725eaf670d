"""The reference page names every public module."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tool():
    spec = importlib.util.spec_from_file_location(
        "build_reference", ROOT / "book" / "tools" / "build_reference.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_module_has_its_place() -> None:
    listed = [name for group in tool().GROUPS.values() for name in group]
    modules = {p.stem for p in (ROOT / "companion").glob("[a-z]*.py")} | {"pretrained"}
    assert sorted(listed) == sorted(modules)


def test_the_page_is_the_generated_one() -> None:
    stored = (ROOT / "book" / "reference.md").read_text(encoding="utf-8")
    assert stored == tool().page(), "run `make notebooks`"
