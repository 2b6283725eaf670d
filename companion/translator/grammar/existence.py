"""Clauses about where things are and who has them: 有, 没有, 在 and 住."""

from companion.translator.grammar import nouns, people, places, verbs
from companion.translator.grammar.clauses import PRESENT, Clause, copula, predicate
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, Word, words
from companion.translator.grammar.english import chinese_number, number, plural
from companion.translator.grammar.lexicon import Noun, keys, of_kind
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    definite,
    known,
    plain,
    quantity,
    who,
)

OWNED = of_kind(nouns.NOUNS, "gadget", "vehicle", "pet", "house", "hat", "tool", "ticket", "toy")
FURNITURE = tuple(noun for noun in nouns.NOUNS if noun.key in ("桌子", "椅子", "床"))
SURFACES = tuple(noun for noun in nouns.NOUNS if noun.key in ("桌子", "椅子", "床", "沙发"))
ON_TABLE = of_kind(
    nouns.NOUNS, "book", "vessel", "tool", "fruit", "small_gift", "keys", "photo", "drink"
)
ON_SEAT = of_kind(nouns.NOUNS, "book", "small_gift", "keys", "photo", "pet")
IN_OFFICE = tuple(noun for noun in nouns.NOUNS if noun.key in {"桌子", "椅子", "冰箱", "电视"})
IN_BAG = of_kind(nouns.NOUNS, "book", "tool", "fruit", "keys", "ticket", "mail")
IN_ROOM = of_kind(nouns.NOUNS, "furniture", "pet", "big", "lamp", "mirror")
OUTDOORS = of_kind(nouns.NOUNS, "young", "pet", "tree", "rideable", "public", "drivable")
UNDER = tuple(noun for noun in nouns.NOUNS if noun.key in keys("狗 猫 兔子 鞋 球 包 箱子 玩具"))
BAGS = of_kind(nouns.NOUNS, "container")
ROOMS = of_kind(nouns.NOUNS, "room")


def spot(d: Derivation, role: str = "place") -> tuple[Linked, tuple[Noun, ...]]:
    """桌子上 (on the table), 学校旁边 (next to the school), and what one may find there."""
    dice = d.generator.random()
    if dice < 0.4:
        noun, zh, en = d.pick(SURFACES, role), "上", "on"
        found = ON_TABLE if noun.key == "桌子" else ON_SEAT
    elif dice < 0.55:
        noun, zh, en = d.pick(BAGS, role), "里", "in"
        found = IN_BAG
    elif dice < 0.7:
        noun, zh, en = d.pick(ROOMS, role), "里", "in"
        found = IN_ROOM if noun.key == "房间" else IN_OFFICE
    elif dice < 0.8:
        noun, zh, en = d.pick(FURNITURE, role), "下面", "under"
        found = UNDER
    else:
        return _near(d, role)
    ground, relation = definite(d, noun), d.link(zh, en)
    others = tuple(thing for thing in found if thing is not noun)
    return Linked(words(ground.zh, relation.zh), words(relation.en, ground.en)), others


def _near(d: Derivation, role: str) -> tuple[Linked, tuple[Noun, ...]]:
    place = d.pick(places.BUILDINGS, role)
    side = d.link(place.key, place.the)
    zh, en = d.choose((("旁边", "next to"), ("后面", "behind"), ("前面", "in front of")))
    relation = d.link(zh, en)
    return Linked(words(side.zh, relation.zh), words(relation.en, side.en)), OUTDOORS


@part("existential")
def existential(d: Derivation, *, negative: bool = False) -> Clause:
    """桌子上有一本书: there is, with the place first in Chinese and last in English."""
    ground, found = spot(d)
    noun = d.pick(found, "object")
    have = d.new_link()
    if negative:
        side = d.link(noun.zh, noun.plural if noun.bare != "mass" else noun.en)
        zh, en = words("没有", link=have), words("no", link=have)
        agreement = "3s" if noun.bare == "mass" else "pl"
        content = plain(side.zh, words(en, side.en), agreement)
    else:
        value = 1 if d.chance(0.6) else 2 + d.below(3)
        content = quantity(d, noun, value, adjective=0.3)
        zh = words("有", link=have)
    subject = NounPhrase((), words("there", link=have), (), content.agreement)
    return copula(subject, words(ground.zh, zh, content.zh), words(content.en, ground.en))


@part("nothing_there")
def nothing_there(d: Derivation) -> Clause:
    """桌子上没有书: there are no."""
    return existential(d, negative=True)


@part("location")
def location(d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False) -> Clause:
    """他在家, 你的书在桌子上: 在 as the verb."""
    be = d.new_link()
    denied = d.new_link()
    no, denial = (words("不", link=denied), words("not", link=denied)) if negative else ((), ())
    if subject is None and d.chance(0.45):
        ground, found = spot(d)
        subject = known(d, d.pick(found, "subject"))
    else:
        subject = subject or who(d)
        place = d.pick(places.PLACES, "place")
        ground = d.link(place.key, place.at)
    zh = words(no, words("在", link=be), ground.zh)
    return copula(subject, zh, ground.en, negation=denial, be=be)


@part("residence")
def residence(
    d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False
) -> Clause:
    """他住在北京: lives in."""
    subject = subject or who(d)
    place = d.pick(places.TOWNS, "place")
    verb = verbs.LIVE
    side = d.link(place.key, place.at)
    ground = Linked(words("在", side.zh), side.en)
    return predicate(d, subject, verb, PRESENT, ground, negative=negative)


@part("possession")
def possession(
    d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False
) -> Clause:
    """我有两个妹妹, 他没有钱: 有 and have; 没有 is does not have."""
    subject = subject or who(d)
    have, denied = d.new_link(), d.new_link()
    if negative:
        noun = d.pick((*OWNED, *of_kind(nouns.NOUNS, "money", "time")), "object")
        lead = "a" if noun.bare == "one" else "any" if noun.bare == "mass" else ""
        side = d.link(noun.zh, noun.plural if noun.bare in ("many", "pair") else noun.en)
        auxiliary = words("does" if subject.agreement == "3s" else "do", link=denied)
        rest = words(words("not", link=denied), words("have", link=have), lead, side.en)
        zh = words((Word("没有", denied, have),), side.zh)
        return Clause(subject, zh, words(auxiliary, rest), auxiliary, rest)
    if d.chance(0.35) and not d.wanted:
        content = siblings(d)
    else:
        noun = d.pick(OWNED, "object")
        content = quantity(d, noun, 1 if d.chance(0.7) else 2 + d.below(2), adjective=0.35)
    return predicate(d, subject, verbs.HAVE, PRESENT, content)


def siblings(d: Derivation) -> NounPhrase:
    """一个妹妹, 三个儿子: relatives whom one counts."""
    person = d.pick(people.COUNTED_RELATIVES, "object")
    value = 1 if d.chance(0.5) else 2 + d.below(3)
    numeral = d.link(
        "两" if value == 2 else chinese_number(value), "a" if value == 1 else number(value)
    )
    side = d.link(person.key, person.en if value == 1 else plural(person.en))
    zh, en = words(numeral.zh, "个", side.zh), words(numeral.en, side.en)
    return plain(zh, en, "3s" if value == 1 else "pl", person.key)


@part("no_possession")
def no_possession(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他没有车: does not have."""
    return possession(d, subject, negative=True)
