"""Other arrangements: topics, time in front, the clock, 着 and 和."""

from collections.abc import Callable

from companion.translator.grammar import nouns, verbs
from companion.translator.grammar.actions import ACTIONS, USES, count
from companion.translator.grammar.calendar_and_weather import date_words
from companion.translator.grammar.clauses import (
    FUTURE,
    GOING,
    PAST,
    PERFECT,
    PRESENT,
    Clause,
    Extras,
    copula,
    predicate,
    statement,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, words
from companion.translator.grammar.descriptions import past_state
from companion.translator.grammar.english import chinese_number, number
from companion.translator.grammar.lexicon import Noun, keys, of_kind, read_verbs
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    demonstrative,
    generic,
    known,
    quantity,
    someone,
    who,
)
from companion.translator.grammar.places import DESTINATIONS, TOWNS
from companion.translator.grammar.statements import future, habitual, negated_past, perfective

TOPICAL = (
    (PERFECT, "g", False),
    (PERFECT, "g", True),
    (PAST, "n", True),
    (PRESENT, "s", False),
    (PRESENT, "s", True),
)


@part("topic")
def topic(d: Derivation) -> Linked:
    """那本书我看过: the object in front, as what the talk is about."""
    subject = who(d)
    tense, letter, negative = d.choose(TOPICAL)
    if letter == "s":
        verb = verbs.STATIVE[0]
        pool = tuple(n for n in verbs.OBJECTS[verb.key] if n.measures[0][0] != "-")
    else:
        verb = d.pick(tuple(v for v in USES[letter] if v.key in TOPIC_VERBS))
        pool = tuple(n for n in verbs.OBJECTS[verb.key] if n.measures[0][0] != "-")
    noun = d.pick(pool, "object")
    thing = demonstrative(d, noun) if d.chance(0.7) else known(d, noun, bare=False)
    clause = predicate(d, subject, verb, tense, Linked((), thing.objective), negative=negative)
    sentence = statement(clause)
    return Linked(words(thing.zh, sentence.zh), sentence.en)


TOPIC_VERBS = frozenset(keys("吃 看 看/读 听 唱 洗 修 用 翻译 读 做"))


@part("time_front")
def time_front(d: Derivation) -> Linked:
    """昨天他买了一本书: a time in front of the subject stays in front in English."""
    clause = d.choose(TIMED)(d)
    size = clause.timed
    front = Linked(clause.zh[:size], clause.tail)
    return statement(clause._replace(zh=clause.zh[size:], tail=(), front=front))


def _dated(d: Derivation) -> Clause:
    """三月五号 as the time of a plan."""
    subject = who(d)
    date = date_words(d)
    day = Linked(date.zh, words(words("on", link=date.en[0].link), date.en))
    tense = d.choose((FUTURE, GOING))
    extras = Extras(time=day)
    if d.chance(0.3):
        return predicate(d, subject, d.pick(EVENTS), tense, None, extras)
    place = d.pick(TOWNS, "place")
    return predicate(d, subject, verbs.GO, tense, d.link(place.key, place.to), extras)


EVENTS = tuple(verb for verb in ACTIONS["w"] if verb.key in ("来", "走", "结婚", "搬家", "旅行"))


TIMED: tuple[Callable[[Derivation], Clause], ...] = (
    lambda d: perfective(d, time=1.0),
    lambda d: negated_past(d, time=1.0),
    lambda d: habitual(d, timed=True),
    future,
    past_state,
    _dated,
)


BED = read_verbs("睡觉 | go/went/gone to bed || h")[0]
BY_NAME = {verb.key: verb for verb in verbs.INTRANSITIVE}
MORNING, AFTERNOON, EVENING = (
    ("早上", "in the morning", (6, 7, 8, 9, 10)),
    ("下午", "in the afternoon", (1, 2, 3, 4, 5)),
    ("晚上", "in the evening", (6, 7, 8, 9)),
)
NIGHT = ("晚上", "at night", (10, 11))
# What one does by the clock, the uses (as in `lexicon.Verb`), and the parts of the day for it.
BY_CLOCK = (
    (BY_NAME["起床"], "hl", (MORNING,)),
    (BED, "h", (NIGHT,)),
    (BY_NAME["回家"], "hlw", (AFTERNOON, EVENING)),
    (BY_NAME["出去"], "hlw", (MORNING, AFTERNOON, EVENING)),
    (BY_NAME["来"], "lw", (MORNING, AFTERNOON, EVENING)),
    (BY_NAME["走"], "lw", (MORNING, AFTERNOON, EVENING)),
    (BY_NAME["锻炼"], "hw", (MORNING, AFTERNOON)),
    (BY_NAME["开会"], "hw", (MORNING, AFTERNOON)),
    (verbs.GO, "hlw", (MORNING, AFTERNOON)),
    (verbs.GO, "hlw", (MORNING, AFTERNOON)),
)


