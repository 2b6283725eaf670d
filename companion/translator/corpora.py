"""Parallel texts under one interface, whatever they come from.

A corpus is named by plain data (`{"name": "grammar", "seed": 0, …}`) that is stored with every
model trained on it, so that a checkpoint knows what it was trained and must be tested on.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from companion.translator.grammar import Pair


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


def describe_corpus(spec: dict[str, Any], text: ParallelText) -> dict[str, Any]:
    """Counts of `text`, which `spec` names, as JSON data: steps of preparation, sizes, leaks."""
    options = dict(spec)
    if options.pop("name", None) == "tatoeba":
        from companion.translator.tatoeba import data_report, load_tatoeba

        return data_report(load_tatoeba(**options))
    sizes = {name: len(sentences) for name, sentences in text.cases.items()}
    return {"train": {"pairs": len(text.train)}, "dev": {"sources": len(text.dev)}, "cases": sizes}


def _grammar(**options: Any) -> ParallelText:
    from companion.translator.grammar import generate_corpus

    corpus = generate_corpus(**options)
    return ParallelText(
        train=[(pair.source, pair.target) for pair in corpus.train],
        dev=_sentences(corpus.dev),
        cases={"unseen": _sentences(corpus.test)}
        | {name: _sentences(pairs) for name, pairs in corpus.cases.items()},
        word_pairs=[words for pair in corpus.train for words in _word_pairs(pair)],
    )


def _tatoeba(**options: Any) -> ParallelText:
    from companion.translator.tatoeba import load_tatoeba

    corpus = load_tatoeba(**options)
    return ParallelText(
        train=corpus.train,
        dev=[Sentence(source, references, "") for source, references in corpus.dev],
        cases={"unseen": [Sentence(source, refs, "") for source, refs in corpus.test]},
        word_pairs=[],
    )


def _sentences(pairs: "list[Pair]") -> list[Sentence]:
    return [Sentence(pair.source, pair.references, pair.construction) for pair in pairs]


def _word_pairs(pair: "Pair") -> Iterator[tuple[str, str]]:
    """Every source word with all the target words that it is aligned with."""
    for index, word in enumerate(pair.source_words):
        translation = [pair.target_words[j] for i, j in pair.alignment if i == index]
        yield word, " ".join(translation)


_LOADERS: dict[str, Callable[..., ParallelText]] = {"grammar": _grammar, "tatoeba": _tatoeba}
