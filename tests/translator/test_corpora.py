"""Corpora come under one interface, by plain data."""

import json

import pytest

from companion.translator import grammar
from companion.translator.corpora import ParallelText, Sentence, load_corpus
from companion.translator.grammar import Corpus, generate_corpus

SPEC = {"name": "grammar", "seed": 4, "train_size": 1500, "dev_size": 80, "test_size": 80}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate_corpus(4, train_size=1500, dev_size=80, test_size=80, case_size=2)


@pytest.fixture
def text(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> ParallelText:
    def generate(**options: int) -> Corpus:
        assert options == {name: value for name, value in SPEC.items() if name != "name"}
        return corpus

    monkeypatch.setattr(grammar, "generate_corpus", generate)
    return load_corpus(SPEC)


def test_the_grammar_keeps_its_splits(corpus: Corpus, text: ParallelText) -> None:
    assert text.train == [(pair.source, pair.target) for pair in corpus.train]
    assert [sentence.source for sentence in text.dev] == [pair.source for pair in corpus.dev]
    assert list(text.cases) == ["unseen", *corpus.cases]
    first = corpus.test[0]
    assert text.cases["unseen"][0] == Sentence(first.source, first.references, first.construction)


def test_nothing_held_out_is_trained_on(text: ParallelText) -> None:
    trained = {source for source, _ in text.train}
    held_out = [s.source for case in [text.dev, *text.cases.values()] for s in case]
    assert not trained & set(held_out)


def test_word_pairs_translate_words(text: ParallelText) -> None:
    pairs = set(text.word_pairs)
    assert ("书", "book") in pairs or ("书", "books") in pairs
    assert ("的", "") in pairs  # a word without a counterpart is known to have none
    characters = {word for word, _ in pairs}
    assert characters <= {word for word in characters if word in "".join(s for s, _ in text.train)}


def test_the_fingerprint_tells_training_sets_apart(text: ParallelText) -> None:
    same = load_corpus(json.loads(json.dumps(SPEC)))
    assert same.fingerprint() == text.fingerprint()
    assert text._replace(train=text.train[1:]).fingerprint() != text.fingerprint()
    assert text._replace(train=text.train[::-1]).fingerprint() != text.fingerprint()


def test_unknown_corpora_are_named() -> None:
    with pytest.raises(ValueError, match="unknown corpus 'wmt': choose one of grammar"):
        load_corpus({"name": "wmt"})
    with pytest.raises(ValueError, match="unknown corpus None"):
        load_corpus({})
