"""Pronouns, relatives, names and titles."""

from dataclasses import dataclass

from companion.translator.grammar.derivation import Entry
from companion.translator.grammar.lexicon import keys, rows


@dataclass(frozen=True, slots=True)
class Pronoun(Entry):
    """A personal pronoun with its English cases; `person` is 1, 2 or 3."""

    key: str
    subject: str
    objective: str
    possessive: str
    agreement: str
    person: str
    exposures: int = 0


@dataclass(frozen=True, slots=True)
class Person(Entry):
    """A relative (爸爸) or a named person (大卫), with the gender that `he` or `she` needs."""

    key: str
    en: str
    gender: str
    exposures: int = 0


def _people(table: str) -> tuple[Person, ...]:
    return tuple(Person(zh, en, gender) for zh, en, gender in rows(table))


PRONOUNS = tuple(
    Pronoun(key, subject, objective, possessive, agreement, person)
    for key, subject, objective, possessive, agreement, person in rows("""
我 | I | me | my | 1s | 1
你 | you | you | your | pl | 2
他 | he | him | his | 3s | 3
她 | she | her | her | 3s | 3
我们 | we | us | our | pl | 1
他们 | they | them | their | pl | 3
""")
)
PRONOUN = {pronoun.key: pronoun for pronoun in PRONOUNS}

RELATIVES = _people("""
妈妈 | mother | f
爸爸 | father | m
哥哥 | older brother | m
弟弟 | younger brother | m
姐姐 | older sister | f
妹妹 | younger sister | f
爷爷 | grandfather | m
奶奶 | grandmother | f
儿子 | son | m
女儿 | daughter | f
叔叔 | uncle | m
阿姨 | aunt | f
母亲 | mother | f
父亲 | father | m
""")
# Of whom one can have more than one, with the measure word 个.
COUNTED_RELATIVES = tuple(
    person for person in RELATIVES if person.key in keys("哥哥 弟弟 姐姐 妹妹 儿子 女儿")
)

NAMES = _people("""
小明 | Xiaoming | m
小红 | Xiaohong | f
大卫 | David | m
玛丽 | Mary | f
汤姆 | Tom | m
安娜 | Anna | f
约翰 | John | m
露西 | Lucy | f
""")

SURNAMES = _people("""
王 | Wang | -
李 | Li | -
张 | Zhang | -
陈 | Chen | -
刘 | Liu | -
""")

TITLES = _people("""
先生 | Mr. | m
太太 | Mrs. | f
小姐 | Miss | f
教授 | Professor | n
""")
