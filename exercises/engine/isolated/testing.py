"""Run a learner's *test* on implementations of which some are wrong: which does it let through?

A ``driver.py`` of a write-the-test exercise calls this, in the child and for the authors' mutants.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from exercises.engine.isolated.wire import Remarks

ACCEPTED, REFUSED, BROKE = 0, 1, 2
_DONE: WeakKeyDictionary[Callable, tuple[np.ndarray, Remarks]] = WeakKeyDictionary()
LONGEST_REASON = 300  # characters


def run_test(
    namespace: Mapping[str, Any],
    name: str,
    subjects: Mapping[str, Callable],
    wanted: Mapping[str, Sequence[str]],
) -> tuple[np.ndarray, Remarks]:
    """For each subject, the ``right`` and then the ``wrong`` ones: ACCEPTED, REFUSED or BROKE?

    A test refuses by raising anything (``assert``, ``pytest.fail``, a shape error inside it) or by
    returning something false; None is an acceptance, as in pytest. Where a right subject is refused
    by another exception than an assertion, the test itself BROKE, most likely.
    """
    test = namespace[name]
    if test not in _DONE:
        codes, reasons = [], []
        for subject in (*wanted["right"], *wanted["wrong"]):
            code, reason = _try(namespace, test, subjects[subject])
            codes.append(min(code, REFUSED) if subject in wanted["wrong"] else code)
            reasons.append(reason)
        _DONE[test] = np.array(codes), Remarks(tuple(reasons))
    return _DONE[test]


def _try(namespace: Mapping[str, Any], test: Callable, subject: Callable) -> tuple[int, str]:
    import torch  # the parent reads only the codes above

    torch.default_generator.manual_seed(0)  # every subject meets the same random inputs
    try:
        result = test(subject)
        if result is None or bool(result):
            return ACCEPTED, ""
    except (NotImplementedError, KeyboardInterrupt, SystemExit):
        raise
    except (AssertionError, ValueError) as error:
        return REFUSED, _described(namespace, error)
    except BaseException as error:  # pytest.fail raises no Exception
        broke = isinstance(error, Exception) and type(error).__module__ == "builtins"
        return (BROKE if broke else REFUSED), _described(namespace, error)
    return REFUSED, f"It returned {result!r}."[:LONGEST_REASON]


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
