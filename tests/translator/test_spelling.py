"""What people type reaches the model in the corpus' spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.translator.spelling import tidy


def only_question_marks(mark: str) -> bool:
    return mark == "？"


def all_marks(_: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("好久不见", "好久不见"),
        (" 好久不见\u3000\n", "好久不见"),
        ("好久 不见", "好久不见"),
        ("你好吗?", "你好吗？"),
        ("你好吗？", "你好吗？"),
        ("好久不见。", "好久不见"),
        ("好久不见!", "好久不见"),
        ("好久不见...", "好久不见"),
        ("你好, 我", "你好, 我"),
        ("我有 3 本书", "我有 3 本书"),
        ("hello, you!", "hello, you!"),
        ("  ", ""),
        ("", ""),
        ("\ud83d好", "\ufffd好"),
    ],
)
def test_for_a_corpus_with_question_marks_only(typed: str, spelled: str) -> None:
    assert tidy(typed, only_question_marks) == spelled


def test_traditional_characters_become_simplified_ones_that_the_model_knows() -> None:
    simplified_only = "好久不见个发".__contains__
    assert tidy("好久不見", simplified_only) == "好久不见"
    assert tidy("髮發發髪個", simplified_only) == "发发发髪个"  # 髪 is Japanese
    assert tidy("見", "見见".__contains__) == "見"  # it knows both: nothing to mend
    assert tidy("龜", simplified_only) == "龜"  # it knows neither: left as typed


def test_for_a_corpus_with_all_marks() -> None:
    assert tidy("你好,你好吗?好!", all_marks) == "你好，你好吗？好！"
    assert tidy("好久不见。", all_marks) == "好久不见。"


@given(st.text() | st.text(st.sampled_from("好久。.!?？ a")))
def test_tidying_twice_is_tidying_once(text: str) -> None:
    once = tidy(text, only_question_marks)
    assert tidy(once, only_question_marks) == once
