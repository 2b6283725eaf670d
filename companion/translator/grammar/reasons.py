"""Two clauses that make sense together: because, although, if, when, before and after."""

from typing import NamedTuple

from companion.translator.grammar import adjectives, nouns, verbs
from companion.translator.grammar.actions import action, adverb, when
from companion.translator.grammar.clauses import (
    ABLE,
    PAST,
    PRESENT,
    WANT,
    WAS_DOING,
    Clause,
    Extras,
    Tense,
    predicate,
    statement,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, words
from companion.translator.grammar.descriptions import describe
from companion.translator.grammar.lexicon import Verb, keys, of_kind
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    again,
    demonstrative,
    other,
    quantity,
    who,
)
from companion.translator.grammar.people import PRONOUN
from companion.translator.grammar.places import DESTINATIONS, TOWNS
from companion.translator.grammar.time_words import FREQUENCY, SHORT_FUTURE

BY_NAME = {verb.key: verb for verb in verbs.INTRANSITIVE}
TIRED = ("累", "困", "忙")
LEISURE = tuple(
    BY_NAME[key] for key in keys("跳舞 游泳 跑步 散步 踢足球 打篮球 出去 做饭 聊天 唱歌")
)
REST = tuple(BY_NAME[key] for key in ("休息", "睡觉", "回家"))
EAT, DRINK, BUY = (next(v for v in verbs.TRANSITIVE if v.key == key) for key in ("吃", "喝", "买"))
COSTLY = of_kind(nouns.NOUNS, "gadget", "vehicle", "clothes", "hat", "furniture")
WILL = Tense("modal", modal="will")


def _be(d: Derivation, subject: NounPhrase, key: str, *, past: bool) -> Clause:
    """Subject and a given adjective with 很."""
    adjective = adjectives.BY_KEY[key]
    d.atoms.append(key)
    return describe(d, subject, adjective, past=past, plainly=True)


def _rain(d: Derivation, tense: str) -> Linked:
    """下雨了, it rained; in a condition 明天下雨, it rains tomorrow."""
    zh, base = d.choose((("下雨", "rain"), ("下雪", "snow")))
    link = d.new_link()
    if tense == "past":
        en = words("it", words(base + "ed", link=link))
        return Linked(words(words(zh, link=link), "了"), en)
    time = when(d, SHORT_FUTURE[:2], 1.0)
    en = words("it", words(base + "s", link=link), time.en)
    return Linked(words(time.zh, words(zh, link=link)), en)


def _go(d: Derivation, subject: NounPhrase, tense: Tense, *, negative: bool = False) -> Clause:
    outdoors = tuple(p for p in DESTINATIONS if "outdoors" in p.kinds or "nature" in p.kinds)
    place = d.pick(outdoors if d.chance(0.3) else DESTINATIONS, "place")
    return predicate(d, subject, verbs.GO, tense, d.link(place.key, place.to), negative=negative)


class _Reason(NamedTuple):
    """A cause and its effect; `named`: the cause names somebody whom the effect calls he or she."""

    cause: Linked
    effect: Clause
    named: bool = False


def _reason(d: Derivation) -> _Reason:
    dice = d.generator.random()
    subject = who(d)
    named = subject.head not in PRONOUN
    if dice < 0.15:
        return _Reason(_rain(d, "past"), _absence(d, subject))
    if dice < 0.35:
        cause = statement(_be(d, subject, d.choose(TIRED), past=True))
        return _Reason(cause, _absence(d, again(d, subject)), named)
    if dice < 0.6:
        cause = statement(_be(d, subject, d.choose(TIRED), past=False))
        return _Reason(cause, _reluctance(d, again(d, subject)), named)
    if dice < 0.75:
        return _Reason(*_appetite(d, subject), named)
    if dice < 0.87:
        return _Reason(*_too_expensive(d, subject))
    key, verb = d.choose((("难过", "哭"), ("高兴", "笑"), ("生气", "走")))
    cause = statement(_be(d, subject, key, past=True))
    return _Reason(cause, predicate(d, again(d, subject), BY_NAME[verb], PAST), named)


