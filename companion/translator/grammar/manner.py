"""How, by what means, with whom, and to what end."""

from companion.translator.grammar import verbs
from companion.translator.grammar.actions import count, when
from companion.translator.grammar.clauses import (
    GOING,
    PAST,
    PRESENT,
    WANT,
    Clause,
    Extras,
    predicate,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, words
from companion.translator.grammar.english import verb_forms
from companion.translator.grammar.lexicon import keys, rows
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    indefinite,
    other,
    quantity,
    who,
)
from companion.translator.grammar.places import DESTINATIONS, TOWNS, places
from companion.translator.grammar.time_words import HABIT, SHORT_FUTURE, SHORT_PAST

# The verb as it stands before 得, its English, and the adverbs that suit it.
DEGREES = tuple(
    (zh, verb_forms(en), adverbs.split())
    for zh, en, adverbs in rows("""
跑 | run/ran/run/running | 快 慢
走 | walk | 快 慢
唱 | sing/sang/sung | 好
跳 | dance | 好
游 | swim/swam/swum/swimming | 快 好 慢
开 | drive/drove/driven/driving | 快 慢 好
吃 | eat/ate/eaten | 快 慢 多
说 | speak/spoke/spoken | 快 慢 清楚
写 | write/wrote/written/writing | 快 慢 清楚
睡 | sleep/slept | 好
工作 | work | 努力 认真
学习 | study | 努力 认真
""")
)
ADVERBS = {
    "快": "fast",
    "慢": "slowly",
    "好": "well",
    "多": "a lot",
    "清楚": "clearly",
    "努力": "hard",
    "认真": "carefully",
}


