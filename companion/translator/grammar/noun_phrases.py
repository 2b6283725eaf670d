"""Noun phrases: who and what a sentence is about, with all that English must know of them.

Chinese marks neither number nor definiteness, so the English follows from the Chinese by rule:

| Chinese | English | why |
|---|---|---|
| 一本书, 三本书 | a book, three books | the measure word is not translated |
| 一杯茶, 两双鞋 | a cup of tea, two pairs of shoes | unless English counts in units too |
| 这本书, 那些书 | this book, those books | |
| 我的书, 我妈妈 | my book, my mother | relatives need no 的 |
| 书 before the verb, or after 把 | the book | known to both speakers |
| 书 as the object of a habit or a liking | books | in general |
| 书 as another object | a book | by the noun: apples, tea, the door |
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.translator.grammar import adjectives, nouns, people
from companion.translator.grammar.derivation import Derivation, Linked, Words, words
from companion.translator.grammar.english import chinese_number, number, plural
from companion.translator.grammar.lexicon import Noun, keys


class NounPhrase(NamedTuple):
    """A noun phrase in both languages.

    `objective` is the English as an object (him for he); `agreement` chooses the verb form ("1s",
    "3s" or "pl"); `gender` and `person` choose the pronoun for a later mention.
    """

    zh: Words
    en: Words
    objective: Words
    agreement: str
    gender: str = "n"
    person: str = "3"
    head: str = ""


def plain(zh: Words, en: Words, agreement: str = "3s", head: str = "") -> NounPhrase:
    """A third-person phrase that reads the same as subject and as object."""
    return NounPhrase(zh, en, en, agreement, head=head)


# People


def someone(
    d: Derivation, accept: Callable[[NounPhrase], bool], role: str = "subject"
) -> NounPhrase:
    """Somebody of whom `accept` holds."""
    mark = d.mark()
    while True:
        phrase = who(d, role)
        if accept(phrase):
            return phrase
        d.rewind(mark)


def another(d: Derivation, pool: Sequence[Noun], first: Noun, role: str = "object") -> Noun:
    """A noun of the pool that is not `first`, neither in Chinese nor in English."""
    return d.pick(tuple(noun for noun in pool if noun.en != first.en), role)


def pronoun(d: Derivation, key: str) -> NounPhrase:
    """The personal pronoun written `key`."""
    entry = people.PRONOUN[key]
    link = d.new_link()
    return NounPhrase(
        words(key, link=link),
        words(entry.subject, link=link),
        words(entry.objective, link=link),
        entry.agreement,
        gender="f" if key == "她" else "m",
        person=entry.person,
        head=key,
    )


def again(d: Derivation, phrase: NounPhrase) -> NounPhrase:
    """The pronoun for a second mention of somebody; 他 for somebody of unknown sex."""
    if phrase.head in people.PRONOUN:
        return pronoun(d, phrase.head)
    if phrase.agreement == "pl":
        return pronoun(d, "他们")
    return pronoun(d, "她" if phrase.gender == "f" else "他")


def name(d: Derivation, role: str) -> NounPhrase:
    """A first name (大卫) or a surname with a title (王先生, Mr. Wang)."""
    if d.chance(0.65):
        person = d.pick(people.NAMES, role)
        side = d.link(person.key, person.en)
        return plain(*side, head=person.key)._replace(gender=person.gender)
    surname, title = d.pick(people.SURNAMES, role), d.pick(people.TITLES, role)
    family, form = d.link(surname.key, surname.en), d.link(title.key, title.en)
    zh, en = words(family.zh, form.zh), words(form.en, family.en)
    return plain(zh, en, head=surname.key + title.key)._replace(gender=title.gender)


def possessor(d: Derivation) -> Linked:
    """我, 他们 … without 的, and my, their."""
    entry = d.choose(people.PRONOUNS)
    return d.link(entry.key, entry.possessive)


def relative(d: Derivation, role: str) -> NounPhrase:
    """我妈妈, 她弟弟: relatives stand without 的."""
    person = d.pick(people.RELATIVES, role)
    owner, side = possessor(d), d.link(person.key, person.en)
    phrase = plain(words(owner.zh, side.zh), words(owner.en, side.en), head=person.key)
    return phrase._replace(gender=person.gender)


def group(d: Derivation, role: str) -> NounPhrase:
    """学生们, 孩子们: the students, the children."""
    noun = d.pick(nouns.PEOPLE, role)
    link = d.new_link()
    zh = words(words(noun.zh, link=link), "们")
    return plain(zh, words("the", words(noun.plural, link=link)), "pl", noun.key)


# Of whom sentences speak, by how often: seldom of the listener.
OFTEN = keys("我 我 他 他 他 她 她 她 我们 他们 他们 你")


def who(d: Derivation, role: str = "subject") -> NounPhrase:
    """Somebody definite: a pronoun, a name, a relative, the teacher, that student."""
    if d.wanted:
        return _wanted_person(d, role)
    dice = d.generator.random()
    if dice < 0.42:
        return pronoun(d, d.choose(OFTEN))
    if dice < 0.6:
        return name(d, role)
    if dice < 0.75:
        return relative(d, role)
    if dice < 0.8:
        return group(d, role)
    noun = d.pick(nouns.PEOPLE, role)
    return definite(d, noun) if dice < 0.9 else demonstrative(d, noun)


def _wanted_person(d: Derivation, role: str) -> NounPhrase:
    """As `who`, taking the kind of phrase that can hold a wanted word."""
    keys = [key for key, wanted_role in d.wanted.items() if wanted_role in ("", role)]
    if any(person.key in keys for person in people.RELATIVES):
        return relative(d, role)
    if any(noun.key in keys for noun in nouns.PEOPLE):
        noun = d.pick(nouns.PEOPLE, role)
        return definite(d, noun) if d.chance(0.5) else demonstrative(d, noun)
    return pronoun(d, d.choose(people.PRONOUNS).key) if d.chance(0.6) else name(d, role)


def other(d: Derivation, subject: NounPhrase, role: str = "object") -> NounPhrase:
    """Somebody else than the subject (nobody sees himself; I and we overlap)."""
    mark = d.mark()
    while True:
        phrase = who(d, role)
        same_side = phrase.person == subject.person and phrase.person != "3"
        # Nor does the doctor meet that doctor.
        alike = phrase.en and subject.en and phrase.en[-1].text == subject.en[-1].text
        if not alike and not same_side:
            return phrase
        d.rewind(mark)


# Things


def attribute(d: Derivation, noun: Noun, probability: float, *, short: bool = False) -> Linked:
    """An adjective before the noun (红, 有意思的), or nothing."""
    options = (adjectives.SHORT if short else adjectives.ATTRIBUTES)[noun.key]
    if not options or not d.chance(probability):
        return Linked((), ())
    adjective = d.pick(options)
    side = d.link(adjective.zh, adjective.en)
    return Linked(words(side.zh, "的" if "d" in adjective.place else ""), side.en)


def _form(noun: Noun, many: bool) -> str:
    return noun.plural if many or noun.bare == "pair" else noun.en


def quantity(d: Derivation, noun: Noun, value: int, adjective: float = 0.15) -> NounPhrase:
    """一本书, 三杯茶: `value` of the noun, with its measure word and the English unit."""
    measure, unit = d.choose(noun.measures)
    link = d.new_link()
    extra = attribute(d, noun, adjective)
    numeral = "两" if value == 2 else chinese_number(value)
    count = d.link(numeral, "a" if value == 1 else number(value))
    head = words(_form(noun, value > 1 and not (unit and noun.bare == "mass")), link=link)
    if unit:
        unit_side = d.link(measure, unit if value == 1 else plural(unit))
        en = words(count.en, unit_side.en, "of", extra.en, head)
        zh = words(count.zh, unit_side.zh, extra.zh, words(noun.zh, link=link))
    else:
        en = words(count.en, extra.en, head)
        zh = words(count.zh, measure, extra.zh, words(noun.zh, link=link))
    return plain(zh, en, "3s" if value == 1 else "pl", noun.key)


def demonstrative(
    d: Derivation,
    noun: Noun,
    *,
    many: bool = False,
    adjective: float = 0.0,
    that: bool | None = None,
) -> NounPhrase:
    """这本书, 那些书: this book, those books; units and pairs stay singular (this cup of tea)."""
    measure, unit = d.choose(noun.measures)
    far = d.chance(0.5) if that is None else that
    extra = attribute(d, noun, adjective)
    noun_link = d.new_link()
    zh_noun = words(noun.zh, link=noun_link)
    if many and not unit:
        pointer = d.link("那" if far else "这", "those" if far else "these")
        head = words(noun.plural, link=noun_link)
        zh = words(pointer.zh, "些", extra.zh, zh_noun)
        return plain(zh, words(pointer.en, extra.en, head), "pl", noun.key)
    pointer = d.link("那" if far else "这", "that" if far else "this")
    head = words(_form(noun, False), link=noun_link)
    if unit:
        unit_side = d.link(measure, unit)
        zh = words(pointer.zh, unit_side.zh, extra.zh, zh_noun)
        return plain(zh, words(pointer.en, unit_side.en, "of", extra.en, head), head=noun.key)
    zh = words(pointer.zh, measure, extra.zh, zh_noun)
    return plain(zh, words(pointer.en, extra.en, head), head=noun.key)


def _bare_number(noun: Noun) -> tuple[str, str]:
    """The English form and agreement of a noun that Chinese leaves unmarked."""
    if noun.bare in ("many", "pair"):
        return noun.plural, "pl"
    return noun.en, "3s"


def possessed(d: Derivation, noun: Noun, adjective: float = 0.0) -> NounPhrase:
    """我的书: my book; my apples and my shoes, for nouns that come in numbers."""
    owner = possessor(d)
    # Two 的 in a row are clumsy: 他的好吃的饺子.
    extra = attribute(d, noun, adjective, short=True)
    form, agreement = _bare_number(noun)
    side = d.link(noun.zh, form)
    zh = words(owner.zh, "的", extra.zh, side.zh)
    return plain(zh, words(owner.en, extra.en, side.en), agreement, noun.key)


def definite(d: Derivation, noun: Noun) -> NounPhrase:
    """书 as something known: the book."""
    form, agreement = _bare_number(noun)
    side = d.link(noun.zh, form)
    en = side.en if noun.bare == "name" else words("the", side.en)
    return plain(side.zh, en, agreement, noun.key)


def indefinite(d: Derivation, noun: Noun, adjective: float = 0.0) -> NounPhrase:
    """书 as something new: a book; apples, tea, the door, Chinese."""
    form, agreement = _bare_number(noun)
    extra = attribute(d, noun, adjective)
    side = d.link(noun.zh, form)
    lead = {"one": "a", "the": "the"}.get(noun.bare, "")
    return plain(words(extra.zh, side.zh), words(lead, extra.en, side.en), agreement, noun.key)


def generic(d: Derivation, noun: Noun) -> NounPhrase:
    """书 in general: books; tea, the door, Chinese."""
    form = noun.plural if noun.bare in ("one", "many", "pair") else noun.en
    side = d.link(noun.zh, form)
    return plain(side.zh, words("the" if noun.bare == "the" else "", side.en), "pl", noun.key)


def known(d: Derivation, noun: Noun, *, bare: bool = True, adjective: float = 0.0) -> NounPhrase:
    """Something definite: this book, those books, my book, or (if `bare`) the book."""
    measured = noun.measures[0][0] != "-"
    dice = d.generator.random()
    if measured and (dice < 0.45 or "film" in noun.kinds):
        return demonstrative(d, noun, many=dice < 0.1, adjective=adjective)
    if noun.bare == "name" or (noun.bare == "the" and bare):
        return definite(d, noun)
    if "person" in noun.kinds and "relation" not in noun.kinds:
        return demonstrative(d, noun) if not bare or d.chance(0.5) else definite(d, noun)
    if "animal" in noun.kinds and "pet" not in noun.kinds and not bare:
        return demonstrative(d, noun, adjective=adjective)
    if bare and dice > 0.75 and "relation" not in noun.kinds:
        return definite(d, noun)
    return possessed(d, noun, adjective)
