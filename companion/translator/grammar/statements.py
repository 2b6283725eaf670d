"""Plain clauses, one for each way in which Chinese marks tense and mood.

Every function returns a `Clause`, so that it can stand alone, become a question, or be a part of a
longer sentence.
"""

from functools import cache

from companion.translator.grammar import verbs
from companion.translator.grammar.clauses import (
    ABLE,
    ALLOWED,
    FUTURE,
    GOING,
    INTEND,
    JUST_NOW,
    MUST,
    PAST,
    PERFECT,
    PLAIN,
    PRESENT,
    PROGRESSIVE,
    SHOULD,
    SKILL,
    WANT,
    Clause,
    Extras,
    Tense,
    predicate,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked
from companion.translator.grammar.lexicon import Noun, Verb
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    demonstrative,
    generic,
    indefinite,
    known,
    other,
    possessed,
    quantity,
    who,
)
from companion.translator.grammar.nouns import BY_KEY
from companion.translator.grammar.places import DESTINATIONS, TOWNS, Place, places
from companion.translator.grammar.time_words import (
    ALL,
    ALSO,
    FREQUENCY,
    HABIT,
    NOW,
    SHORT_FUTURE,
    SHORT_PAST,
    Adverb,
    Time,
)

USES = {letter: verbs.with_use(verbs.TRANSITIVE, letter) for letter in "hlngzw"}
ACTIONS = {letter: verbs.with_use(verbs.INTRANSITIVE, letter) for letter in "hlngzw"}
IDIOMS = {letter: verbs.with_use(verbs.IDIOMS, letter) for letter in "hlngzw"}
SKILLS = tuple(verb for verb in verbs.INTRANSITIVE if verb.skill)
DIET = tuple(verb for verb in verbs.TRANSITIVE if verb.key in ("吃", "喝"))
# What one makes is not there before: one writes a book, not that book.
MAKING = frozenset({"写", "做", "唱", "画/draw", "种", "吃", "喝"})
# What one handles is there: he did not move the table, rather than a table.
HANDLING = frozenset({"搬", "用", "洗", "修", "开", "骑", "拿", "读", "翻译"})
# What one gets or makes can be counted beforehand: he wants to buy a book.
GETTING = frozenset({"买", "借", "写", "做", "画/draw", "带", "种"})
SEEN_BEFORE = frozenset({"看", "看/读", "听", "读"})
# What nobody would date by the week.
WITHIN_A_DAY = frozenset(
    (
        *("吃", "喝", "洗", "哭", "笑", "洗澡", "聊天", "睡觉", "吃饭", "看电视", "上网", "散步"),
        *("等/无", "等", "打电话", "起床", "打扫", "搬", "用", "拿", "听", "带", "出去", "休息"),
    )
)
WITHOUT_ADVERB = frozenset({"卖/常", "教", "说", "懂", "学"})
SPEAK = tuple(verb for verb in verbs.TRANSITIVE if verb.key == "说")
COMPOUNDED = frozenset(verb.zh for verb in verbs.INTRANSITIVE)
LARGE = (
    "idea",
    "question",
    "vehicle",
    "furniture",
    "house",
    "gadget",
    "picture",
    "animal",
    "person",
    "film",
)


def when(d: Derivation, times: tuple[Time, ...], probability: float) -> Linked:
    """A time word, or nothing."""
    if not d.chance(probability) and not any(time.key in d.wanted for time in times):
        return NOTHING
    time = d.pick(times, "time")
    return d.link(time.key, time.en)


def adverb(d: Derivation, options: tuple[Adverb, ...]) -> Linked:
    """One of the adverbs."""
    entry = d.pick(options)
    return d.link(entry.zh, entry.en)


def at(d: Derivation, place: Place) -> Linked:
    """在图书馆: in the library."""
    side = d.link(place.key, place.at)
    return Linked((*d.link("在", "").zh, *side.zh), side.en)


def is_young(subject: NounPhrase) -> bool:
    """Whether the subject is a child, of whom one does not say that he drives to work."""
    noun = BY_KEY.get(subject.head)
    return noun is not None and "young" in noun.kinds


