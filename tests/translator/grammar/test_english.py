"""The English of every pair, checked by rules that know nothing of how it was made."""

import re

import pytest

from companion.translator.grammar import Pair
from companion.translator.grammar.english import (
    article,
    chinese_number,
    number,
    plural,
    verb_forms,
)

THIRD = r"(?:he|she|it|Tom|Mary|David|Anna|Lucy|John|Xiaoming|Xiaohong)"
PLURAL = r"(?:I|you|we|they)"
BASE = r"(?:go|eat|drink|like|want|buy|write|know|need|hate|believe|live|sleep|run|speak)"
S_FORM = (
    r"(?:goes|eats|drinks|likes|wants|buys|reads|writes|knows|needs|hates|believes|lives|sleeps)"
)
# What must be nowhere in the corpus.
WRONG = {
    "a before a vowel": r"\ba (?:[aeio]|u(?!se|ni))",
    "an before a consonant": r"\ban [^aeiou]",
    "he go": rf"(?:^|, ){THIRD} (?:also |often |always |sometimes )?{BASE}\b",
    "they goes": rf"\b{PLURAL} (?:also |all |often |always |sometimes )?{S_FORM}\b",
    "he are": rf"(?:^|, |\bthat ){THIRD} (?:are|am|were|have|do)\b",
    "I is": r"\bI (?:is|are|has|does|were)\b",
    "you is": r"(?:^|, )(?:you|we|they) (?:is|am|was|has|does)\b",
    "did went": r"\b(?:did|does|do|will|cannot|can|should|must|may) (?:not )?"
    r"(?:(?!feed|need)\w+ed|went|ate|was)\b",
    "two apple": r"\b(?:two|three|four|five) (?:apple|book|cup|bottle|pair|glass|bowl|person)\b",
    "a books": r"\ban? (?:\w+ )?(?:books|apples|eggs|children|men|women|knives|teeth)\b",
    "a tea": r"\ban? (?:tea|water|milk|bread|rice|money|beef|homework|pants|glasses)\b",
    "many mass": r"\bhow many (?:tea|water|milk|bread|rice|money|beef)\b",
    "this books": r"\b(?:this|that) (?:books|apples|shoes|glasses|pants)\b",
    "these book": r"\b(?:these|those) (?:book|apple|cup|child|man|woman|knife)\b",
    "more taller": r"\b(?:more|most) \w+(?:er|est) than\b",
    "can not": r"\bcan not\b",
    "double": r"\b(\w+) \1\b",
    "me as subject": r"^(?:me|him|us|them) ",
    "object I": r"\b(?:see|saw|like|likes|help|helped|with|by|for|than|to) (?:I|he|she|we|they)\b",
    "stray capital": r"(?<!^)\b(?:The|A|An|Is|Are|Did|Do|My|His)\b",
    "spaces": r"^ | $|  | [,?]",
    "full stop": r"(?<!Mr)(?<!Mrs)\.",
}
# Grammatical all the same: that that, and a clause ending in a verb before another subject.
ALLOWED = re.compile(r"\bthat that\b")


@pytest.mark.parametrize("name", sorted(WRONG))
def test_no_pair_has(name: str, everything: list[Pair]) -> None:
    pattern = re.compile(WRONG[name])
    found = [pair.target for pair in everything if pattern.search(ALLOWED.sub("that", pair.target))]
    assert not found, found[:10]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("a before a vowel", "he ate a apple"),
        ("an before a consonant", "an book"),
        ("he go", "he go to school"),
        ("they goes", "they goes home"),
        ("did went", "he did not went"),
        ("two apple", "two apple"),
        ("double", "she is the the"),
        ("object I", "he saw I"),
    ],
)
def test_the_checker_can_fail(name: str, wrong: str) -> None:
    assert re.search(WRONG[name], wrong)


def test_questions_and_only_questions_have_a_question_mark(everything: list[Pair]) -> None:
    for pair in everything:
        assert pair.source.endswith("？") == pair.target.endswith("?")
        assert pair.source.count("？") <= 1
        assert "?" not in pair.source
        assert "？" not in pair.target


def test_chinese_is_chinese_and_english_is_english(everything: list[Pair]) -> None:
    for pair in everything:
        assert re.fullmatch(r"[\u4e00-\u9fff，]+？?", pair.source), pair.source
        assert re.fullmatch(r"[A-Za-z0-9 ,.'’-]+\??", pair.target), pair.target


def test_articles_follow_the_sound() -> None:
    assert [article(word) for word in ("apple", "book", "useful", "hour", "uncle")] == [
        *("an", "a", "a", "an", "an")
    ]


def test_numbers() -> None:
    assert [number(n) for n in (0, 13, 20, 21, 99)] == [
        *("zero", "thirteen", "twenty", "twenty-one", "ninety-nine")
    ]
    assert [chinese_number(n) for n in (0, 10, 12, 20, 99)] == [
        *("零", "十", "十二", "二十", "九十九")
    ]
    for convert in (number, chinese_number):
        with pytest.raises(ValueError, match="not 100"):
            convert(100)


def test_plurals_and_verbs() -> None:
    assert [plural(noun) for noun in ("book", "watch", "dictionary", "day", "bus")] == [
        *("books", "watches", "dictionaries", "days", "buses")
    ]
    assert verb_forms("take/took/taken care of") == (
        *("take care of", "takes care of", "took care of", "taken care of", "taking care of"),
    )
    assert verb_forms("carry") == ("carry", "carries", "carried", "carried", "carrying")
    assert verb_forms("go/went/gone").third == "goes"
