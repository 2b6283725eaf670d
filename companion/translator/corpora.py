"""Parallel texts under one interface, whatever they come from.

A corpus is named by plain data (`{"name": "grammar", "seed": 0, …}`) that is stored with every
model trained on it, so that a checkpoint knows what it was trained and must be tested on.
"""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple


class Sentence(NamedTuple):
    """One sentence to be tested on."""

    source: str
    references: tuple[str, ...]
    construction: str


class ParallelText(NamedTuple):
    """Sentence pairs to train on, and held-out sentences by case."""

    train: list[tuple[str, str]]
    dev: list[Sentence]
    """For decisions while training; never for reported scores."""
    cases: dict[str, list[Sentence]]
    """Test sentences; `unseen` holds ordinary unseen ones, other cases are harder on purpose."""
    word_pairs: list[tuple[str, str]]
    """Source words with their translations, for the dictionary baseline; may be empty."""

    def fingerprint(self) -> str:
        """A hash of the training pairs: what is held out from these is held out."""
        digest = hashlib.sha256()
        for source, target in self.train:
            digest.update(f"{source}\t{target}\n".encode())
        return digest.hexdigest()


def load_corpus(spec: dict[str, Any]) -> ParallelText:
    """The corpus that `spec` names, with its options. Raises ValueError for an unknown name."""
    options = dict(spec)
    name = options.pop("name", None)
    if name not in _LOADERS:
        raise ValueError(f"unknown corpus {name!r}: choose one of {', '.join(_LOADERS)}")
    return _LOADERS[name](**options)


def _grammar(**options: Any) -> ParallelText:
    from companion.translator.grammar import generate_corpus

    corpus = generate_corpus(**options)
    raise NotImplementedError(corpus)


_LOADERS: dict[str, Callable[..., ParallelText]] = {"grammar": _grammar}