def count(d: Derivation, noun: Noun) -> int:
    """How many of the noun somebody would buy, see, eat …"""
    if noun.key == "饺子":
        return 5 + d.below(8)
    if d.chance(0.55):
        return 1
    if noun.bare == "mass" or any(kind in noun.kinds for kind in LARGE):
        return 2 + d.below(2)
    return 2 + d.below(4) if d.chance(0.8) else 5 + d.below(8)


def person_object(d: Derivation, noun: Noun) -> NounPhrase:
    """Somebody to whom something is done; never 'the teacher' out of nowhere."""
    if "relation" in noun.kinds and ("job" not in noun.kinds or d.chance(0.6)):
        return possessed(d, noun)
    return demonstrative(d, noun)


def object_of(d: Derivation, subject: NounPhrase, verb: Verb, letter: str) -> NounPhrase:
    """An object of the verb, in the shape that suits the use of the verb."""
    pool = verbs.OBJECTS[verb.key]
    people = "person" in pool[0].kinds and "animal" not in pool[-1].kinds
    if people and not d.wanted and d.chance(0.4 if letter in "zwhs" or verb.definite else 0.2):
        return other(d, subject)
    if is_young(subject):
        pool = tuple(noun for noun in pool if noun.key not in ("啤酒", "咖啡")) or pool
    if letter == "l":
        pool = tuple(noun for noun in pool if noun.measures[0][0] != "-")
    noun = d.pick(pool, "object")
    counted = noun.measures[0][0] != "-"
    if verb.zh + noun.zh in COMPOUNDED and letter != "l":
        # 看书 without more is one verb, read.
        return known(d, noun, bare=False)
    if "person" in noun.kinds and (verb.definite or letter in "hs" or d.chance(0.5)):
        return person_object(d, noun)
    if verb.definite:
        return known(d, noun, bare=False, adjective=0.15)
    if letter in "hs":
        return generic(d, noun)
    dice = d.generator.random()
    if letter == "l" and counted and noun.bare != "the":
        if dice < 0.65 or verb.key in MAKING:
            return quantity(d, noun, count(d, noun))
        return own(d, verb, noun)
    if letter == "g" and counted and verb.key in SEEN_BEFORE:
        return demonstrative(d, noun)
    if letter == "n" and verb.key in HANDLING:
        return own(d, verb, noun)
    if "person" in noun.kinds and letter == "n":
        return person_object(d, noun)
    counts = letter == "w" and counted and verb.key in GETTING and dice < 0.25
    if "person" in noun.kinds or counts:
        return quantity(d, noun, 1, adjective=0.2)
    if dice < 0.7 or not counted or letter == "g" or verb.key in MAKING:
        return indefinite(d, noun, adjective=0.0 if letter == "g" else 0.12)
    return own(d, verb, noun)


def own(d: Derivation, verb: Verb, noun: Noun) -> NounPhrase:
    """This book or my book; one does not buy what is one's own."""
    if verb.key == "买":
        return demonstrative(d, noun, adjective=0.15)
    return known(d, noun, bare=False, adjective=0.15)


@cache
def _pool(
    letter: str, by_week: bool, young: bool, idioms: bool, simple: bool = False
) -> tuple[Verb, ...]:
    """The verbs for a use, without those that do not suit the time or a child."""
    found = (*(() if simple else USES[letter]), *ACTIONS[letter])
    found = (*found, *IDIOMS[letter]) if idioms else found or USES[letter]
    return tuple(
        verb
        for verb in found
        if not (by_week and verb.key in WITHIN_A_DAY) and not (young and verb.adult)
    )


def action(
    d: Derivation,
    subject: NounPhrase,
    letter: str,
    tense: Tense,
    extras: Extras,
    *,
    negative: bool = False,
) -> Clause:
    """A clause with a verb that is natural in the use, with an object if it takes one."""
    by_week = bool(extras.time.en) and extras.time.en[-1].text in ("week", "month")
    idioms = letter != "h" or extras.time is NOTHING
    if d.wanted:
        pool = _pool(letter, by_week, is_young(subject), idioms)
    elif idioms and IDIOMS[letter] and not is_young(subject) and d.chance(0.15):
        pool = IDIOMS[letter]
    else:
        pool = _pool(letter, by_week, is_young(subject), False, d.chance(0.2))
    verb = d.pick(pool)
    shape = "n" if negative and letter == "w" else letter
    complement = object_of(d, subject, verb, shape) if verb.objects else None
    if letter == "h" and verb.key in WITHOUT_ADVERB:
        extras = PLAIN
    if extras.place is NOTHING and verb.places and letter in "hlz" and d.chance(0.2):
        spots = places(*verb.places)
        if letter != "z" or tense is JUST_NOW:
            place = d.pick(spots, "place")
            side = at(d, place)
            zh = side.zh[1:] if tense is JUST_NOW else side.zh
            extras = extras._replace(place=Linked(zh, side.en))
    return predicate(d, subject, verb, tense, complement, extras, negative=negative)


