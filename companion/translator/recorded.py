"""`scores.json` beside a model that ships: what was measured when it was exported.

So `companion evaluate` can show peers that are not at hand: their checkpoints need not ship, nor
anybody train them again to read the table.

    {"format": 1, "machine": {…}, "tests": {"tatoeba": {…Scores…}, "hsk": {…}},
     "compounds": {…}, "alignment": {…}}
"""

import json
from pathlib import Path
from typing import Any

from companion._files import write_json
from companion.translator.errors import UserError
from companion.translator.scoring import MODEL, Scores

SCORES = "scores.json"
_FORMAT = 1


class RecordError(UserError, ValueError):
    """A `scores.json` that is damaged or of another version."""


def write_record(
    folder: Path, tests: dict[str, Scores], machine: dict[str, str], **more: Any
) -> None:
    """Write `scores.json`, atomically: scores by the name of the test set. Raises OSError."""
    content = {"format": _FORMAT, "machine": machine}
    written = {name: scores.to_dict() for name, scores in tests.items()}
    write_json(folder / SCORES, content | {"tests": written} | more)


def read_record(folder: Path) -> dict[str, Scores]:
    """The recorded scores by test set; none where there is no record. Raises RecordError."""
    path = folder / SCORES
    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise ValueError(f"format {content['format']} is not {_FORMAT}")
        return {name: Scores.from_dict(values) for name, values in content["tests"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{path} is damaged or of another kind: {error!r}") from error


def with_recorded(scores: Scores, recorded: Scores | None) -> Scores:
    """The scores, with systems that only the record has, marked as such.

    Nothing is added unless the record is of the very same test sentences.
    """
    if recorded is None or recorded.test_sha256 != scores.test_sha256:
        return scores
    absent = [name for name in recorded.ordinary if name not in scores.ordinary]
    absent = [name for name in absent if name != MODEL]
    return scores._replace(
        ordinary=scores.ordinary | {name: recorded.ordinary[name] for name in absent},
        hard=scores.hard | {name: recorded.hard[name] for name in absent if name in recorded.hard},
        systems=scores.systems
        | {name: recorded.systems[name]._replace(recorded=True) for name in absent},
        compounds=scores.compounds
        | {name: recorded.compounds[name] for name in absent if name in recorded.compounds},
    )
