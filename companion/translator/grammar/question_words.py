"""Questions with 谁, 什么, 哪里 …: Chinese leaves the word where the answer would be."""

from companion.translator.grammar import nouns, places, verbs
from companion.translator.grammar.actions import ACTIONS, USES, when
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
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, words
from companion.translator.grammar.lexicon import keys, of_kind, read_verbs
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    known,
    plain,
)
from companion.translator.grammar.questions import asked
from companion.translator.grammar.statements import (
    experiential,
    perfective,
    progressive,
    skill,
    stative,
    wish,
)
from companion.translator.grammar.time_words import SHORT_FUTURE, SHORT_PAST
from companion.translator.grammar.verbs import named


def something(d: Derivation, zh: str, en: str) -> NounPhrase:
    """A question word as a noun phrase."""
    return plain(*d.link(zh, en), head=zh)


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
        clause = copula(subject, words(words("是", link=be), target.zh), (), be=be)
        return ask(words(subject.zh, clause.zh), target.en, clause)
    verb, tense = d.choose(PERSON_VERBS)
    clause = predicate(d, subject, verb, tense, Linked(target.zh, ()))
    return ask(words(subject.zh, clause.zh), target.en, clause)


PERSON_VERBS = (
    (named(verbs.STATIVE, "喜欢"), PRESENT),
    (named(verbs.STATIVE, "相信"), PRESENT),
    (named(verbs.TRANSITIVE, "等"), PROGRESSIVE),
    (named(verbs.TRANSITIVE, "帮助"), PAST),
    (named(verbs.TRANSITIVE, "遇见"), PAST),
    (named(verbs.TRANSITIVE, "看见"), PAST),
    (named(verbs.TRANSITIVE, "邀请"), PAST),
    (named(verbs.TRANSITIVE, "邀请"), WANT),
)


@part("what")
def what_question(d: Derivation) -> Linked:
    """你买了什么？: what did you buy?"""
    target = something(d, "什么", "what")
    if d.chance(0.12):
        pointer = plain(*d.link(*d.choose((("这", "this"), ("那", "that")))), head="这")
        be = d.new_link()
        clause = copula(pointer, words(words("是", link=be), target.zh), (), be=be)
        return ask(words(pointer.zh, clause.zh), target.en, clause)
    subject = asked(d)
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
SUBSTANTIAL = frozenset(keys("吃 喝 看 听 写 买 卖 画/draw 翻译 看见 学"))
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
        clause = copula(subject, words(words("在", link=be), target.zh), (), be=be)
    elif dice < 0.75:
        tense, times = d.choose(((PAST, SHORT_PAST), (WANT, ()), (GOING, SHORT_FUTURE)))
        subject = asked(d)
        extras = Extras(time=when(d, times, 0.6)) if times else Extras()
        clause = predicate(d, subject, verbs.GO, tense, Linked(target.zh, ()), extras)
    else:
        subject = asked(d)
        verb = d.choose(
            (verbs.LIVE, named(verbs.INTRANSITIVE, "工作"), named(verbs.INTRANSITIVE, "学习"))
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
    tense, time = d.choose((GOING, FUTURE)), Extras(time=Linked(target.zh, ()))
    if d.chance(0.4):
        clause = predicate(d, subject, d.pick(TIMELY), tense, None, time)
    else:
        place = d.pick((*places.DESTINATIONS, *places.TOWNS), "place")
        ground = d.link(place.key, place.to)
        clause = predicate(d, subject, verbs.GO, tense, ground, time)
    return ask(words(subject.zh, clause.zh), target.en, clause)


TIMELY = tuple(v for v in ACTIONS["w"] if v.key in keys("来 走 回家 出去 结婚 搬家 旅行 开会"))


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