def clock_time(d: Derivation, parts: tuple[tuple[str, str, tuple[int, ...]], ...]) -> Linked:
    """三点半: at half past three; 下午三点: at three o'clock in the afternoon."""
    zh_part, en_part, hours = d.choose(parts)
    hour = d.choose(hours)
    zh_hour = "两" if hour == 2 else chinese_number(hour)
    hour_side = d.link(zh_hour, number(hour))
    if d.chance(0.35):
        half = d.link("半", "half past")
        zh, en = words(hour_side.zh, "点", half.zh), words("at", half.en, hour_side.en)
    else:
        oclock = d.link("点", "o'clock")
        zh = words(hour_side.zh, oclock.zh)
        en = words("at", hour_side.en, oclock.en)
    if d.chance(0.5):
        return Linked(zh, en)
    day_part = d.link(zh_part, en_part)
    return Linked(words(day_part.zh, zh), words(en, day_part.en))


@part("clock")
def clock(d: Derivation) -> Clause:
    """他每天七点起床: at seven o'clock every day, in the opposite order."""
    subject = who(d)
    zh_day, en_day, tense, letter = d.choose(DAYS)
    verb, _, parts = d.choose(tuple(row for row in BY_CLOCK if letter in row[1]))
    hour = clock_time(d, parts)
    day = d.link(zh_day, en_day)
    time = Linked(words(day.zh, hour.zh), words(hour.en, day.en))
    if verb is not verbs.GO:
        d.atoms.append(verb.key)
        return predicate(d, subject, verb, tense, None, Extras(time=time))
    place = d.pick(DESTINATIONS, "place")
    side = d.link(place.key, place.to)
    return predicate(d, subject, verb, tense, side, Extras(time=time))


DAYS = (
    ("每天", "every day", PRESENT, "h"),
    ("明天", "tomorrow", FUTURE, "w"),
    ("昨天", "yesterday", PAST, "l"),
)


WORN = of_kind(nouns.NOUNS, "clothes", "hat")
WORN_BY_MEN = tuple(noun for noun in WORN if noun.key != "裙子")


def worn_by(subject: NounPhrase) -> tuple[Noun, ...]:
    """What the subject may wear: skirts are for those whom Chinese or English calls she."""
    woman = subject.gender == "f" or subject.head in ("女孩", "女人")
    return WORN if woman else WORN_BY_MEN


@part("wearing")
def wearing(d: Derivation) -> Clause:
    """她穿着一条红裙子: 着 for a state that lasts."""
    subject = someone(d, lambda phrase: phrase.agreement != "pl")
    noun = d.pick(worn_by(subject), "object")
    link, be = d.new_link(), d.new_link()
    worn = quantity(d, noun, 1, adjective=0.85)
    zh = words(
        words("戴" if "hat" in noun.kinds else "穿", link=link), words("着", link=be), worn.zh
    )
    return copula(subject, zh, words(words("wearing", link=link), worn.en), be=be)


@part("coordination")
def coordination(d: Derivation) -> Clause:
    """他买了一本书和两支笔, 我和大卫是朋友: 和 and and."""
    subject = who(d)
    verb, tense, letter = d.choose(AND_VERBS)
    pool = verbs.OBJECTS[verb.key]
    first = d.pick(pool, "object")
    # Two things that one names in one breath are of a sort.
    similar = tuple(n for n in pool if n.kinds[0] == first.kinds[0] and n.en != first.en)
    second = d.pick(similar or tuple(n for n in pool if n is not first), "object")
    and_ = d.link("和", "and")
    if letter == "l":
        left, right = (quantity(d, noun, count(d, noun), adjective=0.0) for noun in (first, second))
    else:
        left, right = generic(d, first), generic(d, second)
    both = Linked(words(left.zh, and_.zh, right.zh), words(left.en, and_.en, right.en))
    return predicate(d, subject, verb, tense, both)


AND_VERBS = tuple(
    (verb, tense, letter)
    for key, tense, letter in (
        ("买", PAST, "l"),
        ("吃", PAST, "l"),
        ("看见", PAST, "l"),
        ("吃", PRESENT, "h"),
        ("喝", PRESENT, "h"),
        ("喜欢", PRESENT, "s"),
    )
    for verb in (*verbs.TRANSITIVE, *verbs.STATIVE)
    if verb.key == key
)
