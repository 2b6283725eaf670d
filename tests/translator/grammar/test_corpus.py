"""The corpus as data: reproducible, no source in two splits, well-formed pairs, large enough."""

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest

from companion.translator.grammar import (
    Corpus,
    Pair,
    constructions,
    dictionary,
    generate_corpus,
    word_types,
)
from companion.translator.grammar.corpus import _Sampler
from companion.translator.grammar.expressions import EXPRESSIONS
from companion.translator.grammar.listing import PUNCTUATION
from companion.translator.grammar.table import CONSTRUCTIONS, UNTESTED

PINNED = "b89c340a8df86515ae249f03b8a2d2c18c3d9c9de5addaab0d808dcbcde12051"


def fingerprint(corpus: Corpus) -> str:
    """A hash over everything in the corpus, in order."""
    digest = hashlib.sha256()
    splits = {"train": corpus.train, "dev": corpus.dev, "test": corpus.test, **corpus.cases}
    for name, pairs in splits.items():
        digest.update(f"{name}\n".encode())
        for pair in pairs:
            digest.update(f"{pair!r}\n".encode())
    return digest.hexdigest()


SIZES = {"train_size": 1_500, "dev_size": 50, "test_size": 150, "case_size": 27}


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_corpus_is_the_same_on_every_system_and_python(
    hash_seed: str, generate: Callable[..., Corpus]
) -> None:
    # After a deliberate change of the grammar, put the new value here.
    assert fingerprint(generate(hash_seed, seed=7, **SIZES)) == PINNED


def test_the_seed_decides(generate: Callable[..., Corpus]) -> None:
    # In this process, where the type of every argument is checked.
    sizes = {"train_size": 600, "dev_size": 10, "test_size": 50, "case_size": 9}
    here = generate_corpus(seed=1, **sizes)
    assert fingerprint(here) == fingerprint(generate(seed=1, **sizes))
    assert fingerprint(here) != fingerprint(generate(seed=2, **sizes))


def test_no_source_stands_in_two_splits(corpus: Corpus) -> None:
    splits = {"train": corpus.train, "dev": corpus.dev, "test": corpus.test, **corpus.cases}
    sources = {name: {pair.source for pair in pairs} for name, pairs in splits.items()}
    for left, right in combinations(sources, 2):
        assert not sources[left] & sources[right], (left, right)


def test_only_fixed_expressions_are_repeated(corpus: Corpus) -> None:
    assert len(corpus.dev) == 500
    assert len(corpus.test) == 1_000
    for pairs in (corpus.dev, corpus.test, *corpus.cases.values()):
        assert len({pair.source for pair in pairs}) == len(pairs)
    counts = Counter(pair.source for pair in corpus.train if pair.construction != "fixed")
    assert set(counts.values()) == {1}
    assert len(counts) == 24_000


def test_long_time_no_see_is_in_training_often_and_nowhere_else(corpus: Corpus) -> None:
    targets = [pair.target for pair in corpus.train if pair.source == "好久不见"]
    assert set(targets) == {"long time no see"}
    assert len(targets) >= 40
    others = [*corpus.dev, *corpus.test, *(p for pairs in corpus.cases.values() for p in pairs)]
    assert not [pair for pair in others if "好久不见" in pair.source]
    trained = {pair.source for pair in corpus.train}
    assert {"".join(zh) for zh, _ in EXPRESSIONS} <= trained


def test_the_test_split_is_spread_over_the_constructions(corpus: Corpus) -> None:
    tested = Counter(pair.construction for pair in corpus.test)
    trained = Counter(pair.construction for pair in corpus.train)
    for row in CONSTRUCTIONS:
        if row.name in UNTESTED:
            assert tested[row.name] == 0
        else:
            assert tested[row.name] >= 3, row.name
            assert trained[row.name] >= 10, row.name
            assert trained[row.name] >= 2 * tested[row.name]


def test_the_grammar_is_large(corpus: Corpus) -> None:
    counts = word_types(corpus.train)
    assert len(counts) >= 400
    assert len(CONSTRUCTIONS) >= 60
    assert len({row.name for row in CONSTRUCTIONS}) == len(CONSTRUCTIONS)
    # A long tail would be no use: most words are met often.
    assert sum(count >= 20 for count in counts.values()) >= 400


