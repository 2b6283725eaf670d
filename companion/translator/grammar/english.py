"""English word forms: plurals, verb forms, comparison, numerals, and the choice of a or an."""

from typing import NamedTuple

VOWELS = frozenset("aeiou")
# Spelled with a vowel but spoken with a consonant, and the other way round.
CONSONANT_SOUND = ("useful", "university", "uniform", "one", "used")
VOWEL_SOUND = ("hour", "honest")

UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
CHINESE_DIGITS = "零一二三四五六七八九"


class VerbForms(NamedTuple):
    """The five forms of an English verb; a verb of several words inflects the first one."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


def plural(noun: str) -> str:
    """The regular plural of the last word of `noun`."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def verb_forms(entry: str) -> VerbForms:
    """Read `base[/past[/participle[/ing]]]` followed by the words that never change.

    `wait for` is regular; `take/took/taken care of` is not. Empty or missing forms are regular.
    """
    head, _, rest = entry.partition(" ")
    base, past, participle, ing = (head.split("/") + [""] * 3)[:4]
    past = past or _regular_past(base)
    participle = participle or past
    ing = ing or _regular_ing(base)
    third = {"be": "is", "have": "has"}.get(base) or _regular_third(base)
    tail = f" {rest}" if rest else ""
    return VerbForms(*(form + tail for form in (base, third, past, participle, ing)))


def _regular_third(base: str) -> str:
    if base.endswith("o"):
        return base + "es"
    return plural(base)


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + "ed"


def _regular_ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee") and base != "be":
        return base[:-1] + "ing"
    return base + "ing"


def article(following: str) -> str:
    """`a` or `an`, by the sound with which the following word begins."""
    if following.startswith(VOWEL_SOUND):
        return "an"
    if following.startswith(CONSONANT_SOUND):
        return "a"
    return "an" if following[0].lower() in VOWELS else "a"


def number(value: int) -> str:
    """The English word for an integer from 0 to 99. Raises ValueError beyond."""
    if not 0 <= value <= 99:
        raise ValueError(f"number words go from 0 to 99, not {value}")
    if value < 20:
        return UNITS[value]
    ten, unit = divmod(value, 10)
    return TENS[ten] + (f"-{UNITS[unit]}" if unit else "")


def chinese_number(value: int) -> str:
    """The Chinese numeral for an integer from 0 to 99. Raises ValueError beyond."""
    if not 0 <= value <= 99:
        raise ValueError(f"numerals go from 0 to 99, not {value}")
    ten, unit = divmod(value, 10)
    tens = ("" if ten == 1 else CHINESE_DIGITS[ten]) + "十" if ten else ""
    return tens + (CHINESE_DIGITS[unit] if unit or not ten else "")
