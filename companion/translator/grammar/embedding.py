"""Clauses inside clauses: reports, indirect questions, and 的-clauses before their noun."""

from collections.abc import Callable

from companion.translator.grammar import adjectives, nouns, verbs
from companion.translator.grammar.actions import ACTIONS, USES, is_young, when
from companion.translator.grammar.arrangements import worn_by
from companion.translator.grammar.clauses import (
    FUTURE,
    PAST,
    PRESENT,
    PROGRESSIVE,
    WANT,
    Clause,
    Extras,
    Tense,
    copula,
    predicate,
    statement,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, Words, words
from companion.translator.grammar.descriptions import adjective, describe, identity, thing
from companion.translator.grammar.existence import location, possession, residence
from companion.translator.grammar.lexicon import Noun, keys, of_kind, read_verbs
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    again,
    definite,
    generic,
    indefinite,
    other,
    plain,
    possessed,
    relative,
    who,
)
from companion.translator.grammar.statements import (
    duty,
    experiential,
    future,
    negated_past,
    perfective,
    skill,
    stative,
    wish,
)
from companion.translator.grammar.time_words import SHORT_PAST

REPORTING = {
    verb.key: verb
    for verb in read_verbs("""
说 | say/said ||
知道 | know/knew/known ||
觉得 | think/thought ||
希望 | hope ||
相信 | believe ||
听说 | hear/heard ||
""")
}
REPORTABLE: tuple[Callable[[Derivation, NounPhrase], Clause], ...] = (
    perfective,
    negated_past,
    future,
    stative,
    wish,
    skill,
    adjective,
    identity,
    location,
)
KNOWABLE: tuple[Callable[[Derivation, NounPhrase], Clause], ...] = (
    perfective,
    stative,
    skill,
    identity,
    residence,
    experiential,
    location,
    possession,
)
OPINIONS: tuple[Callable[[Derivation, NounPhrase], Clause], ...] = (
    adjective,
    adjective,
    duty,
    skill,
)


@part("report")
def report(d: Derivation, subject: NounPhrase | None = None, levels: int = 0) -> Clause:
    """他说他很忙: say, think, know, hope; `levels` more reports inside."""
    subject = subject or who(d)
    key = d.choose(("说", "知道", "觉得", "希望", "相信"))
    if levels and key == "希望":
        key = "说"
    with d.inside():
        content = _content(d, subject, key, levels)
    told = statement(content)
    negative = key in ("知道", "觉得") and d.chance(0.15) and not levels
    return predicate(d, subject, REPORTING[key], PRESENT, told, negative=negative)


@part("nested_report")
def nested_report(d: Derivation, levels: int = 1) -> Clause:
    """他说我知道她很忙: a report in a report, or a 的-clause or a question in one."""
    if d.chance(0.5):
        return report(d, None, levels)
    subject = who(d)
    with d.inside():
        if levels > 1:
            content = nested_report(d, levels - 1)
        else:
            content = d.choose((relative_subject, relative_object, indirect_question))(d)
    key = d.choose(("说", "知道", "相信"))
    return predicate(d, subject, REPORTING[key], PRESENT, statement(content))


def _content(d: Derivation, subject: NounPhrase, key: str, levels: int) -> Clause:
    if levels:
        return report(d, other(d, subject, "subject"), levels - 1)
    if key == "觉得" and d.chance(0.4):
        return adjective(d, thing(d))
    repeats = key == "说" and d.chance(0.25)
    speaks_of = again(d, subject) if repeats else other(d, subject, "subject")
    if key == "希望":
        return _hoped(d, speaks_of)
    if key == "觉得":
        return d.choose(OPINIONS)(d, speaks_of)
    build = d.choose(KNOWABLE if key in ("知道", "相信") else REPORTABLE)
    return build(d, speaks_of)


def _hoped(d: Derivation, subject: NounPhrase) -> Clause:
    """What one hopes that somebody will do."""
    verb = d.pick(HOPED)
    return predicate(d, subject, verb, FUTURE)


