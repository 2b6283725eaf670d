"""A row of the ledger: what is usually said, what holds, and the function that knows the numbers.

A row's text names its numbers in angle brackets, ``<total:,>``; its function computes them. What a
row says without a number ("the range of one lies above the range of the other") its function
asserts. So a row is true, or the page cannot be made.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

Values = dict[str, object]
_NUMBER = re.compile(r"<(\w+)(?::([^<>]*))?>")


@dataclass(frozen=True)
class Claim:
    """One statement and what holds of it.

    Attributes:
        name: of the function that computes it; tests use it.
        said: the statement as one meets it.
        verdict: what becomes of it, in a word or two.
        holds: the correction, in MyST, with its numbers as ``<name:format>``.
        shown: how it was found out.
        where: roles that lead to the sections that treat it.
        compute: gives the numbers of ``holds``; raises AssertionError if its words do not hold.
        needs: a module without which it cannot be computed (``holds`` then has no numbers).
    """

    name: str
    said: str
    verdict: str
    holds: str
    shown: str
    where: str
    compute: Callable[[], Values]
    needs: str | None = None

    @property
    def computable(self) -> bool:
        """Whether what it needs is installed."""
        return self.needs is None or find_spec(self.needs) is not None

    def text(self) -> str:
        """``holds`` with its numbers.

        Raises:
            AssertionError: if the statement is not true of what was computed.
            ValueError: if a number is computed and not used, or used and not computed.
        """
        values = self.compute() if self.computable else {}
        named = {name for name, _ in _NUMBER.findall(self.holds)}
        if named != set(values):
            raise ValueError(f"{self.name}: text and function differ in {named ^ set(values)}")
        return _NUMBER.sub(lambda m: format(values[m[1]], m[2] or ""), self.holds)


@dataclass(frozen=True)
class Topic:
    """Rows that belong together."""

    title: str
    opening: str
    claims: tuple[Claim, ...]


def claim(
    said: str, *, verdict: str, holds: str, shown: str, where: str, needs: str | None = None
) -> Callable[[Callable[[], Values]], Claim]:
    """Make a row of the function that computes it."""

    def of(compute: Callable[[], Values]) -> Claim:
        text = " ".join(holds.split())
        return Claim(compute.__name__, said, verdict, text, shown, where, compute, needs)

    return of


def numbers(said: Claim) -> Values:
    """What the row computes, by name: for the tests."""
    return said.compute()
