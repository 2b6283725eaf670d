"""Long experiments: their records say how they were made, and are those of the script as it is."""

import hashlib
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "book" / "experiments"
SCRIPTS = sorted(p for p in FOLDER.glob("*.py") if not p.name.startswith("_"))
FIELDS = ("configuration", "seeds", "machine", "seconds", "results", "source_sha256")


def name(path: Path) -> str:
    return path.stem


def record(script: Path) -> dict:
    return json.loads(script.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_the_results_are_those_of_the_script_as_it_stands(script: Path):
    text = script.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert record(script)["source_sha256"] == digest, f"run {script.name} again"


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_a_record_says_how_it_was_made(script: Path):
    stored = record(script)
    assert [field for field in FIELDS if field not in stored] == []
    assert len(set(stored["seeds"])) >= 3, "the spread over seeds is part of a result"


def test_there_is_no_record_without_a_script():
    assert [p.name for p in FOLDER.glob("*.json") if not p.with_suffix(".py").is_file()] == []
