"""One spelling for all: simplified characters, full-width marks, straight quotes, no doubles.

Many of Tatoeba's Chinese sentences are written in traditional characters. OpenCC brings them
to simplified ones, phrase by phrase (一個 → 一个, but 乾坤 stays 乾坤).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.translator.spelling import tidy
from companion.translator.tatoeba.reading import EXTRA, HAN, DataError, Row

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SPACES = re.compile(r"\s+")
_MARKS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "＂": '"'}
)
_CHINESE_MARKS = str.maketrans({"「": '"', "」": '"', "『": '"', "』": '"', "﹐": "，", "⋯": "..."})
_WIDE_ALPHANUMERIC = {
    code: code - 0xFEE0
    for first, last in (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"), ("％", "％"))
    for code in range(ord(first), ord(last) + 1)
}


class CleanPair(NamedTuple):
    """A pair in the corpus' spelling, with the keys by which equal sentences are recognised."""

    source_id: int | None
    source: str
    target: str
    source_key: str
    target_key: str


class Step(NamedTuple):
    """How many pairs were there after one step of the preparation, and why others left."""

    name: str
    pairs: int


def simplifier() -> Callable[[str], str]:
    """Traditional to simplified characters by OpenCC. Raises DataError when it is not installed."""
    try:
        import opencc
    except ImportError as error:
        raise DataError(f"OpenCC is not installed: {EXTRA}") from error
    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


def clean_source(text: str, simplify: Callable[[str], str]) -> str:
    """A Chinese sentence as the corpus spells it."""
    text = _common(text).translate(_CHINESE_MARKS).translate(_WIDE_ALPHANUMERIC)
    return tidy(simplify(text), lambda _: True)


def clean_target(text: str) -> str:
    """An English sentence as the corpus spells it: only quotes, dots and spaces change."""
    return _common(text)


def _common(text: str) -> str:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_MARKS)
    return _SPACES.sub(" ", text).strip()


def key(text: str) -> str:
    """What makes two sentences "the same" for the split: letters and digits, without case.

    >>> key("What's that?!") == key("Whats that")
    True
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum()) or folded


def clean(rows: Iterable[Row]) -> tuple[list[CleanPair], list[Step]]:
    """Cleaned pairs without doubles, and the number of pairs after each step."""
    simplify = simplifier()
    pairs = [
        CleanPair(row.source_id, source, target, key(source), key(target))
        for row in rows
        for source, target in [(clean_source(row.source, simplify), clean_target(row.target))]
    ]
    steps = [Step("read", len(pairs))]
    pairs = [pair for pair in pairs if HAN.search(pair.source) and pair.target]
    steps.append(Step("with Chinese and a translation", len(pairs)))
    unique: dict[tuple[str, str], CleanPair] = {}
    for pair in pairs:
        unique.setdefault((pair.source, pair.target), pair)
    steps.append(Step("without doubles", len(unique)))
    return list(unique.values()), steps
