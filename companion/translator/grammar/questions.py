"""Questions: 吗, A-not-A, and question words, which Chinese leaves where the answer would be."""

from companion.translator.grammar import nouns, people, places, verbs
from companion.translator.grammar.clauses import (
    FUTURE,
    GOING,
    PAST,
    PRESENT,
    PROGRESSIVE,
    WANT,
    Clause,
    Extras,
    ask,
    copula,
    predicate,
    question,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, Words, words
from companion.translator.grammar.descriptions import adjective, identity
from companion.translator.grammar.existence import OWNED, location, spot
from companion.translator.grammar.lexicon import Noun, Verb, of_kind, read_verbs
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    another,
    demonstrative,
    generic,
    indefinite,
    known,
    plain,
    pronoun,
    someone,
    who,
)
from companion.translator.grammar.statements import (
    ACTIONS,
    DIET,
    USES,
    experiential,
    future,
    perfective,
    progressive,
    skill,
    stative,
    when,
    wish,
)
from companion.translator.grammar.time_words import SHORT_FUTURE, SHORT_PAST


def asked(d: Derivation) -> NounPhrase:
    """Of whom one asks: oftener you than I."""
    if d.chance(0.35) and not d.wanted:
        return pronoun(d, "你")
    return someone(d, lambda phrase: phrase.head != "我")


@part("yes_no")
def yes_no(d: Derivation) -> Linked:
    """你喜欢茶吗？"""
    clause = d.choose(QUESTIONED)(d, asked(d))
    plain_degree = any(word.text in ("很", "真", "有点", "非常") for word in clause.zh)
    if plain_degree:
        # One asks 你忙吗, with no degree: 你很忙吗 asks whether it is very.
        clause = _without_degree(clause)
    return question(clause)


def _without_degree(clause: Clause) -> Clause:
    dropped = {word.link for word in clause.zh if word.text in ("很", "真", "有点", "非常")}
    degrees = ("very", "really", "a", "little")

    def keep(en: Words) -> Words:
        return tuple(w for w in en if not (w.link in dropped and w.text in degrees))

    return clause._replace(
        zh=tuple(w for w in clause.zh if w.text not in ("很", "真", "有点", "非常")),
        statement=keep(clause.statement),
        remainder=keep(clause.remainder),
    )


@part("a_not_a")
def a_not_a(d: Derivation) -> Linked:
    """你是不是医生？ 你喜不喜欢茶？ 你有没有车？: the verb, and the verb denied."""
    subject = asked(d)
    mark = d.mark()
    while True:
        clause = d.choose((identity, stative, skill, wish, owning, future))(d, subject)
        # 也 and 不 do not go with this form.
        texts = {word.text for word in clause.zh}
        if texts & FORKED and not texts & {"不", "也", "都", "没有"}:
            break
        d.rewind(mark)
    index = next(i for i, word in enumerate(clause.zh) if word.text in FORKED)
    word = clause.zh[index]
    denial = "没" if word.text == "有" else "不"
    fork = words(f"{word.text[0]} {denial} {word.text}", link=word.link)
    zh = words(subject.zh, clause.zh[:index], fork, clause.zh[index + 1 :])
    return ask(zh, (), clause)


@part("owning")
def owning(d: Derivation, subject: NounPhrase) -> Clause:
    """你有车吗？: in a question the thing stands bare."""
    if d.chance(0.35) and not d.wanted:
        person = d.pick(people.COUNTED_RELATIVES, "object")
        side = d.link(person.key, person.en)
        return predicate(d, subject, verbs.HAVE, PRESENT, Linked(side.zh, words("a", side.en)))
    noun = d.pick(OWNED, "object")
    return predicate(d, subject, verbs.HAVE, PRESENT, indefinite(d, noun))


FORKED = frozenset(["是", "喜欢", "会", "想", "有", "认识"])


def something(d: Derivation, zh: str, en: str) -> NounPhrase:
    """A question word as a noun phrase."""
    return plain(*d.link(zh, en), head=zh)


QUESTIONED = (
    perfective,
    experiential,
    progressive,
    stative,
    wish,
    skill,
    future,
    identity,
    adjective,
    location,
    owning,
)


