"""From a file to training, development and test sentences, with every step counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.translator.tatoeba.cleaning import CleanPair, Step, clean
from companion.translator.tatoeba.reading import Malformed, read_pairs
from companion.translator.tatoeba.split import split


class Group(NamedTuple):
    """One source with everything that is a right translation of it."""

    source: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class TatoebaCorpus:
    """Pairs to train on, sources with all their references to choose and to test with."""

    train: list[tuple[str, str]]
    dev: list[Group]
    test: list[Group]
    steps: list[Step]
    """The number of pairs after each step."""
    malformed: list[Malformed]
    sha256: str
    """Of the file."""


def load_tatoeba(
    path: str | Path | None = None,
    *,
    max_source: int = 80,
    max_target: int = 40,
    max_ratio: float = 4.0,
) -> TatoebaCorpus:
    """Read, clean and split; the filters apply to the training pairs only.

    Args:
        path: a file in one of the formats of `reading`; by default the optional extra's.
        max_source: most characters of a Chinese training sentence.
        max_target: most words of an English training sentence.
        max_ratio: how many times more Chinese characters than English words, or the other way
            round, a training pair may have.

    Raises:
        DataError: no data, or not what it should be.
    """
    reading = read_pairs(path)
    pairs, steps = clean(reading.rows)
    parts = split(pairs)
    steps.append(Step("left for training after the test and development sets", len(parts.train)))
    short = [
        pair
        for pair in parts.train
        if len(pair.source) <= max_source and len(pair.target.split()) <= max_target
    ]
    steps.append(Step(f"of at most {max_source} characters and {max_target} words", len(short)))
    kept = [pair for pair in short if _ratio(pair) <= max_ratio]
    steps.append(Step(f"of lengths within a factor of {max_ratio:g}", len(kept)))
    return TatoebaCorpus(
        train=[(pair.source, pair.target) for pair in kept],
        dev=groups(parts.dev),
        test=groups(parts.test),
        steps=steps,
        malformed=reading.malformed,
        sha256=reading.sha256,
    )


def _ratio(pair: CleanPair) -> float:
    characters, words = len(pair.source_key), len(pair.target.split())
    return max(characters / words, words / max(1, characters))


def groups(pairs: Iterable[CleanPair]) -> list[Group]:
    """One entry a source (marks alone do not make another), references in file order."""
    sources: dict[str, str] = {}
    references: dict[str, dict[str, None]] = {}
    for pair in pairs:
        sources.setdefault(pair.source_key, pair.source)
        references.setdefault(pair.source_key, {})[pair.target] = None
    return [Group(source, tuple(references[name])) for name, source in sources.items()]
