"""A verb with a suitable object, time and place: the stuff of which plain clauses are made."""

from functools import cache

from companion.translator.grammar import verbs
from companion.translator.grammar.clauses import (
    JUST_NOW,
    PERFECT,
    PRESENT,
    Clause,
    Extras,
    Tense,
    predicate,
)
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked
from companion.translator.grammar.lexicon import Noun, Verb, keys
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    demonstrative,
    generic,
    indefinite,
    known,
    other,
    possessed,
    quantity,
)
from companion.translator.grammar.nouns import BY_KEY
from companion.translator.grammar.places import DESTINATIONS, TOWNS, Place, places
from companion.translator.grammar.time_words import (
    Adverb,
    Time,
)

USES = {letter: verbs.with_use(verbs.TRANSITIVE, letter) for letter in "hlngzw"}
ACTIONS = {letter: verbs.with_use(verbs.INTRANSITIVE, letter) for letter in "hlngzw"}
IDIOMS = {letter: verbs.with_use(verbs.IDIOMS, letter) for letter in "hlngzw"}
SKILLS = tuple(verb for verb in verbs.INTRANSITIVE if verb.skill)
DIET = tuple(verb for verb in verbs.TRANSITIVE if verb.key in ("吃", "喝"))
# What one makes is not there before: one writes a book, not that book.
MAKING = frozenset(keys("写 做 唱 画/draw 种 吃 喝"))
# What one handles is there: he did not move the table, rather than a table.
HANDLING = frozenset(keys("搬 用 洗 修 开 骑 拿 读 翻译"))
# What one gets or makes can be counted beforehand: he wants to buy a book.
GETTING = frozenset(keys("买 借 写 做 画/draw 带 种"))
SEEN_BEFORE = frozenset({"看", "看/读", "听", "读"})
# What nobody would date by the week.
WITHIN_A_DAY = frozenset(
    (
        *keys("吃 喝 洗 哭 笑 洗澡 聊天 睡觉 吃饭 看电视 上网 散步"),
        *keys("等/无 等 打电话 起床 打扫 搬 用 拿 听 带 出去 休息"),
    )
)
SPEAK = tuple(verb for verb in verbs.TRANSITIVE if verb.key == "说")
COMPOUNDED = frozenset(verb.zh for verb in verbs.INTRANSITIVE)
# Of these one may have more than a handful.
MANY = keys("food plant tool book writable vessel song")
LARGE = keys("idea question vehicle furniture house gadget picture animal person film")


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
    if any(kind in noun.kinds for kind in MANY) and d.chance(0.25):
        return 5 + d.below(8)
    return 2 + d.below(3)


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
    elif idioms and IDIOMS[letter] and not is_young(subject) and d.chance(0.25):
        pool = IDIOMS[letter]
    else:
        pool = _pool(letter, by_week, is_young(subject), False, d.chance(0.2))
    verb = d.pick(pool)
    shape = "n" if negative and letter == "w" else letter
    complement = object_of(d, subject, verb, shape) if verb.objects else None
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
