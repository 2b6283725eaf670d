"""Clauses: a subject and a predicate, ready to become a statement, a question or a part of more.

A `Tense` pairs the Chinese marker with the English tense: 了 with the past, 过 with the perfect,
在 with the progressive, 会 with the future, and so on.
"""

from typing import NamedTuple

from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, Words, words
from companion.translator.grammar.english import VerbForms, plural
from companion.translator.grammar.lexicon import Verb
from companion.translator.grammar.noun_phrases import NounPhrase

BE_PRESENT = {"1s": "am", "3s": "is", "pl": "are"}
BE_PAST = {"1s": "was", "3s": "was", "pl": "were"}
HAVE = {"1s": "have", "3s": "has", "pl": "have"}
DO = {"1s": "do", "3s": "does", "pl": "do"}


class Tense(NamedTuple):
    """How a tense or mood is marked on both sides.

    `before` and `after` stand around the Chinese verb, `negative` before `before`. `english` names
    the verb form; `modal` is the English auxiliary, `lead` a phrase before the base form.
    """

    english: str
    before: str = ""
    after: str = ""
    negative: str = "不"
    modal: str = ""
    lead: str = ""


PRESENT = Tense("present")
PAST = Tense("past", after="了", negative="没")
PERFECT = Tense("perfect", after="过", negative="没")
PROGRESSIVE = Tense("progressive", before="在", negative="没")
WAS_DOING = Tense("past_progressive", before="正在", negative="没")
JUST_NOW = Tense("progressive", before="正在", negative="没")
FUTURE = Tense("modal", before="会", modal="will")
SKILL = Tense("modal", before="会", modal="can")
ABLE = Tense("modal", before="能", modal="can")
ALLOWED = Tense("modal", before="可以", modal="may")
SHOULD = Tense("modal", before="应该", modal="should")
MUST = Tense("modal", before="必须", modal="must")
WANT = Tense("present", before="想", lead="want to")
INTEND = Tense("progressive", before="打算", lead="planning to")
GOING = Tense("progressive", before="要", lead="going to")


class Clause(NamedTuple):
    """A clause in pieces.

    `zh` is the Chinese predicate. In English the statement is subject + `statement` + `tail`; the
    question is `auxiliary` + subject + `remainder` + `tail`. `front` is what stands before all;
    the first `timed` words of `zh` are the time.
    """

    subject: NounPhrase
    zh: Words
    statement: Words
    auxiliary: Words
    remainder: Words
    tail: Words = ()
    timed: int = 0
    front: Linked = NOTHING


class Extras(NamedTuple):
    """What a predicate may carry beside its verb and object.

    `time` follows the subject in Chinese and ends the English clause; `adverb` precedes the verb in
    both; `place` precedes the Chinese verb and follows the English object.
    """

    time: Linked = NOTHING
    adverb: Linked = NOTHING
    place: Linked = NOTHING


PLAIN = Extras()


def forms_of(d: Derivation, verb: Verb) -> VerbForms:
    """The English forms of a verb (the literal ones of an idiom, if the derivation asks)."""
    return verb.literal if d.literal and verb.literal else verb.forms


class _Group(NamedTuple):
    """The English verb: `auxiliary` may be empty, then `do` and `bare` stand in for it."""

    auxiliary: str
    main: Words
    do: str = ""
    bare: Words = ()


def _conjugate(forms: VerbForms, tense: Tense, agreement: str, verb: int, marker: int) -> _Group:
    """The verb group; its words carry the links of the Chinese verb and of the marker."""
    if tense.english == "modal":
        return _Group(tense.modal, words(forms.base, link=verb))
    if tense.english == "perfect":
        return _Group(HAVE[agreement], words(forms.participle, link=verb))
    if tense.english == "past_progressive":
        return _Group(BE_PAST[agreement], words(forms.ing, link=verb))
    if tense.lead == GOING.lead and forms.base == "go":
        # He is going to go to school is said as he is going to school.
        return _Group(BE_PRESENT[agreement], words(forms.ing, link=verb))
    if tense.english == "progressive":
        lead = words(tense.lead, link=marker)
        return _Group(
            BE_PRESENT[agreement],
            words(lead, words(forms.base if tense.lead else forms.ing, link=verb)),
        )
    if tense.lead:
        first, _, last = tense.lead.partition(" ")
        finite = f"{plural(first)} {last}" if agreement == "3s" else tense.lead
        base = words(forms.base, link=verb)
        bare = words(words(tense.lead, link=marker), base)
        return _Group("", words(words(finite, link=marker), base), DO[agreement], bare)
    if forms.base.split()[0] == "be":
        table = BE_PAST if tense.english == "past" else BE_PRESENT
        return _Group(table[agreement], words(forms.base, link=verb)[1:])
    bare = words(forms.base, link=verb)
    if tense.english == "past":
        return _Group("", words(forms.past, link=verb), "did", bare)
    finite = forms.third if agreement == "3s" else forms.base
    return _Group("", words(finite, link=verb), DO[agreement], bare)