def _absence(d: Derivation, subject: NounPhrase) -> Clause:
    if d.chance(0.5):
        return _go(d, subject, PAST, negative=True)
    return predicate(
        d, subject, BY_NAME[d.choose(("来", "出去", "跑步", "做饭"))], PAST, negative=True
    )


def _reluctance(d: Derivation, subject: NounPhrase) -> Clause:
    dice = d.generator.random()
    if dice < 0.4:
        return predicate(d, subject, d.pick(LEISURE), WANT, negative=True)
    if dice < 0.7:
        return predicate(d, subject, d.pick(REST), WANT)
    return _go(d, subject, d.choose((ABLE, WANT)), negative=True)


def _appetite(d: Derivation, subject: NounPhrase) -> tuple[Linked, Clause]:
    """He was hungry, so he ate something."""
    key, verb = d.choose((("饿", EAT), ("渴", DRINK)))
    noun = d.pick(verbs.OBJECTS[verb.key], "object")
    past = d.chance(0.5)
    cause = statement(_be(d, subject, key, past=past))
    amount = quantity(d, noun, 1 + d.below(3), adjective=0.0)
    if past:
        return cause, predicate(d, again(d, subject), verb, PAST, amount)
    return cause, predicate(d, again(d, subject), verb, WANT, amount)


def _too_expensive(d: Derivation, subject: NounPhrase) -> tuple[Linked, Clause]:
    """The price decides; 没买 has no object, did not buy it needs one."""
    noun = d.pick(COSTLY, "subject")
    thing = demonstrative(d, noun)
    cause = statement(_be(d, thing, "贵", past=True))
    it = Linked((), words("it"))
    return cause, predicate(d, subject, BUY, PAST, it, negative=True)


def joined(d: Derivation, zh: tuple[str, str], en: str, first: Linked, second: Linked) -> Linked:
    """`因为 A，所以 B` and `because A, B`: two Chinese conjunctions for one in English."""
    link = d.new_link()
    return Linked(
        words(words(zh[0], link=link), first.zh, "，", words(zh[1], link=link), second.zh),
        words(words(en, link=link), first.en, ",", second.en),
    )


@part("because")
def because(d: Derivation) -> Linked:
    """因为下雨了，所以他没来; or the effect first: 他没来，因为下雨了."""
    with d.inside():
        cause, effect, named = _reason(d)
    result = statement(effect)
    # Whoever is in both clauses is named in the first: not 他没来，因为大卫很累.
    if named or d.chance(0.6):
        return joined(d, ("因为", "所以"), "because", cause, result)
    why = d.link("因为", "because")
    return Linked(words(result.zh, "，", why.zh, cause.zh), words(result.en, why.en, cause.en))


CONTRASTS = (
    ("年轻", "有名"),
    ("年轻", "聪明"),
    ("害羞", "友好"),
    ("有钱", "努力"),
    ("累", "高兴"),
    ("矮", "勇敢"),
    ("有名", "害羞"),
    ("老", "努力"),
)


@part("although")
def although(d: Derivation) -> Linked:
    """虽然下雨了，但是他去了公园."""
    with d.inside():
        first, second = _contrast(d)
    return joined(d, ("虽然", "但是"), "although", first, second)


def _contrast(d: Derivation) -> tuple[Linked, Linked]:
    dice = d.generator.random()
    subject = who(d)
    if dice < 0.25:
        return _rain(d, "past"), statement(_go(d, subject, PAST))
    if dice < 0.5:
        left, right = d.choose(CONTRASTS)
        first = _be(d, subject, left, past=False)
        return statement(first), statement(_be(d, again(d, subject), right, past=False))
    if dice < 0.75:
        first = _be(d, subject, d.choose(TIRED), past=False)
        clause = predicate(d, again(d, subject), d.pick(LEISURE), WANT)
        return statement(first), statement(clause)
    noun = d.pick(COSTLY, "subject")
    thing = demonstrative(d, noun)
    first = _be(d, thing, "贵", past=True)
    it = words("them" if thing.agreement == "pl" else "it")
    buy = predicate(d, subject, BUY, PAST, Linked((), it))
    return statement(first), statement(buy)


