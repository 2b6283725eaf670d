"""The result of one check run, as data; ``render.py`` shows it."""

from dataclasses import dataclass, field
from typing import Any

PASSED, FAILED, NOT_STARTED, PARTIAL = "passed", "failed", "not started", "partial"
NOT_REACHED = "not reached"


@dataclass(frozen=True)
class CheckResult:
    """One check: ``passed``, ``failed`` or ``not reached`` (the run stops at the first failure)."""

    name: str
    stage: str
    part: str
    what: str
    status: str


@dataclass(frozen=True)
class Failure:
    """What went wrong, in the words of the exercise.

    Args:
        mistakes: codes of the known mistakes that behave like the learner's answer.
        certain: the one mistake agrees on every case, not only where the check failed.
        facts: what was seen: case, first wrong index, expected and got, patterns.
        holds, breaks: other checks' sentences, for a mistake that is not known.
    """

    check: str
    stage: str
    what: str
    why: str
    book: str
    print: str
    facts: tuple[str, ...] = ()
    case: str = ""
    mistakes: tuple[str, ...] = ()
    certain: bool = True
    alternative: str = ""
    holds: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What ``check`` returns; in a notebook it shows itself."""

    exercise: str
    title: str
    state: str
    results: tuple[CheckResult, ...]
    failure: Failure | None = None
    printed: str = ""
    notes: tuple[str, ...] = ()
    file: str = ""
    seconds: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """All checks of the whole exercise hold."""
        return self.state == PASSED

    @property
    def codes(self) -> tuple[str, ...]:
        """Mistake codes, or the failed check's name for a mistake that is not known."""
        if self.failure is None:
            return ()
        return self.failure.mistakes or (f"check:{self.failure.check}",)

    def __str__(self) -> str:
        from exercises.engine.render import plain

        return plain(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from exercises.engine.render import html

        return html(self)
