"""One spelling for what means the same, and nothing else changed."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.translator.tatoeba.cleaning import (
    clean,
    clean_source,
    clean_target,
    key,
    simplifier,
)
from companion.translator.tatoeba.reading import DataError, Row


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("我們試試看！", "我们试试看！"),
        ("乾坤", "乾坤"),  # by phrase: the lone 乾 of 乾杯 becomes 干
        ("乾杯！", "干杯！"),
        ("你好 吗?", "你好吗？"),
        ("「你好」﹐他說⋯", '"你好"，他说...'),
        ("２０１９年，ＡＢＣ", "2019年，ABC"),
        ("好\u200b久\u00ad不见。", "好久不见。"),
        ("我有 3 本书。", "我有 3 本书。"),
    ],
)
def test_chinese(written: str, spelled: str) -> None:
    assert clean_source(written, simplifier()) == spelled


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("I\u2019m  “here”\u00a0…", 'I\'m "here" ...'),
        (" Cafe\u0301 ", "Café"),
        ("Don't change: this!", "Don't change: this!"),
    ],
)
def test_english(written: str, spelled: str) -> None:
    assert clean_target(written) == spelled


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean_target(clean_target(text)) == clean_target(text)


def test_marks_and_case_do_not_make_another_sentence() -> None:
    assert key("What's that?!") == key("whats THAT")
    assert key("你好。") == key("你好！") != key("你好吗？")
    assert key("...") == "..."  # nothing but marks: itself


def test_every_step_is_counted() -> None:
    rows = [
        Row(1, "你好。", 2, "Hello."),
        Row(3, "你好。", 4, "Hello."),  # a double
        Row(5, "您好。", 6, "Hello."),
        Row(7, "你好。", 8, "\u200b"),  # nothing left
        Row(9, "ABC", 10, "Hello."),  # no Chinese
    ]
    pairs, steps = clean(rows)
    assert [(pair.source_id, pair.source) for pair in pairs] == [(1, "你好。"), (5, "您好。")]
    assert [step.pairs for step in steps] == [5, 3, 2]


def test_without_opencc_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opencc", None)
    with pytest.raises(DataError, match="OpenCC is not installed: pip install"):
        simplifier()