def test_a_source_has_one_translation(everything: list[Pair]) -> None:
    for pair in everything:
        assert pair.references[0] == pair.target
        assert len(set(pair.references)) == len(pair.references)


def test_a_contradiction_in_the_grammar_is_reported() -> None:
    sampler = _Sampler(0)
    pair = sampler.draw(CONSTRUCTIONS[0])
    assert sampler.is_new(pair)
    assert not sampler.is_new(pair)
    sampler.targets[pair.source] = "something else"
    with pytest.raises(ValueError, match="both as 'something else'"):
        sampler.is_new(pair)


def test_words_spell_the_sentences(everything: list[Pair]) -> None:
    for pair in everything:
        assert pair.source == "".join(pair.source_words)
        assert all(pair.source_words)
        assert all(pair.target_words)
        assert " ".join(pair.target_words).replace(" ?", "?").replace(" ,", ",") == pair.target


PARTICLES = "了的吗些们着得很就钱号块点是在"
MEASURES = "个位只匹头根本份封篇部场首件条双顶块副台辆张把盏面扇栋支幅朵棵片碗杯瓶家所"
UNALIGNED_CHINESE = {*PARTICLES, *MEASURES, "那么", "今年", "一起", *PUNCTUATION}
UNALIGNED_ENGLISH = frozenset(
    (
        *("a", "an", "the", "is", "are", "am", "was", "were", "do", "does", "did", "has", "have"),
        *("not", "of", "to", "it", "for", "who", "that", "will", "and", "in", "on", "by", "at"),
        *("them", "there", "cost", "costs", "any", ",", "?"),
    )
)


def test_every_content_word_is_aligned(everything: list[Pair]) -> None:
    for pair in everything:
        for source, target in pair.alignment:
            assert 0 <= source < len(pair.source_words)
            assert 0 <= target < len(pair.target_words)
        assert len(set(pair.alignment)) == len(pair.alignment)
        linked = {source for source, _ in pair.alignment}
        for index, word in enumerate(pair.source_words):
            if word not in UNALIGNED_CHINESE:
                assert index in linked, (word, pair)
        reached = {target for _, target in pair.alignment}
        for index, word in enumerate(pair.target_words):
            assert index in reached or word in UNALIGNED_ENGLISH, (word, pair)


def test_alignment_crosses(corpus: Corpus) -> None:
    crossing = 0
    for pair in corpus.test:
        links = pair.alignment
        crossing += any(a < c and b > d for a, b in links for c, d in links)
    assert crossing > len(corpus.test) // 3


def test_atoms_are_words_of_the_sentence(everything: list[Pair]) -> None:
    for pair in everything:
        for atom in pair.atoms:
            assert atom.partition("/")[0] in pair.source, (atom, pair.source)
        assert pair.parts[0] == pair.construction
        assert {atom for atom, _ in pair.roles} <= set(pair.atoms)


def test_the_dictionary_knows_words_not_sentences(corpus: Corpus) -> None:
    words = dictionary(corpus.train)
    assert words["医生"] == "doctor"
    assert words["苹果"] in ("apple", "apples")
    assert words["没"] in ("did not", "not")
    assert words["了"] == ""
    right = sum(
        pair.target == " ".join(filter(None, (words.get(w, w) for w in pair.source_words)))
        for pair in corpus.test
    )
    assert right < len(corpus.test) // 10


def test_the_listing_has_an_example_of_each() -> None:
    listed = constructions()
    assert [row.name for row in listed] == [row.name for row in CONSTRUCTIONS]
    assert all(row.source and row.target and row.shows for row in listed)


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="train_size must be at least 1, not 0"):
        generate_corpus(train_size=0)
    with pytest.raises(ValueError, match="too many beside so few"):
        generate_corpus(train_size=100, test_size=2_000, case_size=5)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--sample", "3", "--seed", "3"], 3),
        (["--each", "2", "--only", "ba"], 3),
        (["--sample", "2", "--words"], 4),
    ],
)
def test_the_command_prints_pairs(arguments: list[str], expected: int) -> None:
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "companion.translator.grammar", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert len(result.stdout.splitlines()) == expected
    assert not result.stderr
