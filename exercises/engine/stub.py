"""Derive the stub from the solution, so that signature and docstring stand in one place only.

In ``solution.py`` the lines from ``# solution:`` to ``# end`` become ``raise NotImplementedError``.
Other stub lines (a bug hunt's faulty ones) can be given as comments behind ``# stub:``::

    # solution:
    return scores / math.sqrt(d_k)
    # stub:
    # return scores / d_k
    # end
"""

import textwrap

from exercises.engine.exercise import Exercise

BEGIN, OTHERWISE, END = "# solution:", "# stub:", "# end"
DEFAULT = ["raise NotImplementedError"]


def stub_of(exercise: Exercise) -> str:
    """The empty stub of an exercise, as text."""
    return derive((exercise.folder / "solution.py").read_text(encoding="utf-8"))


def solution_of(exercise: Exercise) -> str:
    """The solution without its markers."""
    source = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    kept, in_stub = [], False
    for line in source.splitlines():
        marker = line.strip()
        in_stub = marker == OTHERWISE or (in_stub and marker != END)
        if marker not in (BEGIN, OTHERWISE, END) and not in_stub:
            kept.append(line)
    return "\n".join(kept) + "\n"


def fill(exercise: Exercise, *bodies: str) -> str:
    """The stub with its functions' bodies filled in, one after the other: an attempt, for tests."""
    source = stub_of(exercise)
    for body in bodies:
        source = source.replace(DEFAULT[0], body.replace("\n", "\n    "), 1)
    return source


def hidden_lines(source: str) -> list[str]:
    """The lines of a solution that a stub does not show, stripped."""
    shown = {line.strip() for line in derive(source).splitlines()}
    return [line.strip() for line in source.splitlines() if line.strip() not in shown]


def derive(source: str) -> str:
    """From solution to stub.

    Raises:
        ValueError: if markers are missing or unbalanced.
    """
    kept: list[str] = []
    replacement: list[str] | None = None
    state, indent = "open", ""
    for line in source.splitlines():
        marker = line.strip()
        if marker == BEGIN and state == "open":
            state, replacement, indent = "solution", None, line[: -len(line.lstrip())]
        elif marker == OTHERWISE and state == "solution":
            state, replacement = "stub", []
        elif marker == END and state != "open":
            block = "\n".join(DEFAULT if replacement is None else replacement)
            kept += textwrap.indent(textwrap.dedent(block), indent).splitlines()
            state = "open"
        elif state == "stub" and replacement is not None:
            replacement.append(line.lstrip().removeprefix("#").removeprefix(" "))
        elif state == "open":
            kept.append(line)
    if state != "open" or len(kept) == len(source.splitlines()):
        raise ValueError(f"the markers {BEGIN!r} and {END!r} must enclose the solution")
    return "\n".join(kept) + "\n"
