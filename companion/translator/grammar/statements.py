"""Plain clauses, one for each way in which Chinese marks tense and mood.

Every function returns a `Clause`, so that it can stand alone, become a question, or be a part of a
longer sentence.
"""

from companion.translator.grammar import verbs
from companion.translator.grammar.actions import (
    ACTIONS,
    DIET,
    SKILLS,
    SPEAK,
    USES,
    action,
    adverb,
    is_young,
    object_of,
    travel,
    when,
)
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
from companion.translator.grammar.derivation import Derivation
from companion.translator.grammar.lexicon import Verb, keys
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    known,
    other,
    quantity,
    who,
)
from companion.translator.grammar.time_words import (
    ALL,
    ALSO,
    FREQUENCY,
    HABIT,
    NOW,
    SHORT_FUTURE,
    SHORT_PAST,
)

LASTING = verbs.with_use(verbs.TRANSITIVE, "k")


@part("habitual")
def habitual(d: Derivation, subject: NounPhrase | None = None, *, timed: bool = False) -> Clause:
    """他每天喝茶: the present of what is done regularly."""
    subject = subject or who(d)
    if d.chance(0.1) and not d.wanted:
        return travel(d, subject, PRESENT, Extras(time=when(d, HABIT, 1.0)))
    if not timed and d.chance(0.15):
        young = is_young(subject)
        verb = d.pick(tuple(verb for verb in LASTING if not (young and verb.adult)))
        return predicate(d, subject, verb, PRESENT, object_of(d, subject, verb, "h"))
    if timed or d.chance(0.5):
        extras = Extras(time=when(d, HABIT, 1.0))
    else:
        extras = Extras(adverb=adverb(d, FREQUENCY))
    return action(d, subject, "h", PRESENT, extras)


REFUSED = (
    *DIET,
    *DIET,
    *SPEAK,
    *(verb for verb in USES["h"] if verb.key in ("看/书常", "看/常", "唱")),
    *(verb for verb in LASTING if verb.key in ("教", "懂")),
    *(verb for verb in ACTIONS["h"] if verb.key in keys("做饭 唱歌 跳舞 游泳 开车 看书")),
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
        one = not negative
        complement = quantity(d, noun, 1, adjective=0.3) if one else known(d, noun, bare=False)
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
    young = is_young(subject)
    pool = tuple(verb for verb in (*SPEAK, *SKILLS, *SPEAK) if not (young and verb.adult))
    verb = d.pick(pool)
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
    if tense is ABLE and not negative:
        return duty(d, subject, tense, FEATS)
    if d.chance(0.2) and not d.wanted:
        return travel(d, subject, tense, Extras(), negative=negative)
    return action(d, subject, "w", tense, Extras(), negative=negative)


DUTIES = tuple(
    verb
    for verb in (*verbs.TRANSITIVE, *verbs.INTRANSITIVE)
    if verb.key
    in {
        *keys("学习 工作 休息 睡觉 回家 走 来 锻炼 吃饭 出去 开会"),
        *keys("打扫 做/作业 洗 修 回答 照顾 等 帮助 翻译 学"),
    }
    and "w" in verb.uses
)


# What it is worth saying that one can do.
FEATS = tuple(verb for verb in DUTIES if verb.key in keys("来 走 修 回答 帮助 翻译 照顾"))


@part("duty")
def duty(
    d: Derivation,
    subject: NounPhrase | None = None,
    tense: Tense = SHOULD,
    options: tuple[Verb, ...] | None = None,
) -> Clause:
    """他应该休息, 他必须工作: what one should or must (or, among `options`, can) do."""
    subject = subject or who(d)
    options = options or DUTIES
    pool = tuple(verb for verb in options if not (verb.adult and is_young(subject)))
    verb = d.pick(pool)
    complement = object_of(d, subject, verb, "n") if verb.objects else None
    return predicate(d, subject, verb, tense, complement)
