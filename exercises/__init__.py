"""Exercises that know what went wrong. In a notebook::

    from exercises import check
    check("sdpa", my_attention)

On the command line: ``python -m exercises``. How it works and how to add one:
``exercises/README.md``.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["check"]


def check(name: str, *functions: Callable, **options: Any) -> Any:
    """Check the functions given, or the file of the exercise when none is given.

    Returns a verdict that shows itself in a notebook; ``.passed`` is its short form. See
    ``exercises.engine.checking.check`` for the details.
    """
    from exercises.engine.checking import (
        check as run,
    )  # not before it is needed: the child imports us

    return run(name, *functions, **options)
