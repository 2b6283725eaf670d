"""Clauses with be and have: what somebody is, how things are, where they are, what one has."""

from companion.translator.grammar import adjectives, nouns, people
from companion.translator.grammar.actions import adverb
from companion.translator.grammar.clauses import (
    Clause,
    Extras,
    copula,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, Words, words
from companion.translator.grammar.lexicon import Adjective, Noun, keys
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    known,
    plain,
    possessed,
    quantity,
    someone,
    who,
)
from companion.translator.grammar.time_words import ALL, ALSO

# Things of which one can say how they are.
DESCRIBED = tuple(
    noun for noun in nouns.NOUNS if adjectives.PREDICATES[noun.key] and "person" not in noun.kinds
)


# Things that one can point at and call one's own: this is my book.
SINGLE = tuple(noun for noun in DESCRIBED if noun.bare == "one" and "zoo" not in noun.kinds)


def thing(d: Derivation) -> NounPhrase:
    """Something definite that can be described."""
    return known(d, d.pick(DESCRIBED, "subject"))


def noun_of(phrase: NounPhrase) -> Noun:
    """The lexicon entry of the phrase's head noun."""
    return nouns.BY_KEY[phrase.head]


@part("identity")
def identity(d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False) -> Clause:
    """他是医生, 这是我的书: 是 between two noun phrases."""
    be = d.new_link()
    no = words("不", link=be + 1) if negative else ()
    if negative:
        d.new_link()
    denial = words("not", link=be + 1) if negative else ()
    if subject is None and d.chance(0.3):
        pointer = d.link(*d.choose((("这", "this"), ("那", "that"))))
        owner = possessed(d, d.pick(SINGLE, "predicate"))
        subject = plain(*pointer, head="这")
        zh = words(no, words("是", link=be), owner.zh)
        return copula(subject, zh, owner.en, negation=denial, be=be)
    if subject is None:
        subject = someone(d, lambda phrase: phrase.head not in nouns.BY_KEY)
    extra = NOTHING
    if not negative and d.chance(0.2):
        all_of = subject.agreement == "pl" and subject.head != "你"
        extra = adverb(d, (ALL,) if all_of else (ALSO,))
    many = subject.agreement == "pl" and subject.head != "你"
    zh_role, en_role = _role(d, many)
    zh = words(no, words("是", link=be), zh_role)
    return copula(subject, zh, en_role, negation=denial, extras=Extras(adverb=extra), be=be)


def _role(d: Derivation, many: bool) -> Linked:
    """医生 (a doctor, doctors), 一个很好的老师, or 我的朋友."""
    if d.chance(0.25):
        noun = d.pick(nouns.RELATIONS, "predicate")
        owner = d.choose(people.PRONOUNS)
        possessive = d.link(owner.key, owner.possessive)
        side = d.link(noun.zh, noun.plural if many else noun.en)
        return Linked(words(possessive.zh, "的", side.zh), words(possessive.en, side.en))
    noun = d.pick(nouns.JOBS, "predicate")
    if not many and d.chance(0.2):
        phrase = quantity(d, noun, 1, adjective=0.8)
        return Linked(phrase.zh, phrase.en)
    side = d.link(noun.zh, noun.plural if many else noun.en)
    return Linked(side.zh, words("" if many else "a", side.en))


# One is a little tired, not a little happy: 有点 is for what one would rather not be.
UNWELCOME = frozenset(keys("忙 累 饿 渴 困 难过 生气 紧张 担心"))
DEGREES = (
    ("很", ""),
    ("很", ""),
    ("很", ""),
    ("非常", "very"),
    ("真", "really"),
    ("有点", "a little"),
)


def describe(
    d: Derivation,
    subject: NounPhrase,
    adjective: Adjective,
    *,
    negative: bool = False,
    past: bool = False,
    plainly: bool = False,
    extras: Extras | None = None,
) -> Clause:
    """Subject and adjective. 很 is what Chinese has in place of is, and is not translated."""
    side = d.link(adjective.zh, adjective.en)
    extras = extras or Extras()
    if negative:
        no = d.link("不", "not")
        return copula(
            subject, words(no.zh, side.zh), side.en, negation=no.en, past=past, extras=extras
        )
    zh_degree, en_degree = DEGREES[0] if plainly else d.choose(DEGREES)
    if zh_degree == "有点" and adjective.key not in UNWELCOME:
        zh_degree, en_degree = DEGREES[0]
    degree = d.link(zh_degree, en_degree)
    en = words(degree.en, side.en)
    return copula(subject, words(degree.zh, side.zh), en, past=past, extras=extras)


def adjective_for(d: Derivation, subject: NounPhrase) -> Adjective:
    """An adjective that suits the subject."""
    if subject.head in nouns.BY_KEY and "person" not in noun_of(subject).kinds:
        return d.pick(adjectives.PREDICATES[subject.head])
    return d.pick(adjectives.STATES if d.chance(0.5) else adjectives.TRAITS)


@part("adjective")
def adjective(
    d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False
) -> Clause:
    """这本书很有意思, 他不高: adjectives are verbs of their own in Chinese."""
    if subject is None:
        subject = thing(d) if d.chance(0.5) else who(d)
    return describe(d, subject, adjective_for(d, subject), negative=negative)


TOO = frozenset(keys("大 小 贵 重 长 短 脏 旧 难 胖 甜"))
EXCESSIVE = tuple(
    noun for noun in DESCRIBED if any(a.key in TOO for a in adjectives.PREDICATES[noun.key])
)


@part("too")
def too(d: Derivation) -> Clause:
    """这双鞋太大了: 太 … 了 and too."""
    noun = d.pick(EXCESSIVE, "subject")
    subject = known(d, noun)
    options = [a for a in adjectives.PREDICATES[noun.key] if a.key in TOO]
    chosen = d.pick(options)
    side, degree = d.link(chosen.zh, chosen.en), d.link("太", "too")
    return copula(subject, words(degree.zh, side.zh, "了"), words(degree.en, side.en))


@part("past_state")
def past_state(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """昨天他很忙: an adjective has no 了; only the time word says that it was."""
    subject = subject or who(d)
    day = d.link(*d.choose((("昨天", "yesterday"), ("昨天晚上", "last night"), ("前天", BEFORE))))
    extras = Extras(time=day)
    return describe(d, subject, d.pick(adjectives.STATES), past=True, extras=extras)


BEFORE = "the day before yesterday"


def owned_by(d: Derivation, owner: NounPhrase, noun: Noun) -> NounPhrase:
    """大卫的书: David's book."""
    side = d.link(noun.zh, noun.plural if noun.bare in ("many", "pair") else noun.en)
    last = owner.en[-1]
    genitive: Words = (*owner.en[:-1], last._replace(text=last.text + "'s"))
    agreement = "pl" if noun.bare in ("many", "pair") else "3s"
    return plain(words(owner.zh, "的", side.zh), words(genitive, side.en), agreement, noun.key)
