"""Long experiments: a script in ``book/experiments`` writes the JSON that a chapter plots.

The record says what was run: configuration, seeds, the machine in words, the time it took, and the
hash of the script. A changed script without a new run is an error here and a failing test.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
MACHINE = "two CPU cores"


def source_hash(script: Path) -> str:
    """SHA-256 of a script's text, the same whatever the line endings of the checkout."""
    return hashlib.sha256(script.read_text(encoding="utf-8").encode()).hexdigest()


def save(
    script: str | Path,
    *,
    configuration: dict[str, Any],
    seeds: list[int],
    results: Any,
    seconds: float,
) -> Path:
    """Write the record of ``script`` (its ``__file__``) beside it, atomically.

    Raises:
        ValueError: for fewer than three seeds; one run shows nothing about the spread.
    """
    if len(set(seeds)) < 3:
        raise ValueError(f"an experiment needs at least three different seeds, got {seeds}")
    script = Path(script).resolve()
    record = {
        "experiment": script.stem,
        "source_sha256": source_hash(script),
        "machine": MACHINE,
        "seconds": round(seconds),
        "configuration": configuration,
        "seeds": seeds,
        "results": results,
    }
    path = script.with_suffix(".json")
    partial = path.with_suffix(".json.partial")
    text = json.dumps(record, indent=1, ensure_ascii=False)
    partial.write_text(text + "\n", encoding="utf-8", newline="\n")
    return partial.replace(path)


def load(name: str) -> dict[str, Any]:
    """The record of the experiment ``name``.

    Raises:
        ValueError: if the script has changed since it was run.
    """
    script = FOLDER / f"{name}.py"
    record = json.loads(script.with_suffix(".json").read_text(encoding="utf-8"))
    if record["source_sha256"] != source_hash(script):
        raise ValueError(f"{script.name} has changed since its results were written: run it again")
    return record