def travel(
    d: Derivation,
    subject: NounPhrase,
    tense: Tense,
    extras: Extras,
    *,
    negative: bool = False,
) -> Clause:
    """A clause with 去 and a place."""
    verb = verbs.GO_BEEN if tense is PERFECT else verbs.GO
    far = tense is PERFECT or (tense is not PRESENT and d.chance(0.3))
    place = d.pick(TOWNS if far else DESTINATIONS, "place")
    return predicate(
        d, subject, verb, tense, d.link(place.key, place.to), extras, negative=negative
    )


@part("habitual")
def habitual(d: Derivation, subject: NounPhrase | None = None, *, timed: bool = False) -> Clause:
    """他每天喝茶: the present of what is done regularly."""
    subject = subject or who(d)
    if d.chance(0.1) and not d.wanted:
        return travel(d, subject, PRESENT, Extras(time=when(d, HABIT, 1.0)))
    if timed or d.chance(0.5):
        extras = Extras(time=when(d, HABIT, 1.0))
    else:
        extras = Extras(adverb=adverb(d, FREQUENCY))
    return action(d, subject, "h", PRESENT, extras)


REFUSED = (
    *DIET,
    *DIET,
    *SPEAK,
    *(verb for verb in USES["h"] if verb.key in ("看/书常", "看/常", "唱", "教", "懂")),
    *(
        verb
        for verb in ACTIONS["h"]
        if verb.key in ("做饭", "唱歌", "跳舞", "游泳", "开车", "看书")
    ),
    *(verb for verb in ACTIONS["h"] if verb.key in ("上网", "看电视", "踢足球", "打篮球")),
)