@part("who")
def who_question(d: Derivation) -> Linked:
    """谁打破了杯子？ 你喜欢谁？: who is first in English, wherever 谁 stands."""
    if d.chance(0.6):
        subject = something(d, "谁", "who")
        clause = d.choose((perfective, skill, stative, experiential, wish, progressive))(d, subject)
        en = words(subject.en, clause.statement, clause.tail)
        return Linked(words(subject.zh, clause.zh, "？"), words(en, "?"))
    subject, target = asked(d), something(d, "谁", "who")
    if d.chance(0.3):
        be = d.new_link()
        clause = copula(d, subject, words(words("是", link=be), target.zh), (), be=be)
        return ask(words(subject.zh, clause.zh), target.en, clause)
    verb, tense = d.choose(PERSON_VERBS)
    clause = predicate(d, subject, verb, tense, Linked(target.zh, ()))
    return ask(words(subject.zh, clause.zh), target.en, clause)


def _verb(pool: tuple[Verb, ...], key: str) -> Verb:
    return next(verb for verb in pool if verb.key == key)


PERSON_VERBS = (
    (_verb(verbs.STATIVE, "喜欢"), PRESENT),
    (_verb(verbs.STATIVE, "相信"), PRESENT),
    (_verb(verbs.TRANSITIVE, "等"), PROGRESSIVE),
    (_verb(verbs.TRANSITIVE, "帮助"), PAST),
    (_verb(verbs.TRANSITIVE, "遇见"), PAST),
    (_verb(verbs.TRANSITIVE, "看见"), PAST),
    (_verb(verbs.TRANSITIVE, "邀请"), PAST),
    (_verb(verbs.TRANSITIVE, "邀请"), WANT),
)


@part("what")
def what_question(d: Derivation) -> Linked:
    """你买了什么？: what did you buy?"""
    subject, target = asked(d), something(d, "什么", "what")
    if d.chance(0.12):
        pointer = plain(*d.link(*d.choose((("这", "this"), ("那", "that")))), head="这")
        be = d.new_link()
        clause = copula(d, pointer, words(words("是", link=be), target.zh), (), be=be)
        return ask(words(pointer.zh, clause.zh), target.en, clause)
    letter, tense, times = d.choose(
        (
            ("l", PAST, SHORT_PAST),
            ("z", PROGRESSIVE, ()),
            ("w", WANT, ()),
            ("w", GOING, SHORT_FUTURE),
        )
    )
    pool = WHAT_VERBS[letter]
    verb = DOING if d.chance(0.2) else d.pick(pool)
    extras = Extras(time=when(d, times, 0.5)) if times else Extras()
    clause = predicate(d, subject, verb, tense, Linked(target.zh, ()), extras)
    return ask(words(subject.zh, clause.zh), target.en, clause)


DOING = read_verbs("做 | do/did/done || lzw")[0]
SUBSTANTIAL = frozenset({"吃", "喝", "看", "听", "写", "买", "卖", "画/draw", "翻译", "看见", "学"})
WHAT_VERBS = {
    letter: tuple(verb for verb in USES[letter] if verb.key in SUBSTANTIAL) for letter in "lzw"
}


@part("where")
def where_question(d: Derivation) -> Linked:
    """你去哪里？ 图书馆在哪里？: where."""
    target = something(d, "哪里", "where")
    dice = d.generator.random()
    if dice < 0.4:
        subject = _sought(d)
        be = d.new_link()
        clause = copula(d, subject, words(words("在", link=be), target.zh), (), be=be)
    elif dice < 0.75:
        tense, times = d.choose(((PAST, SHORT_PAST), (WANT, ()), (GOING, SHORT_FUTURE)))
        subject = asked(d)
        extras = Extras(time=when(d, times, 0.6)) if times else Extras()
        clause = predicate(d, subject, verbs.GO, tense, Linked(target.zh, ()), extras)
    else:
        subject = asked(d)
        verb = d.choose(
            (verbs.LIVE, _verb(verbs.INTRANSITIVE, "工作"), _verb(verbs.INTRANSITIVE, "学习"))
        )
        if verb is verbs.LIVE:
            clause = predicate(d, subject, verb, PRESENT, Linked(words("在", target.zh), ()))
        else:
            place = Linked(words("在", target.zh), ())
            clause = predicate(d, subject, verb, PRESENT, None, Extras(place=place))
    return ask(words(subject.zh, clause.zh), target.en, clause)


def _sought(d: Derivation) -> NounPhrase:
    """What one looks for: a place, a thing of mine, somebody."""
    dice = d.generator.random()
    if dice < 0.3:
        place = d.pick(places.BUILDINGS, "subject")
        return plain(*d.link(place.key, place.the), head=place.key)
    return known(d, d.pick(LOST, "subject")) if dice < 0.7 else asked(d)


