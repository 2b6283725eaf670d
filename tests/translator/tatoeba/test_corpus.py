"""The corpus as it is published: counts, references, and no sentence in two parts."""

from pathlib import Path

import pytest

from companion.translator.corpora import load_corpus
from companion.translator.tatoeba import TatoebaCorpus, data_report, load_tatoeba
from companion.translator.tatoeba.cleaning import clean, key
from companion.translator.tatoeba.corpus import Group
from companion.translator.tatoeba.reading import read_pairs
from companion.translator.tatoeba.report import leakage
from companion.translator.tatoeba.split import (
    TEST_SOURCES,
    components,
    draw,
    fixed_test_ids,
)


@pytest.fixture(scope="module")
def corpus() -> TatoebaCorpus:
    return load_tatoeba()


def test_the_counts_of_every_step(corpus: TatoebaCorpus) -> None:
    assert [step.pairs for step in corpus.steps] == [56578, 56578, 56362, 51859, 51802, 51794]
    assert len(corpus.train) == 51794
    assert (len(corpus.dev), len(corpus.test)) == (1500, 2500)


def test_nothing_leaks(corpus: TatoebaCorpus) -> None:
    assert leakage(corpus, corpus.test) == {"sources": 0, "references": 0}
    assert leakage(corpus, corpus.dev) == {"sources": 0, "references": 0}
    held_out = {key(r) for group in corpus.dev for r in group.references}
    assert not held_out & {key(r) for group in corpus.test for r in group.references}


def test_the_leakage_check_sees_a_leak(corpus: TatoebaCorpus) -> None:
    source, target = corpus.train[0]
    leaked = [
        Group(source.strip("！"), ("Nothing like it.",)),
        Group("这句话那里没有。", (target.upper(),)),
    ]
    assert leakage(corpus, leaked) == {"sources": 1, "references": 1}


def test_the_test_set_is_the_one_that_was_drawn_before_any_training() -> None:
    pairs, _ = clean(read_pairs().rows)
    drawn, _ = draw(components(pairs), "test", TEST_SOURCES)
    assert {pair.source_id for part in drawn for pair in part} == fixed_test_ids()


def test_no_length_filter_touches_what_is_tested(corpus: TatoebaCorpus) -> None:
    everything = load_tatoeba(max_source=5, max_target=4)
    assert everything.test == corpus.test
    assert everything.dev == corpus.dev
    assert len(everything.train) < len(corpus.train)
    assert max(len(group.source) for group in corpus.test) > 80


def test_all_references_are_kept(corpus: TatoebaCorpus) -> None:
    references = sum(len(group.references) for group in corpus.test)
    assert references > len(corpus.test)
    assert all(len(set(group.references)) == len(group.references) for group in corpus.test)


def test_the_filters_keep_what_they_say() -> None:
    corpus = load_tatoeba(max_source=12, max_target=8, max_ratio=1.5)
    for source, target in corpus.train:
        words = len(target.split())
        assert len(source) <= 12
        assert words <= 8
        assert 1 / 1.5 <= len(key(source)) / words <= 1.5


def test_the_report_is_plain_data_that_is_counted(corpus: TatoebaCorpus) -> None:
    report = data_report(corpus, samples=3)
    assert report["malformed"] == {"lines": 0, "first": []}
    assert report["train"]["pairs"] == 51794
    assert report["test"]["sources"] == 2500
    assert report["leakage"]["test"] == {"sources": 0, "references": 0}
    assert len(report["train"]["samples"]) == 3
    lengths = [len(source) for source, _ in corpus.train]
    assert report["train"]["characters_a_source"]["longest"] == max(lengths) <= 80
    below = sum(n <= report["train"]["characters_a_source"]["90%"] for n in lengths)
    assert below / len(lengths) >= 0.9


def test_a_file_of_ones_own_works_the_same(tmp_path: Path) -> None:
    lines = [f"I have {i} books.\t我有{i}本书。\n" for i in range(2, 202)]
    path = tmp_path / "cmn.txt"
    path.write_text("".join(lines) + "broken\n", encoding="utf-8")
    text = load_corpus({"name": "tatoeba", "path": str(path)})
    assert len(text.train) + len(text.dev) + len(text.cases["unseen"]) == 200
    assert len(text.cases["unseen"]) >= 20
    report = data_report(load_tatoeba(path))
    assert report["malformed"]["lines"] == 1
    assert report["malformed"]["first"][0].startswith("line 201: 1 columns")
