"""Comparison: 比, 没有 … 那么, 跟 … 一样, 最, 越来越."""

from companion.translator.grammar import adjectives, nouns, people
from companion.translator.grammar.clauses import Clause, copula
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, Words, words
from companion.translator.grammar.english import chinese_number, number
from companion.translator.grammar.lexicon import Adjective, keys
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    demonstrative,
    other,
    someone,
    who,
)

COMPARED_PEOPLE = tuple(a for a in adjectives.ADJECTIVES if "c" in a.place and "t" in a.place)
BUSY = tuple(a for a in adjectives.ADJECTIVES if "c" in a.place and "s" in a.place)
COMPARED_THINGS = tuple(
    noun
    for noun in nouns.NOUNS
    if adjectives.COMPARABLE[noun.key]
    and "person" not in noun.kinds
    and noun.measures[0][0] != "-"
    and noun.bare != "mass"
)


def compared(d: Derivation) -> tuple[NounPhrase, NounPhrase, Adjective]:
    """Two phrases of one sort, and an adjective in which they can differ."""
    if d.chance(0.6):
        first = who(d)
        return first, other(d, first, "standard"), d.pick((*COMPARED_PEOPLE, *BUSY))
    noun = d.pick(COMPARED_THINGS, "subject")
    options = adjectives.COMPARABLE[noun.key]
    first = demonstrative(d, noun, that=False)
    second = demonstrative(d, noun, that=True)
    return first, second, d.pick(options)


def than(phrase: NounPhrase) -> Linked:
    """What stands behind *than*: English wants the objective case."""
    return Linked(phrase.zh, phrase.objective)


@part("comparison")
def comparison(d: Derivation) -> Clause:
    """他比我高, 他比我高一点, 他比我大三岁: the standard comes first in Chinese."""
    if not d.wanted and d.chance(0.15):
        return _older(d)
    first, second, adjective = compared(d)
    more = d.link(adjective.zh, adjective.comparative)
    bi = d.link("比", "than")
    dice = d.generator.random()
    zh_degree: Words = ()
    degree = NOTHING
    if dice < 0.2:
        degree = d.link("一点", "a little")
        zh_degree = degree.zh
    elif dice < 0.4:
        degree = d.link("多", "much")
        zh_degree = words("得", degree.zh, "")
    zh = words(bi.zh, second.zh, more.zh, zh_degree)
    en = words(degree.en, more.en, bi.en, second.objective)
    return copula(first, zh, en)


def _older(d: Derivation) -> Clause:
    """他比我大三岁: three years older than me."""
    first = who(d)
    second = other(d, first, "standard")
    value = 1 + d.below(9)
    count = d.link("两" if value == 2 else chinese_number(value), number(value))
    unit = d.link("岁", "year" if value == 1 else "years")
    zh_age, en_age = d.choose((("大", "older"), ("小", "younger")))
    age, bi = d.link(zh_age, en_age), d.link("比", "than")
    zh = words(bi.zh, second.zh, age.zh, count.zh, unit.zh)
    return copula(first, zh, words(count.en, unit.en, age.en, bi.en, second.objective))


@part("inferiority")
def inferiority(d: Derivation) -> Clause:
    """他没有我高: not as tall as me."""
    first, second, adjective = compared(d)
    side, no = d.link(adjective.zh, adjective.en), d.link("没有", "not as as")
    so = words("那么") if d.chance(0.5) else ()
    zh = words(no.zh, second.zh, so, side.zh)
    en = words(no.en[1:2], side.en, no.en[2:], second.objective)
    return copula(first, zh, en, negation=no.en[:1])


@part("equality")
def equality(d: Derivation) -> Clause:
    """他跟我一样高: as tall as me."""
    first, second, adjective = compared(d)
    side, equal, with_ = (
        d.link(adjective.zh, adjective.en),
        d.link("一样", "as"),
        d.link("跟", "as"),
    )
    zh = words(with_.zh, second.zh, equal.zh, side.zh)
    return copula(first, zh, words(equal.en, side.en, with_.en, second.objective))


@part("superlative")
def superlative(d: Derivation) -> Clause:
    """他是最高的学生, 这本书是最便宜的: the most."""
    be = d.new_link()
    subject = someone(
        d, lambda who: who.agreement != "pl" and who.person == "3" and who.head not in UNRANKED
    )
    adjective = d.pick(RANKING)
    noun = d.pick(RANKED, "predicate")
    head = d.link(noun.zh, noun.en)
    most, quality = d.new_link(), d.new_link()
    if adjective.superlative.startswith("most "):
        best = words(words("most", link=most), words(adjective.en, link=quality))
    else:
        most = quality
        best = words(adjective.superlative, link=quality)
    zh = words(
        words("是", link=be),
        words("最", link=most),
        words(adjective.zh, link=quality),
        "的",
        head.zh,
    )
    return copula(subject, zh, words("the", best, head.en), be=be)


UNRANKED = frozenset(
    (
        *nouns.BY_KEY,
        *(person.key for person in people.RELATIVES),
        *(surname.key + title.key for surname in people.SURNAMES for title in people.TITLES),
    )
)
RANKING = tuple(a for a in COMPARED_PEOPLE if a.key != "胖")
RANKED = tuple(
    noun for noun in nouns.NOUNS if noun.key in keys("学生 老师 医生 同学 孩子 律师 歌手")
)
CHANGING = tuple(
    a for a in adjectives.ADJECTIVES if a.key in keys("高 胖 瘦 忙 漂亮 努力 有名 有钱")
)


@part("more_and_more")
def more_and_more(d: Derivation) -> Clause:
    """她越来越高: taller and taller."""
    subject = who(d)
    adjective = d.pick(CHANGING)
    more = d.link("越来越", "getting")
    link = d.new_link()
    form = adjective.comparative
    if form.startswith("more "):
        en = words(words("more and more", link=more.zh[0].link), words(adjective.en, link=link))
    else:
        en = words(words(form, link=link), "and", words(form, link=link))
    zh = words(more.zh, words(adjective.zh, link=link), "了" if d.chance(0.3) else "")
    return copula(subject, zh, words(more.en, en))
