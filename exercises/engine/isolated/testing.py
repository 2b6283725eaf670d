"""Run a learner's *test* on implementations of which some are wrong: which does it let through?

A ``driver.py`` of a write-the-test exercise calls this, in the child and for the authors' mutants.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from exercises.engine.isolated.wire import Remarks

LONGEST_REASON = 300  # characters


def run_test(
    namespace: Mapping[str, Any], name: str, subjects: Mapping[str, Callable], wanted: Sequence[str]
) -> tuple[torch.Tensor, Remarks]:
    """For each wanted subject: does the test called ``name`` accept it, and if not, why?

    A test refuses by raising anything (``assert``, ``pytest.fail``, a shape error inside it) or by
    returning something false; None is an acceptance, as in pytest.
    """
    reasons = [_reason(namespace, namespace[name], subjects[subject]) for subject in wanted]
    return torch.tensor([reason is None for reason in reasons]), Remarks(
        tuple(reason or "" for reason in reasons)
    )


def _reason(namespace: Mapping[str, Any], test: Callable, subject: Callable) -> str | None:
    torch.default_generator.manual_seed(0)  # every subject meets the same random inputs
    try:
        result = test(subject)
        if result is None or bool(result):
            return None
    except (NotImplementedError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # pytest.fail raises no Exception
        return _described(namespace, error)
    return f"It returned {result!r}."[:LONGEST_REASON]


def _described(namespace: Mapping[str, Any], error: BaseException) -> str:
    """The error with the last line of the learner's own file that it went through."""
    words = " ".join(str(error).split())
    message = f": {words}" if words else ""
    text = f"It raised {type(error).__name__}{message}"[:LONGEST_REASON]
    lines = [
        line
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == namespace.get("__name__", "answer")
    ]
    return f"{text} (line {lines[-1]} of your code)." if lines else f"{text}."
