"""Questions of quantity and choice: 几, 哪, 谁的, 多大, 多少钱, 还是."""

from companion.translator.grammar import nouns, verbs
from companion.translator.grammar.actions import DIET
from companion.translator.grammar.clauses import (
    PAST,
    PRESENT,
    WANT,
    ask,
    copula,
    predicate,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, words
from companion.translator.grammar.existence import OWNED, spot
from companion.translator.grammar.lexicon import Noun, of_kind
from companion.translator.grammar.noun_phrases import (
    another,
    demonstrative,
    generic,
)
from companion.translator.grammar.questions import asked
from companion.translator.grammar.verbs import named


@part("how_many")
def how_many(d: Derivation) -> Linked:
    """你有几个孩子？ 桌子上有几本书？: how many, with the measure word."""
    if d.chance(0.35):
        ground, found = spot(d)
        noun = d.pick(_countable(found), "object")
        count, side, have = (
            d.link("几", "how many"),
            d.link(noun.zh, noun.plural),
            d.link("有", "are there"),
        )
        zh = words(ground.zh, have.zh, count.zh, noun.measures[0][0], side.zh, "？")
        return Linked(zh, words(count.en, side.en, have.en, ground.en, "?"))
    subject = asked(d)
    verb, tense, pool = d.choose(COUNTED)
    noun = d.pick(pool, "object")
    count, side = d.link("几", "how many"), d.link(noun.zh, noun.plural)
    measured = Linked(words(count.zh, noun.measures[0][0], side.zh), ())
    clause = predicate(d, subject, verb, tense, measured)
    return ask(words(subject.zh, clause.zh), words(count.en, side.en), clause)


def _countable(pool: tuple[Noun, ...]) -> tuple[Noun, ...]:
    return tuple(noun for noun in pool if noun.bare in ("one", "many"))


COUNTED = (
    (verbs.HAVE, PRESENT, _countable(OWNED)),
    (named(verbs.TRANSITIVE, "买"), PAST, _countable(verbs.OBJECTS["买"])),
    (named(verbs.TRANSITIVE, "吃"), PAST, _countable(verbs.OBJECTS["吃"])),
    (named(verbs.TRANSITIVE, "写"), PAST, _countable(verbs.OBJECTS["写"])),
    (named(verbs.TRANSITIVE, "唱"), PAST, _countable(verbs.OBJECTS["唱"])),
    (named(verbs.TRANSITIVE, "画/draw"), PAST, _countable(verbs.OBJECTS["画/draw"])),
)


@part("which")
def which_question(d: Derivation) -> Linked:
    """你喜欢哪条裙子？: which."""
    subject = asked(d)
    verb, tense, pool = d.choose(PREFERRED)
    noun = d.pick(pool, "object")
    which, side = d.link("哪", "which"), d.link(noun.zh, noun.en)
    measured = Linked(words(which.zh, noun.measures[0][0], side.zh), ())
    clause = predicate(d, subject, verb, tense, measured)
    return ask(words(subject.zh, clause.zh), words(which.en, side.en), clause)


_LIKED = tuple(
    noun
    for noun in of_kind(
        nouns.NOUNS, "book", "clothes", "hat", "gadget", "picture", "vehicle", "film", "song"
    )
    if noun.bare == "one"
)
PREFERRED = (
    (named(verbs.STATIVE, "喜欢"), PRESENT, _LIKED),
    (named(verbs.STATIVE, "喜欢"), PRESENT, _LIKED),
    (named(verbs.TRANSITIVE, "买"), PAST, tuple(n for n in _LIKED if n in verbs.OBJECTS["买"])),
    (named(verbs.TRANSITIVE, "买"), WANT, tuple(n for n in _LIKED if n in verbs.OBJECTS["买"])),
    (named(verbs.TRANSITIVE, "看"), PAST, verbs.OBJECTS["看"]),
    (named(verbs.TRANSITIVE, "借"), WANT, tuple(n for n in verbs.OBJECTS["借"])),
)


@part("whose")
def whose_question(d: Derivation) -> Linked:
    """这是谁的书？: whose book is this?"""
    noun = d.pick(OWNED_SINGLY, "predicate")
    pointer, whose = d.link(*d.choose((("这", "this"), ("那", "that")))), d.link("谁", "whose")
    be, side = d.link("是", "is"), d.link(noun.zh, noun.en)
    zh = words(pointer.zh, be.zh, whose.zh, "的", side.zh, "？")
    return Linked(zh, words(whose.en, side.en, be.en, pointer.en, "?"))


OWNED_SINGLY = tuple(
    noun
    for noun in of_kind(
        nouns.NOUNS,
        "book",
        "clothes",
        "hat",
        "gadget",
        "vehicle",
        "tool",
        "portable",
        "pet",
        "vessel",
    )
    if noun.bare == "one"
)


@part("how_old")
def how_old(d: Derivation) -> Linked:
    """你多大？ 这本书多少钱？: how old, how much."""
    if d.chance(0.4):
        subject = asked(d)
        old = d.link("多大", "how old")
        clause = copula(subject, old.zh, ())
        year = words("今年") if d.chance(0.3) else ()
        return ask(words(subject.zh, year, clause.zh), old.en, clause)
    noun = d.pick(_PRICED, "subject")
    subject = demonstrative(d, noun)
    cost = d.link("多少钱", "how much cost")
    en = words(cost.en[:2], "does", subject.en, cost.en[2:], "?")
    return Linked(words(subject.zh, cost.zh, "？"), en)


_PRICED = of_kind(
    nouns.NOUNS, "book", "clothes", "hat", "vessel", "tool", "ticket", "gadget", "vehicle"
)


@part("choice")
def choice(d: Derivation) -> Linked:
    """你想喝茶还是咖啡？: or, in a question."""
    subject = asked(d)
    verb = d.pick(DIET)
    first = d.pick(verbs.OBJECTS[verb.key], "object")
    second = another(d, verbs.OBJECTS[verb.key], first)
    left, right, or_ = generic(d, first), generic(d, second), d.link("还是", "or")
    both = Linked(words(left.zh, or_.zh, right.zh), words(left.en, or_.en, right.en))
    clause = predicate(d, subject, verb, WANT, both)
    return ask(words(subject.zh, clause.zh), (), clause)
