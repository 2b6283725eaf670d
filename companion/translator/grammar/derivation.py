"""One derivation: the random choices of one sentence pair, and what it used.

Both sides are sequences of `Word`s. Words that came from the same lexicon entry share a link
number, so the gold alignment survives any reordering that a construction does.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")


class Entry:
    """Anything that lives in the lexicon; `exposures` is 0 where training may use it freely."""

    __slots__ = ()
    key: str
    exposures: int


AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Word(NamedTuple):
    """One word of a sentence; words with the same link (not 0) translate each other.

    `also` is a second link, for a word that stands for two: cannot.
    """

    text: str
    link: int
    also: int = 0


Words = tuple[Word, ...]


class Linked(NamedTuple):
    """A piece of Chinese and the English that it stands for."""

    zh: Words
    en: Words


NOTHING = Linked((), ())


def words(*parts: str | Words, link: int = 0) -> Words:
    """Join parts; plain strings are split at spaces into words with the given link."""
    result: Words = ()
    for part in parts:
        if not isinstance(part, str):
            result += part
        elif " " in part:
            result += tuple(Word(text, link) for text in part.split())
        elif part:
            result += (Word(part, link),)
    return result


class Derivation:
    """The choices of one sentence.

    `random.Random.random` is the one method whose values Python promises to keep from version to
    version, so every choice is made from it alone.

    Args:
        generator: where the choices come from.
        wanted: lexicon keys to prefer once each, with the role they should fill (`""`: any role).
        literal: read idioms word by word (the wrong way), to know what that would give.
    """

    __slots__ = (
        "_level",
        "_links",
        "atoms",
        "depth",
        "generator",
        "literal",
        "parts",
        "roles",
        "wanted",
    )

    def __init__(
        self,
        generator: random.Random,
        *,
        wanted: Mapping[str, str] | None = None,
        literal: bool = False,
    ) -> None:
        self.generator = generator
        self.wanted = dict(wanted or {})
        self.literal = literal
        self.atoms: list[str] = []
        self.roles: list[tuple[str, str]] = []
        self.parts: list[str] = []
        self.depth = 0
        self._level = 0
        self._links = 0

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What is derived within is a clause inside a clause."""
        self._level += 1
        self.depth = max(self.depth, self._level)
        yield
        self._level -= 1

    def mark(self) -> tuple[int, int, int]:
        """A point to `rewind` to when what was derived since is not wanted after all."""
        return len(self.atoms), len(self.roles), len(self.parts)

    def rewind(self, mark: tuple[int, int, int]) -> None:
        """Forget what was noted since the mark; the random generator goes on.

        A wanted word that was tried in vain is not tried again, or the search might never end.
        """
        atoms, roles, parts = mark
        del self.atoms[atoms:], self.roles[roles:], self.parts[parts:]

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound - 1`."""
        return int(self.generator.random() * bound)

    def chance(self, probability: float) -> bool:
        return self.generator.random() < probability

    def choose(self, options: Sequence[Item]) -> Item:
        """One of the options, all equally likely."""
        return options[int(self.generator.random() * len(options))]

    def pick(self, pool: Sequence[AnyEntry], role: str = "") -> AnyEntry:
        """A lexicon entry; a wanted one if the pool has it. One-shot words come only if wanted."""
        if self.wanted:
            for entry in pool:
                if self.wanted.get(entry.key) in ("", role) and entry.key in self.wanted:
                    del self.wanted[entry.key]
                    return self._use(entry, role)
        entry = self.choose(pool)
        while entry.exposures:
            entry = self.choose(pool)
        return self._use(entry, role)

    def _use(self, entry: AnyEntry, role: str) -> AnyEntry:
        self.atoms.append(entry.key)
        if role:
            self.roles.append((entry.key, role))
        return entry

    def new_link(self) -> int:
        self._links += 1
        return self._links

    def link(self, zh: str, en: str) -> Linked:
        """Words that translate each other, under one new link."""
        number = self.new_link()
        return Linked(words(zh, link=number), words(en, link=number))
