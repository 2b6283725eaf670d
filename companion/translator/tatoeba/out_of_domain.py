"""Sentences from elsewhere: how well a model that learned Tatoeba does on text of another kind.

The PyPI package `hsk-sentences-audio` holds sentences for learners of the Chinese proficiency test
HSK 3.0, level by level, with an English translation each. The data are published under CC BY-SA
4.0 and are no part of this package: they come with the optional extra, and are read from where the
installer put them.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from companion.translator.corpora import Sentence
from companion.translator.tatoeba.cleaning import clean_source, clean_target, key, simplifier
from companion.translator.tatoeba.reading import EXTRA, DataError, file_of

PACKAGE, ASSET = "hsk-sentences-audio", "hsk_sentences_audio/data/sentences.json"
PACKAGED_SHA256 = "8f8ffd34eee29f395724ce060cad22511eeeabb7af731d5b5879dc0548e01660"


class OutOfDomain(NamedTuple):
    """Test sentences, labelled by level, and what became of the others."""

    sentences: list[Sentence]
    read: int
    """Entries of the file."""
    trained_on: int
    """Different sources that were dropped because they stand in the training data."""


def load_hsk(trained_sources: Iterable[str] = (), *, path: str | Path | None = None) -> OutOfDomain:
    """The HSK sentences in the corpus' spelling, without those that training has seen.

    A source that stands there several times is one sentence with all its translations as
    references, under its first level. Marks and spaces do not make a sentence another one.

    Raises DataError when the extra is not installed, or is another version than scores were
    published for.
    """
    entries = _entries(_packaged_file() if path is None else Path(path), pinned=path is None)
    simplify = simplifier()
    sources: dict[str, tuple[str, str]] = {}
    references: dict[str, dict[str, None]] = {}
    for chinese, english, level in entries:
        source, target = clean_source(chinese, simplify), clean_target(english)
        if source and target:
            sources.setdefault(key(source), (source, level))
            references.setdefault(key(source), {})[target] = None
    seen = {key(source) for source in trained_sources}
    return OutOfDomain(
        sentences=[
            Sentence(source, tuple(references[name]), level)
            for name, (source, level) in sources.items()
            if name not in seen
        ],
        read=len(entries),
        trained_on=sum(name in seen for name in sources),
    )


def _entries(path: Path, *, pinned: bool) -> list[tuple[str, str, str]]:
    """Chinese, English and level of every entry."""
    try:
        content = path.read_bytes()
        if pinned and hashlib.sha256(content).hexdigest() != PACKAGED_SHA256:
            raise ValueError("this is another version than scores were published for")
        return [
            (entry["chinese"], entry["translation"]["en"], f"HSK {entry['hsk_level']}")
            for entry in json.loads(content)
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"cannot use the HSK sentences in {path}: {error}") from error


def _packaged_file() -> Path:
    file = file_of(PACKAGE, ASSET)
    if file is None:
        raise DataError(f"the HSK sentences ({PACKAGE} 1.0.0) are not installed: {EXTRA}")
    return file