LOST = tuple(
    noun for noun in of_kind(nouns.NOUNS, "portable", "pet", "vehicle") if not noun.exposures
)


@part("when")
def when_question(d: Derivation) -> Linked:
    """你什么时候去学校？: when will you go to school?"""
    subject, target = asked(d), d.link("什么时候", "when")
    place = d.pick((*places.DESTINATIONS, *places.TOWNS), "place")
    tense = d.choose((GOING, FUTURE))
    ground = d.link(place.key, place.to)
    verb: Verb = verbs.GO
    complement: Linked | None = ground
    if d.chance(0.4):
        verb, complement = d.pick(TIMELY), None
    clause = predicate(d, subject, verb, tense, complement, Extras(time=Linked(target.zh, ())))
    return ask(words(subject.zh, clause.zh), target.en, clause)


TIMELY = tuple(
    v for v in ACTIONS["w"] if v.key in ("来", "走", "回家", "出去", "结婚", "搬家", "旅行", "开会")
)


@part("why")
def why_question(d: Derivation) -> Linked:
    """你为什么没来？: why."""
    subject, target = asked(d), d.link("为什么", "why")
    clause = _puzzling(d, subject)
    return ask(words(subject.zh, target.zh, clause.zh), target.en, clause)


def _puzzling(d: Derivation, subject: NounPhrase) -> Clause:
    """Something of which one asks the reason."""
    dice = d.generator.random()
    if dice < 0.3:
        verb = d.pick(ACTIONS["n"])
        return predicate(d, subject, verb, PAST, None, negative=True)
    if dice < 0.5:
        return wish(d, subject)
    if dice < 0.75:
        return stative(d, subject, negative=d.chance(0.5))
    return perfective(d, subject, 0.0)


@part("how")
def how_question(d: Derivation) -> Linked:
    """你怎么去学校？: how does one get there."""
    subject, target = asked(d), d.link("怎么", "how")
    place = d.pick((*places.DESTINATIONS, *places.TOWNS), "place")
    tense = d.choose((PRESENT, GOING))
    times = SHORT_FUTURE if tense is GOING else ()
    extras = Extras(adverb=Linked(target.zh, ()), time=when(d, times, 1.0) if times else NOTHING)
    if tense is GOING:
        tense = GOING._replace(before="")
    ground = d.link(place.key, place.to)
    clause = predicate(d, subject, verbs.GO, tense, ground, extras)
    return ask(words(subject.zh, clause.zh), target.en, clause)


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
    (_verb(verbs.TRANSITIVE, "买"), PAST, _countable(verbs.OBJECTS["买"])),
    (_verb(verbs.TRANSITIVE, "吃"), PAST, _countable(verbs.OBJECTS["吃"])),
    (_verb(verbs.TRANSITIVE, "写"), PAST, _countable(verbs.OBJECTS["写"])),
    (_verb(verbs.TRANSITIVE, "唱"), PAST, _countable(verbs.OBJECTS["唱"])),
    (_verb(verbs.TRANSITIVE, "画/draw"), PAST, _countable(verbs.OBJECTS["画/draw"])),
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
    (_verb(verbs.STATIVE, "喜欢"), PRESENT, _LIKED),
    (_verb(verbs.STATIVE, "喜欢"), PRESENT, _LIKED),
    (_verb(verbs.TRANSITIVE, "买"), PAST, tuple(n for n in _LIKED if n in verbs.OBJECTS["买"])),
    (_verb(verbs.TRANSITIVE, "买"), WANT, tuple(n for n in _LIKED if n in verbs.OBJECTS["买"])),
    (_verb(verbs.TRANSITIVE, "看"), PAST, verbs.OBJECTS["看"]),
    (_verb(verbs.TRANSITIVE, "借"), WANT, tuple(n for n in verbs.OBJECTS["借"])),
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
        subject = who(d)
        old = d.link("多大", "how old")
        clause = copula(d, subject, old.zh, ())
        year = words("今年") if d.chance(0.3) else ()
        return ask(words(subject.zh, year, clause.zh), old.en, clause)
    noun = d.pick(nouns_with_price(), "subject")
    subject = demonstrative(d, noun)
    cost = d.link("多少钱", "how much cost")
    en = words(cost.en[:2], "does", subject.en, cost.en[2:], "?")
    return Linked(words(subject.zh, cost.zh, "？"), en)


def nouns_with_price() -> tuple[Noun, ...]:
    return _PRICED


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
