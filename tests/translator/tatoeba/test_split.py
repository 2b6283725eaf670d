"""Sentences that share a source or a translation stay together; the test set stays what it is."""

import random

import pytest

from companion.translator.tatoeba import split as splitting
from companion.translator.tatoeba.cleaning import CleanPair, key
from companion.translator.tatoeba.reading import DataError
from companion.translator.tatoeba.split import components, draw, fixed_test_ids, split


def pair(source: str, target: str, source_id: int | None = None) -> CleanPair:
    return CleanPair(source_id, source, target, key(source), key(target))


def many(count: int) -> list[CleanPair]:
    return [pair(f"第{i}句", f"sentence {i}", i) for i in range(count)]


def test_a_chain_of_shared_sentences_is_one_component() -> None:
    chain = [pair("甲", "a"), pair("乙", "a"), pair("乙", "b"), pair("丙", "B!")]
    apart = [pair("丁", "d"), pair("戊", "e")]
    shuffled = [chain[3], apart[0], chain[0], chain[2], apart[1], chain[1]]
    found = components(shuffled)
    assert [len(part) for part in found] == [4, 1, 1]
    assert found[0] == [chain[3], chain[0], chain[2], chain[1]]  # in the order of the file


def test_a_source_and_a_target_of_the_same_letters_are_two_nodes() -> None:
    assert len(components([pair("ok", "好"), pair("好", "ok")])) == 2


def test_the_draw_does_not_depend_on_the_order_or_on_what_else_there_is() -> None:
    pairs = many(400)
    drawn, rest = draw(components(pairs), "test", 30)
    assert len(drawn) == 30
    assert len(rest) == 370
    random.Random(0).shuffle(pairs)
    again, _ = draw(components(pairs), "test", 30)
    assert {part[0] for part in again} == {part[0] for part in drawn}
    other, _ = draw(components(pairs), "dev", 30)
    assert {part[0] for part in other} != {part[0] for part in drawn}
    more, _ = draw(components([*pairs, pair("新句", "new")]), "test", 30)
    assert len({part[0] for part in more} & {part[0] for part in drawn}) >= 29


def test_a_small_corpus_gives_a_tenth() -> None:
    parts = split(many(100))  # none of its ids is one of the fixed ones that matter
    assert len(parts.dev) == pytest.approx(10, abs=2)
    assert len(parts.train) + len(parts.dev) + len(parts.test) == 100


def test_fixed_ids_take_their_whole_component_along() -> None:
    fixed = min(fixed_test_ids())
    pairs = [
        pair("这是", "this is", fixed),
        pair("这就是", "this is", 10**9),
        pair("那是", "that is", 10**9 + 1),
        pair("谁是", "who is", 10**9 + 2),
    ]
    parts = split(pairs)
    assert {p.source for p in parts.test} == {"这是", "这就是"}


def test_a_changed_list_of_test_sentences_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "TEST_IDS_SHA256", "0" * 64)
    with pytest.raises(DataError, match="not the list that published scores were measured on"):
        fixed_test_ids()