@part("condition")
def condition(d: Derivation) -> Linked:
    """如果明天下雨，我就不去公园: if takes the present, the rest takes will."""
    with d.inside():
        first, second = _consequence(d)
    return joined(d, ("如果", ""), "if", first, second)


def _then(d: Derivation, subject: NounPhrase, verb: Verb, *, negative: bool = False) -> Linked:
    then = Extras(adverb=Linked(words("就"), ()))
    return statement(predicate(d, subject, verb, WILL, None, then, negative=negative))


def _consequence(d: Derivation) -> tuple[Linked, Linked]:
    dice = d.generator.random()
    subject = who(d)
    then = Extras(adverb=Linked(words("就"), ()))
    if dice < 0.3:
        place = d.pick(DESTINATIONS, "place")
        side = d.link(place.key, place.to)
        rain = _rain(d, "present")
        return rain, statement(predicate(d, subject, verbs.GO, WILL, side, then, negative=True))
    if dice < 0.55:
        state = _be(d, subject, d.choose(TIRED), past=False)
        return statement(state), _then(
            d, other(d, subject, "subject"), BY_NAME["来"], negative=True
        )
    if dice < 0.8:
        event, following = d.choose((("来", ("走", "出去", "回家")), ("走", ("回家", "睡觉"))))
        moves = predicate(d, subject, BY_NAME[event], PRESENT, negative=d.chance(0.4))
        next_act = BY_NAME[d.choose(following)]
        return statement(moves), _then(
            d, other(d, subject, "subject"), next_act, negative=d.chance(0.2)
        )
    means = predicate(d, subject, verbs.HAVE, PRESENT, d.link(*d.choose(MEANS)))
    place = d.pick(TOWNS, "place")
    side = d.link(place.key, place.to)
    plan = predicate(d, again(d, subject), verbs.GO, WILL, side, then)
    return statement(means), statement(plan)


MEANS = (("时间", "time"), ("钱", "money"))

ARRIVALS = tuple(
    (zh, en)
    for zh, en in (
        ("到家", "arrived home"),
        ("进来", "came in"),
        ("回家", "went home"),
        ("起床", "got up"),
        ("出去", "went out"),
        ("走", "left"),
    )
)


@part("when_clause")
def when_clause(d: Derivation) -> Linked:
    """我到家的时候，妈妈正在做饭: the conjunction is last in Chinese and first in English."""
    with d.inside():
        first = who(d)
        event = d.link(*d.choose(ARRIVALS))
        second = other(d, first, "subject")
        doing = action(d, second, "z", WAS_DOING, Extras(place=Linked((), ())))
    while_ = d.link("时候", "when")
    main = statement(doing)
    return Linked(
        words(first.zh, event.zh, "的", while_.zh, "，", main.zh),
        words(while_.en, first.en, event.en, ",", main.en),
    )


def _named(*keys: str) -> tuple[Verb, ...]:
    return tuple(BY_NAME[key] for key in keys)


LEISURELY = _named("看书", "上网", "休息", "聊天", "唱歌", "弹钢琴", "看电视", "散步", "洗澡")
SEQUENCES = (
    ("以前", "before", _named("睡觉"), LEISURELY),
    (
        "以前",
        "before",
        _named("吃饭", "工作", "出去", "学习", "做饭"),
        (*LEISURELY, BY_NAME["锻炼"]),
    ),
    ("以后", "after", _named("起床"), _named("洗澡", "看书", "跑步", "锻炼", "上网", "散步")),
    ("以后", "after", _named("吃饭", "工作", "跑步", "做饭", "学习", "锻炼"), LEISURELY),
)


@part("before_after")
def before_after(d: Derivation) -> Linked:
    """睡觉以前，他常常看书: before and after stand behind their clause in Chinese."""
    subject = who(d)
    zh_order, en_order, firsts, seconds = d.choose(SEQUENCES)
    order, first = d.link(zh_order, en_order), d.pick(firsts)
    second = d.pick(seconds)
    side = d.link(first.zh, first.forms.ing)
    main = statement(
        predicate(d, subject, second, PRESENT, None, Extras(adverb=adverb(d, FREQUENCY)))
    )
    return Linked(words(side.zh, order.zh, "，", main.zh), words(order.en, side.en, ",", main.en))
