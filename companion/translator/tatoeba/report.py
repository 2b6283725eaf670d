"""What a corpus is made of, in numbers that are counted when they are asked for."""

from collections.abc import Sequence
from typing import Any

from companion.translator.tatoeba.cleaning import key
from companion.translator.tatoeba.corpus import Group, TatoebaCorpus

_QUANTILES = {"median": 0.5, "90%": 0.9, "99%": 0.99, "longest": 1.0}


def data_report(corpus: TatoebaCorpus, *, samples: int = 5) -> dict[str, Any]:
    """Counts, lengths, vocabulary, samples and a leakage check, as plain JSON data."""
    sources = [source for source, _ in corpus.train]
    targets = [target for _, target in corpus.train]
    step = max(1, len(corpus.train) // max(1, samples))
    return {
        "file_sha256": corpus.sha256,
        "steps": [{"pairs": pairs, "step": name} for name, pairs in corpus.steps],
        "malformed": {
            "lines": len(corpus.malformed),
            "first": [f"line {line}: {reason}" for line, reason in corpus.malformed[:samples]],
        },
        "train": {
            "pairs": len(corpus.train),
            "sources": len(set(sources)),
            "targets": len(set(targets)),
            "characters_a_source": _lengths([len(source) for source in sources]),
            "words_a_target": _lengths([len(target.split()) for target in targets]),
            "different_characters": len(set("".join(sources))),
            "different_words": len({w for target in targets for w in target.casefold().split()}),
            "samples": [list(pair) for pair in corpus.train[::step][:samples]],
        },
        "dev": _held_out(corpus.dev),
        "test": _held_out(corpus.test),
        "leakage": {"dev": leakage(corpus, corpus.dev), "test": leakage(corpus, corpus.test)},
    }


def leakage(corpus: TatoebaCorpus, held_out: Sequence[Group]) -> dict[str, int]:
    """How many held-out sources and references also stand in the training pairs. Must be zero.

    Compared by `key`: marks, spaces and upper case do not make a sentence a new one.
    """
    sources = {key(source) for source, _ in corpus.train}
    targets = {key(target) for _, target in corpus.train}
    return {
        "sources": sum(key(group.source) in sources for group in held_out),
        "references": sum(key(r) in targets for group in held_out for r in group.references),
    }


def _held_out(held_out: Sequence[Group]) -> dict[str, Any]:
    return {
        "sources": len(held_out),
        "references": sum(len(group.references) for group in held_out),
        "with_several_references": sum(len(group.references) > 1 for group in held_out),
        "characters_a_source": _lengths([len(group.source) for group in held_out]),
    }


def _lengths(values: Sequence[int]) -> dict[str, int]:
    ordered = sorted(values)
    if not ordered:
        return {}
    last = len(ordered) - 1
    return {name: ordered[round(share * last)] for name, share in _QUANTILES.items()}