HOPED = tuple(v for v in verbs.INTRANSITIVE if v.key in ("来", "回家", "休息", "结婚", "走"))


@part("indirect_question")
def indirect_question(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """我不知道他在哪里: I do not know where he is, with no inversion inside."""
    subject = subject or who(d)
    with d.inside():
        inner = _unknown(d, other(d, subject, "subject"))
    if d.chance(0.25):
        tense = Tense("present", before="想", lead="want to")
        return predicate(d, subject, REPORTING["知道"], tense, inner)
    return predicate(d, subject, REPORTING["知道"], PRESENT, inner, negative=d.chance(0.75))


def _unknown(d: Derivation, subject: NounPhrase) -> Linked:
    """A question word and a clause in the order of a statement."""
    dice = d.generator.random()
    if dice < 0.2:
        target, be = d.link("哪里", "where"), d.new_link()
        clause = copula(subject, words(words("在", link=be), target.zh), (), be=be)
    elif dice < 0.35:
        target = d.link("哪里", "where")
        clause = predicate(d, subject, verbs.LIVE, PRESENT, Linked(words("在", target.zh), ()))
    elif dice < 0.5:
        target, be = d.link("谁", "who"), d.new_link()
        clause = copula(subject, words(words("是", link=be), target.zh), (), be=be)
    elif dice < 0.7:
        target = d.link("什么", "what")
        verb = d.pick(tuple(v for v in USES["w"] if v.key in ("买", "吃", "喝", "看", "学")))
        tense = d.choose((WANT, PAST) if "l" in verb.uses else (WANT,))
        clause = predicate(d, subject, verb, tense, Linked(target.zh, ()))
    elif dice < 0.85:
        target = d.link("什么时候", "when")
        verb = d.pick(tuple(v for v in ACTIONS["w"] if v.key in ("来", "走", "回家", "结婚")))
        clause = predicate(d, subject, verb, FUTURE, None, Extras(time=Linked(target.zh, ())))
    else:
        target = d.link("为什么", "why")
        verb = d.pick(ACTIONS["n"])
        time = Extras(time=Linked(target.zh, ()))
        clause = predicate(d, subject, verb, PAST, None, time, negative=True)
    return Linked(words(subject.zh, clause.zh), words(target.en, subject.en, clause.statement))


# 的-clauses

WEARERS = of_kind(nouns.NOUNS, "human", "job")
MADE = tuple(v for v in USES["l"] if v.key in keys("买 做 写 画/draw 借 唱 看 看/读 翻译 洗 带 卖"))


def _modified(clause: Words, en_clause: Words, pronoun_en: str, head: NounPhrase) -> NounPhrase:
    """Clause + 的 + noun: the noun + who or that + clause."""
    zh = words(clause, "的", head.zh)
    en = words(head.en, pronoun_en, en_clause)
    return plain(zh, en, head.agreement, head.head)


@part("subject_relative")
def subject_relative(d: Derivation) -> NounPhrase:
    """会说英语的老师: the teacher who can speak English."""
    head = definite(d, d.pick(WEARERS, "head"))
    # The clause has no subject of its own: what agrees with the verb is the noun.
    gap = plain((), (), head.agreement, head.head)
    with d.inside():
        clause = _of_person(d, gap)
    en = words(clause.statement, clause.tail)
    return _modified(clause.zh, en, "who", head)


def _of_person(d: Derivation, gap: NounPhrase) -> Clause:
    dice = d.generator.random()
    if dice < 0.25:
        return skill(d, gap)
    if dice < 0.45:
        young = is_young(gap)
        verb = d.pick(tuple(v for v in ACTIONS["z"] if not (young and v.adult)))
        return predicate(d, gap, verb, PROGRESSIVE)
    if dice < 0.65:
        noun = d.pick(worn_by(gap), "object")
        return _wearing(d, gap, noun)
    if dice < 0.85:
        verb = d.pick(tuple(v for v in ACTIONS["l"] if v.key in ("来", "走", "迟到", "哭", "生病")))
        tense = PAST._replace(after="")
        return predicate(d, gap, verb, tense, None, Extras(time=when(d, SHORT_PAST, 1.0)))
    like = verbs.STATIVE[0]
    noun = d.pick(verbs.OBJECTS["喜欢"], "object")
    return predicate(d, gap, like, PRESENT, generic(d, noun))


def _wearing(d: Derivation, gap: NounPhrase, noun: Noun) -> Clause:
    """穿红裙子: is wearing a red skirt."""
    zh_verb = "戴" if "hat" in noun.kinds else "穿"
    worn = indefinite(d, noun, adjective=0.9)
    link = d.new_link()
    zh = words(words(zh_verb, link=link), worn.zh)
    return copula(gap, zh, words(words("wearing", link=link), worn.en))


@part("object_relative")
def object_relative(d: Derivation, *, liked: bool = True) -> NounPhrase:
    """我昨天买的书: the book that I bought yesterday."""
    with d.inside():
        subject = who(d, "clause_subject")
        if liked and d.chance(0.2):
            verb = verbs.STATIVE[0]
            pool = tuple(n for n in verbs.OBJECTS["喜欢"] if "animal" not in n.kinds)
            clause = predicate(d, subject, verb, PRESENT)
        else:
            verb = d.pick(MADE)
            pool = verbs.OBJECTS[verb.key]
            time = when(d, SHORT_PAST, 0.4)
            tense = PAST._replace(after="")
            clause = predicate(d, subject, verb, tense, None, Extras(time=time))
        usable = tuple(n for n in pool if n.bare not in ("name", "the"))
        head = definite(d, d.pick(usable, "head"))
    zh = words(subject.zh, clause.zh)
    en = words(subject.en, clause.statement, clause.tail)
    return _modified(zh, en, "that", head)


@part("relative_subject")
def relative_subject(d: Derivation) -> Clause:
    """我昨天买的书很有意思, 在唱歌的女孩是我妹妹: a 的-clause in the subject."""
    if d.chance(0.5):
        phrase = object_relative(d)
        options = adjectives.PREDICATES[phrase.head]
        if options:
            return describe(d, phrase, d.pick(options), negative=d.chance(0.15))
        return _on_place(d, phrase)
    phrase = subject_relative(d)
    dice = d.generator.random()
    if dice < 0.35:
        return adjective(d, phrase)
    if dice < 0.7:
        be = d.new_link()
        if d.chance(0.5):
            role = possessed(d, d.pick(nouns.RELATIONS, "predicate"))
        else:
            role = relative(d, "predicate")
        return copula(phrase, words(words("是", link=be), role.zh), role.en, be=be)
    if phrase.zh[0].text == "在":
        # Who is dancing is where the dancing is.
        return adjective(d, phrase)
    return location(d, phrase)


def _on_place(d: Derivation, phrase: NounPhrase) -> Clause:
    surface = d.pick(of_kind(nouns.NOUNS, "surface"), "place")
    ground, relation, be = definite(d, surface), d.link("上", "on"), d.new_link()
    zh = words(words("在", link=be), ground.zh, relation.zh)
    return copula(phrase, zh, words(relation.en, ground.en), be=be)


@part("relative_object")
def relative_object(d: Derivation) -> Clause:
    """这是我昨天买的书, 我认识会说英语的老师: a 的-clause in the object."""
    dice = d.generator.random()
    if dice < 0.4:
        pointer = plain(*d.link(*d.choose((("这", "this"), ("那", "that")))), head="这")
        phrase = object_relative(d)
        if phrase.agreement == "pl":
            these = {"this": "these", "that": "those"}[pointer.en[0].text]
            en = (pointer.en[0]._replace(text=these),)
            pointer = plain(pointer.zh, en, "pl", "这")
        be = d.new_link()
        return copula(pointer, words(words("是", link=be), phrase.zh), phrase.en, be=be)
    subject = who(d)
    if dice < 0.7:
        verb = next(v for v in verbs.STATIVE if v.key == "认识")
        return predicate(d, subject, verb, PRESENT, subject_relative(d))
    return predicate(d, subject, verbs.STATIVE[0], PRESENT, object_relative(d, liked=False))
