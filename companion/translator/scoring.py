"""A trained model on the held-out sentences of its corpus, beside peers and baselines."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.translator.baselines import NearestNeighbour, WordDictionary
from companion.translator.compounds import CompoundError, compound_error
from companion.translator.corpora import ParallelText, Sentence, load_corpus
from companion.translator.decoding import Decoding, decoding_of
from companion.translator.errors import UserError
from companion.translator.evaluation import Result, evaluate
from companion.translator.grammar import Corpus, generate_corpus
from companion.translator.systems import About, Stopwatch, System, load_peers, model_system
from companion.translator.translator import Translator

MODEL, MEMORY, DICTIONARY = "this model", "nearest neighbour", "word-by-word dictionary"
ORDINARY = "unseen"
OUT_OF_DOMAIN = "hsk"


class UnknownCorpusError(UserError, ValueError):
    """It is not known what a checkpoint was trained on, so nothing is known to be held out."""


class Scores(NamedTuple):
    """Results by system: on ordinary unseen sentences, and on cases that are hard on purpose."""

    ordinary: dict[str, Result]
    hard: dict[str, Result]
    systems: dict[str, About]
    """What each system is, what it cost, and how fast it was on the ordinary sentences."""
    decoding: Decoding
    """Of the model and its peers."""
    test_sha256: str
    """Of the test sentences: only scores with the same hash can stand in one table."""
    leaked: int
    """Ordinary test sentences whose source is in the training data too."""
    compounds: dict[str, dict[str, CompoundError]]
    """By system and hard case; only where the corpus is the grammar."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "ordinary": {name: result.to_dict() for name, result in self.ordinary.items()},
            "hard": {name: result.to_dict() for name, result in self.hard.items()},
            "systems": {name: about.to_dict() for name, about in self.systems.items()},
            "decoding": self.decoding._asdict(),
            "test_sha256": self.test_sha256,
            "leaked": self.leaked,
            "compounds": {
                name: {case: error.to_dict() for case, error in errors.items()}
                for name, errors in self.compounds.items()
            },
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Scores":
        """The inverse of `to_dict`. Raises KeyError or TypeError for anything else."""
        return cls(
            ordinary={n: Result.from_dict(r) for n, r in values["ordinary"].items()},
            hard={n: Result.from_dict(r) for n, r in values["hard"].items()},
            systems={n: About.from_dict(a) for n, a in values["systems"].items()},
            decoding=Decoding(**values["decoding"]),
            test_sha256=values["test_sha256"],
            leaked=values["leaked"],
            compounds={
                name: {case: CompoundError.from_dict(error) for case, error in errors.items()}
                for name, errors in values["compounds"].items()
            },
        )


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


def text_to_score_on(
    translator: Translator, name: str | None = None, *, dev: bool = False
) -> ParallelText:
    """The corpus a model was trained on, with the sentences of the test set `name` to score on.

    Args:
        name: None or the corpus' own name for its test sentences; `hsk` for sentences from
            elsewhere, without those that the model was trained on.
        dev: the development sentences instead, for decisions.

    Raises UnknownCorpusError for another name, DataError when the data are not installed.
    """
    text = corpus_of(translator)
    own = translator.facts["corpus"]["name"]
    if name == OUT_OF_DOMAIN:
        from companion.translator.tatoeba.out_of_domain import load_hsk

        return text._replace(cases={ORDINARY: load_hsk(s for s, _ in text.train).sentences})
    if name not in (None, own):
        raise UnknownCorpusError(
            f"this model was trained on the corpus {own!r}: it can be scored on that, or on "
            f"{OUT_OF_DOMAIN!r}, but not on {name!r}"
        )
    return text._replace(cases={ORDINARY: text.dev}) if dev else text


