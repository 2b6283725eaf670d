"""How, how long, how often, by what means, with whom, and to what end."""

from companion.translator.grammar import nouns, verbs
from companion.translator.grammar.clauses import (
    GOING,
    PAST,
    PERFECT,
    PRESENT,
    WANT,
    Clause,
    Extras,
    predicate,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, words
from companion.translator.grammar.english import chinese_number, number, plural, verb_forms
from companion.translator.grammar.lexicon import rows
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    indefinite,
    known,
    other,
    quantity,
    who,
)
from companion.translator.grammar.places import DESTINATIONS, TOWNS, places
from companion.translator.grammar.statements import USES, count, when
from companion.translator.grammar.time_words import HABIT, SHORT_FUTURE, SHORT_PAST, SPANS

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


# Verb, its object in Chinese, English, and the spans (indices of SPANS) that one does it for.
LASTING = tuple(
    (zh, thing, verb_forms(en), tuple(int(index) for index in spans.split()))
    for zh, thing, en, spans in rows("""
学 | 汉语 | study | 1 2 3
学 | 英语 | study | 1 2 3
学 | 法语 | study | 1 2 3
学 | 日语 | study | 1 2 3
等 | - | wait | 4 5
睡 | - | sleep/slept | 4
休息 | - | rest | 0 4 5
工作 | - | work | 0 2 3 4
看 | 书 | read/read/read | 4
看 | 电视 | watch TV | 4
开 | 车 | drive/drove/driven | 4
跑 | 步 | run/ran/run | 4 5
""")
)


def span(d: Derivation, index: int) -> Linked:
    """三天, 两个星期: three days, two weeks."""
    zh, en, measure, most = SPANS[index]
    value = 1 + d.below(most)
    if zh == "分钟":
        value = 10 * (1 + d.below(5))
    numeral = "两" if value == 2 else chinese_number(value)
    # one hour, not "a hour" or "an day": a span of one is counted like the others.
    count_side, unit = d.link(numeral, number(value)), d.link(zh, en if value == 1 else plural(en))
    return Linked(words(count_side.zh, measure, unit.zh), words(count_side.en, unit.en))


@part("duration")
def duration(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他学了三年汉语: the time stands between verb and object."""
    subject = subject or who(d)
    zh_verb, thing, forms, spans = d.choose(LASTING)
    length = span(d, d.choose(spans))
    link = d.new_link()
    d.atoms.append(zh_verb)
    object_side = NOTHING
    if thing in nouns.BY_KEY and nouns.BY_KEY[thing].bare == "name":
        object_side = d.link(thing, nouns.BY_KEY[thing].en)
    elif thing != "-":
        object_side = Linked(words(thing, link=link), ())
    zh = words(words(zh_verb, link=link), "了", length.zh, object_side.zh)
    rest = words(object_side.en, "for", length.en)
    past, base = words(forms.past, link=link), words(forms.base, link=link)
    return Clause(subject, zh, words(past, rest), words("did"), words(base, rest))


@part("frequency")
def frequency(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """我去过北京三次: how many times."""
    subject = subject or who(d)
    value = 1 + d.below(8)
    times = {1: "once", 2: "twice"}.get(value, f"{number(value)} times")
    if value > 2:
        count_side, unit = d.link(chinese_number(value), number(value)), d.link("次", "times")
        often = Linked(words(count_side.zh, unit.zh), words(count_side.en, unit.en))
    else:
        link = d.new_link()
        often = Linked(
            words("两" if value == 2 else "一", "次", link=link), words(times, link=link)
        )
    place = d.pick((*TOWNS, *places("visit")), "place")
    ground = d.link(place.key, place.to)
    both = Linked(words(ground.zh, often.zh), words(ground.en, often.en))
    return predicate(d, subject, verbs.GO_BEEN, PERFECT, both)


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
    if verb.key
    in [
        "吃饭",
        "做饭",
        "唱歌",
        "跳舞",
        "游泳",
        "跑步",
        "散步",
        "锻炼",
        "聊天",
        "踢足球",
        "打篮球",
        "学习",
    ]
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


@part("already")
def already(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他已经走了, 他还没走: already, not yet."""
    subject = subject or who(d)
    if d.chance(0.5):
        yet = Linked(words("还"), words("yet"))
        yet = d.link("还", "yet")
        clause = _perfect(d, subject, "n", negative=True)
        return clause._replace(zh=words(yet.zh, clause.zh), tail=yet.en)
    adverb = d.link("已经", "already")
    return _perfect(d, subject, "l", adverb=adverb)


def _perfect(
    d: Derivation,
    subject: NounPhrase,
    letter: str,
    *,
    negative: bool = False,
    adverb: Linked = NOTHING,
) -> Clause:
    """A clause whose English is the perfect while the Chinese has 了, or 没 when denied."""
    if d.chance(0.5) and not d.wanted:
        verb, target = d.pick(FINISHED), None
    else:
        verb = d.pick(tuple(v for v in USES[letter] if v.key in DONE_ALREADY))
        noun = d.pick(verbs.OBJECTS[verb.key], "object")
        target = known(d, noun, bare=False)
    extras = Extras(adverb=adverb)
    tense = PERFECT._replace(after="" if negative else "了")
    clause = predicate(d, subject, verb, tense, target, extras, negative=negative)
    if not negative:
        return clause
    swap = {"never": "not"}

    def not_never(en: tuple) -> tuple:
        return tuple(w._replace(text=swap.get(w.text, w.text)) for w in en)

    return clause._replace(
        statement=not_never(clause.statement), remainder=not_never(clause.remainder)
    )


FINISHED = tuple(
    verb
    for verb in verbs.INTRANSITIVE
    if verb.key in ["走", "出去", "回家", "起床", "结婚", "毕业"]
)
DONE_ALREADY = frozenset(["买", "卖", "洗", "修", "看", "看/读", "找到", "打扫", "翻译", "回答"])