@part("manner")
def manner(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他跑得很快: 得 and an adverb."""
    subject = subject or who(d)
    zh_verb, forms, adverbs = d.choose(DEGREES)
    adverb = d.choose(adverbs)
    d.atoms.extend((zh_verb, adverb))
    link = d.new_link()
    side = d.link(adverb, ADVERBS[adverb])
    negative = d.chance(0.25)
    if negative:
        no = d.link("不", "not")
        auxiliary = words("does" if subject.agreement == "3s" else "do", link=no.zh[0].link)
        rest = words(no.en, words(forms.base, link=link), side.en)
        zh = words(words(zh_verb, link=link), "得", no.zh, side.zh)
        return Clause(subject, zh, words(auxiliary, rest), auxiliary, rest)
    zh_degree, en_degree = d.choose((("很", ""), ("很", ""), ("非常", "very")))
    if adverb == "多":
        zh_degree, en_degree = "很", ""
    degree = d.link(zh_degree, en_degree)
    finite = forms.third if subject.agreement == "3s" else forms.base
    tail = words(degree.en, side.en)
    return Clause(
        subject,
        words(words(zh_verb, link=link), "得", degree.zh, side.zh),
        words(words(finite, link=link), tail),
        words("does" if subject.agreement == "3s" else "do"),
        words(words(forms.base, link=link), tail),
    )


VEHICLES = tuple(
    (zh, by, en)
    for zh, by, en in rows("""
坐 | 火车 | by train
坐 | 飞机 | by plane
坐 | 公共汽车 | by bus
坐 | 出租车 | by taxi
坐 | 地铁 | by subway
坐 | 船 | by boat
骑 | 自行车 | by bicycle
开 | 车 | by car
""")
)


@part("transport")
def transport(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他坐火车去北京: the means comes first in Chinese, last in English."""
    subject = subject or who(d)
    far = d.chance(0.4)
    place = d.pick(TOWNS if far else DESTINATIONS, "place")
    options = [0, 1, 5] if far else [2, 3, 4, 6, 7]
    zh_verb, vehicle, en = VEHICLES[d.choose(options)]
    d.atoms.append(vehicle)
    link = d.new_link()
    means = Linked(words(f"{zh_verb} {vehicle}", link=link), words(en, link=link))
    ground = d.link(place.key, place.to)
    tense, times = d.choose(
        ((PAST, SHORT_PAST), (GOING, SHORT_FUTURE), (WANT, ()), (PRESENT, HABIT))
    )
    if far and tense is PRESENT:
        tense, times = GOING, SHORT_FUTURE
    time = when(d, times, 0.8 if tense is not PAST else 0.5) if times else NOTHING
    extras = Extras(time=time, place=Linked(means.zh, means.en))
    return predicate(d, subject, verbs.GO, tense, ground, extras)


@part("company")
def company(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他跟我一起去学校: with me, after the verb in English."""
    subject = subject or who(d)
    companion = other(d, subject, "companion")
    with_ = d.link("跟", "with")
    side = Linked(words(with_.zh, companion.zh, "一起"), words(with_.en, companion.objective))
    tense, times = d.choose(
        ((PAST, SHORT_PAST), (GOING, SHORT_FUTURE), (WANT, ()), (PRESENT, HABIT))
    )
    time = when(d, times, 0.8 if tense is not PAST else 0.5) if times else NOTHING
    extras = Extras(time=time, place=side)
    if d.chance(0.6):
        place = d.pick(DESTINATIONS, "place")
        return predicate(d, subject, verbs.GO, tense, d.link(place.key, place.to), extras)
    if tense is PAST:
        verb = d.pick(TOGETHER_PAST)
        noun = d.pick(verbs.OBJECTS[verb.key], "object")
        return predicate(d, subject, verb, tense, quantity(d, noun, count(d, noun)), extras)
    return predicate(d, subject, d.pick(TOGETHER), tense, None, extras)


TOGETHER = tuple(
    verb
    for verb in verbs.INTRANSITIVE
    if verb.key in keys("吃饭 做饭 唱歌 跳舞 游泳 跑步 散步 锻炼 聊天 踢足球 打篮球 学习")
)
TOGETHER_PAST = tuple(verb for verb in verbs.TRANSITIVE if verb.key in ("看", "唱", "做"))

ERRANDS = (
    ("shop", "买", ("food", "drink", "gift", "clothes")),
    ("study", "借", ("book",)),
    ("eat", "吃", ("dish",)),
    ("walk", "散步", ()),
    ("exercise", "跑步", ()),
    ("exercise", "踢足球", ()),
    ("study", "学习", ()),
    ("study", "看书", ()),
    ("eat", "吃饭", ()),
)


@part("purpose")
def purpose(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他想去商店买苹果: two verbs in a row, the second with to."""
    subject = subject or who(d)
    kind, key, kinds = d.choose(ERRANDS)
    spots = tuple(p for p in places(kind) if p in DESTINATIONS)
    if key == "借":
        spots = places("visit")[:0] or tuple(p for p in DESTINATIONS if p.key == "图书馆")
    place = d.pick(spots, "place")
    pool = verbs.TRANSITIVE if kinds else verbs.INTRANSITIVE
    verb = next(verb for verb in pool if verb.key == key)
    link = d.new_link()
    d.atoms.append(verb.key)
    target = NOTHING
    if kinds:
        noun = d.pick(tuple(n for n in verbs.OBJECTS[key] if set(kinds) & set(n.kinds)), "object")
        phrase = indefinite(d, noun) if d.chance(0.6) else quantity(d, noun, count(d, noun))
        target = Linked(phrase.zh, phrase.en)
    ground = d.link(place.key, place.to)
    both = Linked(
        words(ground.zh, words(verb.zh, link=link), target.zh),
        words(ground.en, "to", words(verb.forms.base, link=link), target.en),
    )
    tense, times = d.choose(((GOING, SHORT_FUTURE), (WANT, ()), (WANT, ())))
    extras = Extras(time=when(d, times, 0.8) if times else NOTHING)
    return predicate(d, subject, verbs.GO, tense, both, extras)