def score(
    translator: Translator,
    *,
    text: ParallelText | None = None,
    decoding: Decoding | None = None,
    peers: Sequence[Path] = (),
    limit: int | None = None,
    with_baselines: bool = True,
    only_ordinary: bool = False,
    device: str = "auto",
) -> Scores:
    """Score a model on the test sentences of `text`, by default of the corpus it was trained on.

    Args:
        decoding: of the model and its peers; by default what the model's facts say.
        peers: folders of other models that were trained on the same pairs.
        limit: most sentences a case.
        with_baselines: also score retrieval and, where the corpus has word pairs, the dictionary.
        only_ordinary: leave the hard cases out.
        device: where peers compute.

    Raises UnknownCorpusError, PeerError, CheckpointError.
    """
    text = corpus_of(translator) if text is None else text
    decoding = decoding_of(translator.facts) if decoding is None else decoding
    systems = [model_system(MODEL, translator, decoding)]
    systems += load_peers(peers, text, decoding, device=device)
    if with_baselines:
        systems += _baselines(text)
    cases = {name: sentences[:limit] for name, sentences in text.cases.items()}
    ordinary: dict[str, list[Sentence]] = {ORDINARY: cases.pop(ORDINARY)}
    if only_ordinary:
        cases = {}
    results, about = _timed(systems, ordinary)
    hard = {s.name: evaluate(s.translate, cases) for s in systems} if cases else {}
    return Scores(
        ordinary=results,
        hard=hard,
        systems=about,
        decoding=decoding,
        test_sha256=sentences_sha256([*ordinary.values(), *cases.values()]),
        leaked=_leaked(text, ordinary[ORDINARY]),
        compounds=_compounds(translator.facts.get("corpus", {}), cases, hard),
    )


def _timed(
    systems: Sequence[System], cases: Mapping[str, Sequence[Sentence]]
) -> tuple[dict[str, Result], dict[str, About]]:
    results, about = {}, {}
    for system in systems:
        watch = Stopwatch(system)
        results[system.name] = evaluate(watch, cases)
        speed = watch.speed([s.source for sentences in cases.values() for s in sentences])
        about[system.name] = system.about._replace(speed=speed)
    return results, about


def _baselines(text: ParallelText) -> list[System]:
    systems = [System(MEMORY, NearestNeighbour(text.train).translate)]
    if text.word_pairs:
        systems.append(System(DICTIONARY, WordDictionary(text.word_pairs).translate))
    return systems


def _compounds(
    spec: dict[str, Any], cases: Mapping[str, Sequence[Sentence]], hard: Mapping[str, Result]
) -> dict[str, dict[str, CompoundError]]:
    """Compound errors of each system; the derivations are the grammar's, generated once more."""
    if not hard or spec.get("name") != "grammar":
        return {}
    derived = grammar_corpus(spec).cases
    errors: dict[str, dict[str, CompoundError]] = {}
    for name, result in hard.items():
        rest = list(result.translations)
        errors[name] = {}
        for case, sentences in cases.items():
            found, rest = rest[: len(sentences)], rest[len(sentences) :]
            errors[name][case] = compound_error(case, derived[case][: len(sentences)], found)
    return errors


def grammar_corpus(spec: Mapping[str, Any]) -> Corpus:
    """The derivations behind a grammar corpus. Raises UnknownCorpusError for other corpora."""
    if spec.get("name") != "grammar":
        raise UnknownCorpusError(
            f"the corpus {spec.get('name')!r} has no gold alignment: only the grammar has"
        )
    return generate_corpus(**{name: value for name, value in spec.items() if name != "name"})


def _leaked(text: ParallelText, sentences: Sequence[Sentence]) -> int:
    seen = {source for source, _ in text.train}
    return sum(sentence.source in seen for sentence in sentences)


def sentences_sha256(cases: Sequence[Sequence[Sentence]]) -> str:
    """A hash of sources and references: equal hashes, equal tests."""
    rows = [[s.source, *s.references] for sentences in cases for s in sentences]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()
