"""Results for other systems: Exercism's results.json, Gradescope's, and a report for the class."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from exercises.engine.catalogue import find, load_all
from exercises.engine.progress import Standing
from exercises.engine.render import plain
from exercises.engine.text import say
from exercises.engine.verdict import FAILED, NOT_REACHED, NOT_STARTED, PASSED, Verdict
from exercises.engine.workspace import write_text

POINTS = 10  # a passed exercise in Gradescope
LONGEST_OUTPUT = 500  # Exercism cuts a test's output there


def exercism(verdict: Verdict) -> dict[str, Any]:
    """Exercism's results.json, version 3: one test a check, the exercise's parts as tasks."""
    early = verdict.failure if verdict.failure and verdict.failure.check == "run" else None
    if early is not None:
        return {"version": 3, "status": "error", "message": plain(verdict), "tests": []}
    parts = list(dict.fromkeys(result.part for result in verdict.results))
    tests = []
    for result in verdict.results:
        failed = result.status == FAILED
        tests.append(
            {
                "name": result.name.replace("_", " "),
                "status": {PASSED: "pass", FAILED: "fail"}.get(result.status, "error"),
                "message": _message(verdict) if failed else _unreached(result.status),
                "output": verdict.printed[:LONGEST_OUTPUT] or None if failed else None,
                "test_code": result.what,
                "task_id": parts.index(result.part) + 1,
            }
        )
    return {
        "version": 3,
        "status": "pass" if verdict.passed else "fail",
        "message": None,
        "tests": tests,
    }


def gradescope(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Gradescope's results.json: one test an exercise, mistake codes as tags."""
    tests = [
        {
            "name": f"{verdict.exercise}: {verdict.title}",
            "score": POINTS if verdict.passed else 0,
            "max_score": POINTS,
            "status": "passed" if verdict.passed else "failed",
            "output": plain(verdict),
            "output_format": "text",
            "tags": list(verdict.codes),
            "visibility": "visible",
            "extra_data": {"state": verdict.state, "mistakes": list(verdict.codes)},
        }
        for verdict in verdicts
    ]
    passed = sum(verdict.passed for verdict in verdicts)
    return {
        "output": f"{passed} of {len(verdicts)} exercises passed",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def report(
    verdicts: Sequence[Verdict], standings: dict[str, Standing], learner: str
) -> dict[str, Any]:
    """One learner's results for the class report: states, attempts, all mistakes on the way."""
    rows = {}
    for verdict in verdicts:
        standing = standings.get(verdict.exercise, Standing())
        rows[verdict.exercise] = {
            "state": verdict.state,
            "codes": list(verdict.codes),
            "checks": [asdict(result) for result in verdict.results],
            "attempts": standing.attempts,
            "hints": standing.hints,
            "revealed": standing.revealed,
            "passed_at": standing.passed_at,
            "mistakes": dict(standing.mistakes),
        }
    return {"version": 1, "learner": learner, "exercises": rows}


def write_all(
    folder: Path, verdicts: Sequence[Verdict], standings: dict[str, Standing], learner: str
) -> list[Path]:
    """Write every form below ``folder``; returns the files."""
    documents = {
        folder / "exercism" / verdict.exercise / "results.json": exercism(verdict)
        for verdict in verdicts
    }
    documents[folder / "gradescope" / "results.json"] = gradescope(verdicts)
    documents[folder / "report.json"] = report(verdicts, standings, learner)
    for path, document in documents.items():
        write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return list(documents)


def class_report(paths: Iterable[Path]) -> list[str]:
    """Aggregate ``report.json`` files into the commonest mistakes, exercise by exercise.

    Raises:
        ValueError: naming the file that is not such a report.
    """
    reports = [_read_report(path) for path in paths]
    ids = [key for key in load_all() if any(key in r["exercises"] for r in reports)]
    lines = [say("report_head", students=len(reports), exercises=len(ids))]
    for key in ids:
        rows = [r["exercises"][key] for r in reports if key in r["exercises"]]
        tried = [row for row in rows if row["state"] != NOT_STARTED]
        passed = sum(row["state"] == PASSED for row in rows)
        lines.append(say("report_row", id=key, passed=passed, tried=len(tried)))
        mistakes: Counter[str] = Counter()
        for row in tried:
            mistakes.update(
                {*row["mistakes"], *row["codes"]}
            )  # a learner counts once for a mistake
        for code, count in mistakes.most_common():
            lines.append(say("report_mistake", count=count, code=code, what=_what(key, code)))
    return lines


def _read_report(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        for row in document["exercises"].values():
            _ = row["state"], set(row["mistakes"]), set(row["codes"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(say("bad_file", path=path, reason=repr(error))) from error
    return document


def _what(exercise: str, code: str) -> str:
    text = find(exercise).text
    if code.startswith("check:"):
        advice = text.checks.get(code.removeprefix("check:"))
    else:
        advice = text.mutants.get(code)
    return advice.what if advice else code


def _message(verdict: Verdict) -> str:
    failure = verdict.failure
    assert failure is not None
    codes = f"[{', '.join(verdict.codes)}] "
    return codes + "\n".join([failure.what, failure.why, *failure.facts])


def _unreached(status: str) -> str | None:
    return "not reached: an earlier check failed" if status == NOT_REACHED else None
