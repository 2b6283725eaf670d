"""A trained model on the held-out sentences of its own corpus, beside the baselines."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.translator.baselines import NearestNeighbour, WordDictionary
from companion.translator.corpora import ParallelText, Sentence, load_corpus
from companion.translator.errors import UserError
from companion.translator.evaluation import Result, evaluate
from companion.translator.translator import Translator

MODEL, MEMORY, DICTIONARY = "this model", "nearest neighbour", "word-by-word dictionary"
ORDINARY = "unseen"


class UnknownCorpusError(UserError, ValueError):
    """It is not known what a checkpoint was trained on, so nothing is known to be held out."""


class Scores(NamedTuple):
    """Results by system: on ordinary unseen sentences, and on cases that are hard on purpose."""

    ordinary: dict[str, Result]
    hard: dict[str, Result]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            part: {name: result.to_dict() for name, result in getattr(self, part).items()}
            for part in self._fields
        }


def corpus_of(translator: Translator) -> ParallelText:
    """The corpus that a model was trained on. Raises UnknownCorpusError."""
    spec = translator.facts.get("corpus")
    if not isinstance(spec, dict):
        raise UnknownCorpusError("this checkpoint does not say which corpus it was trained on")
    text = load_corpus(spec)
    if text.fingerprint() != translator.facts.get("corpus_sha256"):
        raise UnknownCorpusError(
            "this checkpoint was trained on another version of its corpus, whose test sentences it "
            "may have seen: train it anew"
        )
    return text


def score(
    translator: Translator,
    *,
    text: ParallelText | None = None,
    beam_size: int = 1,
    limit: int | None = None,
    with_baselines: bool = True,
    only_ordinary: bool = False,
) -> Scores:
    """Score a model on the test sentences of `text`, by default of the corpus it was trained on.

    The dictionary is left out where the corpus has no word pairs. Raises UnknownCorpusError.
    """
    text = corpus_of(translator) if text is None else text

    def model(texts: Sequence[str]) -> list[str]:
        return translator.translate(texts, beam_size=beam_size)

    systems = {MODEL: model}
    if with_baselines:
        systems[MEMORY] = NearestNeighbour(text.train).translate
        if text.word_pairs:
            systems[DICTIONARY] = WordDictionary(text.word_pairs).translate
    cases = {name: sentences[:limit] for name, sentences in text.cases.items()}
    ordinary: dict[str, list[Sentence]] = {ORDINARY: cases.pop(ORDINARY)}
    if only_ordinary:
        cases = {}
    return Scores(
        ordinary={name: evaluate(system, ordinary) for name, system in systems.items()},
        hard={name: evaluate(system, cases) for name, system in systems.items()} if cases else {},
    )