@part("not_habitual")
def not_habitual(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他不喝茶: what is not done."""
    subject = subject or who(d)
    verb = d.pick(REFUSED)
    complement = object_of(d, subject, verb, "h") if verb.objects else None
    return predicate(d, subject, verb, PRESENT, complement, negative=True)


@part("stative")
def stative(d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False) -> Clause:
    """他喜欢茶: likes, needs, knows. There is no marker and no progressive."""
    subject = subject or who(d)
    verb = d.pick(verbs.STATIVE)
    if verb.key in ("需要", "想要"):
        noun = d.pick(verbs.OBJECTS[verb.key], "object")
        complement = quantity(d, noun, 1, adjective=0.3)
        if negative:
            complement = known(d, noun, bare=False, adjective=0.15)
    elif verb.key == "喜欢" and not d.wanted and d.chance(0.35):
        return liking(d, subject, negative=negative)
    else:
        complement = object_of(d, subject, verb, "s")
    extras = Extras()
    if not negative and subject.head not in ("", "谁") and d.chance(0.2):
        extras = Extras(
            adverb=adverb(
                d, (ALL,) if subject.agreement == "pl" and subject.head != "你" else (ALSO,)
            )
        )
    return predicate(d, subject, verb, PRESENT, complement, extras, negative=negative)


def liking(d: Derivation, subject: NounPhrase, *, negative: bool = False) -> Clause:
    """他喜欢游泳: likes to do something, or likes somebody."""
    like = verbs.STATIVE[0]
    if d.chance(0.4):
        return predicate(d, subject, like, PRESENT, other(d, subject), negative=negative)
    tense = PRESENT._replace(before="喜欢", lead="like to")
    verb = d.pick(ACTIONS["h"])
    return predicate(d, subject, verb, tense, negative=negative)


@part("perfective")
def perfective(d: Derivation, subject: NounPhrase | None = None, time: float = 0.5) -> Clause:
    """他昨天买了三个苹果: 了 and the simple past."""
    subject = subject or who(d)
    extras = Extras(time=when(d, SHORT_PAST, time))
    if d.chance(0.15) and not d.wanted:
        return travel(d, subject, PAST, extras)
    return action(d, subject, "l", PAST, extras)


@part("negated_past")
def negated_past(d: Derivation, subject: NounPhrase | None = None, time: float = 0.5) -> Clause:
    """他昨天没买苹果: 没, without 了, and did not."""
    subject = subject or who(d)
    extras = Extras(time=when(d, SHORT_PAST, time))
    if d.chance(0.2) and not d.wanted:
        return travel(d, subject, PAST, extras, negative=True)
    return action(d, subject, "n", PAST, extras, negative=True)


@part("experiential")
def experiential(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他去过北京, 他没去过北京: 过 and the perfect; 没 … 过 is never."""
    subject = subject or who(d)
    negative = d.chance(0.35)
    if d.chance(0.35) and not d.wanted:
        return travel(d, subject, PERFECT, Extras(), negative=negative)
    return action(d, subject, "g", PERFECT, Extras(), negative=negative)


@part("progressive")
def progressive(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他正在看书: 在 or 正在 and the progressive."""
    subject = subject or who(d)
    tense = PROGRESSIVE if d.chance(0.5) else JUST_NOW
    extras = Extras(time=when(d, NOW, 0.15 if tense is PROGRESSIVE else 0.0))
    return action(d, subject, "z", tense, extras)


@part("future")
def future(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他明天会来: 会, 要 or 打算 with a time to come."""
    subject = subject or who(d)
    extras = Extras(time=when(d, SHORT_FUTURE, 1.0))
    negative = d.chance(0.2)
    tense = FUTURE if negative else d.choose((FUTURE, FUTURE, GOING, INTEND))
    if d.chance(0.3) and not d.wanted:
        return travel(d, subject, tense, extras, negative=negative)
    return action(d, subject, "w", tense, extras, negative=negative)


@part("wish")
def wish(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他想买一本书: 想 and want to."""
    subject = subject or who(d)
    negative = d.chance(0.25)
    if d.chance(0.2) and not d.wanted:
        return travel(d, subject, WANT, Extras(), negative=negative)
    return action(d, subject, "w", WANT, Extras(), negative=negative)


@part("skill")
def skill(d: Derivation, subject: NounPhrase | None = None, *, negative: bool = False) -> Clause:
    """他会游泳, 她会说法语: 会 and can, for what one has learnt."""
    subject = subject or who(d)
    verb = d.pick((*SPEAK, *SKILLS, *SPEAK))
    complement = object_of(d, subject, verb, "h") if verb.objects else None
    return predicate(d, subject, verb, SKILL, complement, negative=negative)


@part("modal")
def modal(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他应该休息: 能, 可以, 应该, 必须 and can, may, should, must."""
    subject = subject or who(d)
    tense = d.choose((ABLE, ALLOWED, SHOULD, MUST))
    negative = tense is not MUST and d.chance(0.3)
    if tense is MUST or (tense is SHOULD and not negative):
        return duty(d, subject, tense)
    if d.chance(0.2) and not d.wanted:
        return travel(d, subject, tense, Extras(), negative=negative)
    return action(d, subject, "w", tense, Extras(), negative=negative)


DUTIES = tuple(
    verb
    for verb in (*verbs.TRANSITIVE, *verbs.INTRANSITIVE)
    if verb.key
    in {
        *("学习", "工作", "休息", "睡觉", "回家", "走", "来", "锻炼", "吃饭", "出去", "开会"),
        *("打扫", "做/作业", "洗", "修", "回答", "照顾", "等", "帮助", "翻译", "学"),
    }
    and "w" in verb.uses
)


@part("duty")
def duty(d: Derivation, subject: NounPhrase | None = None, tense: Tense = SHOULD) -> Clause:
    """他应该休息, 他必须工作: what one should or must do."""
    subject = subject or who(d)
    pool = tuple(verb for verb in DUTIES if not (verb.adult and is_young(subject)))
    verb = d.pick(pool)
    complement = object_of(d, subject, verb, "n") if verb.objects else None
    return predicate(d, subject, verb, tense, complement)