def predicate(
    d: Derivation,
    subject: NounPhrase,
    verb: Verb,
    tense: Tense,
    complement: NounPhrase | Linked | None = None,
    extras: Extras = PLAIN,
    *,
    negative: bool = False,
) -> Clause:
    """Subject, verb and object in a tense, as a clause of both languages."""
    verb_link, marker, denied = d.new_link(), d.new_link(), d.new_link()
    forms = forms_of(d, verb)
    group = _conjugate(forms, tense, subject.agreement, verb_link, marker)
    zh_object, en_object = _complement(complement)
    after = "" if negative and tense.after == "了" else tense.after
    zh = words(
        extras.time.zh,
        extras.adverb.zh,
        words(tense.negative, link=denied) if negative else "",
        words(tense.before, link=marker),
        extras.place.zh,
        words(verb.zh, link=verb_link),
        words(after, link=marker),
        zh_object,
    )
    be_link = marker if group.auxiliary and tense is not PRESENT else verb_link
    auxiliary = words(group.auxiliary or group.do, link=be_link if group.auxiliary else 0)
    denial: Words = ()
    if negative:
        denial = words("never" if tense is PERFECT else "not", link=denied)
        if tense is PAST and not group.auxiliary:
            auxiliary = words(group.do, link=denied)
    rest = words(extras.adverb.en, group.bare or group.main, en_object, extras.place.en)
    if group.auxiliary or negative:
        statement = words(auxiliary, denial, rest)
    else:
        statement = words(extras.adverb.en, group.main, en_object, extras.place.en)
    return Clause(
        subject, zh, statement, auxiliary, words(denial, rest), extras.time.en, len(extras.time.zh)
    )


def _complement(complement: NounPhrase | Linked | None) -> Linked:
    if complement is None:
        return NOTHING
    if isinstance(complement, NounPhrase):
        return Linked(complement.zh, complement.objective)
    return complement


def copula(
    subject: NounPhrase,
    zh: Words,
    en: Words,
    *,
    past: bool = False,
    negation: Words = (),
    extras: Extras = PLAIN,
    be: int = 0,
) -> Clause:
    """A clause whose English verb is be. `zh` is the whole Chinese predicate but the time."""
    form = (BE_PAST if past else BE_PRESENT)[subject.agreement]
    auxiliary = words(form, link=be)
    rest = words(negation, extras.adverb.en, en)
    zh_all = words(extras.time.zh, extras.adverb.zh, zh)
    timed = len(extras.time.zh)
    whole = words(auxiliary, rest)
    return Clause(subject, zh_all, whole, auxiliary, rest, extras.time.en, timed)


def statement(clause: Clause) -> Linked:
    """The clause as it is."""
    front = clause.front
    return Linked(
        words(front.zh, clause.subject.zh, clause.zh),
        words(front.en, clause.subject.en, clause.statement, clause.tail),
    )


def question(clause: Clause) -> Linked:
    """The clause as a yes-or-no question with 吗."""
    return ask(words(clause.subject.zh, clause.zh, "吗"), (), clause)


def ask(zh: Words, wh: Words, clause: Clause) -> Linked:
    """A question: the Chinese as given; the English with `wh` first and the subject inverted."""
    en = words(wh, clause.auxiliary, clause.subject.en, clause.remainder, clause.tail)
    mark = Linked(words("？"), words("?"))
    return Linked(words(zh, mark.zh), words(en, mark.en))
