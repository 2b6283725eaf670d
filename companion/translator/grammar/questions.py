"""Questions: 吗, A-not-A, and question words, which Chinese leaves where the answer would be."""

from companion.translator.grammar import people, verbs
from companion.translator.grammar.clauses import (
    PRESENT,
    Clause,
    ask,
    predicate,
    question,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, Words, words
from companion.translator.grammar.descriptions import adjective, identity
from companion.translator.grammar.existence import OWNED, location
from companion.translator.grammar.lexicon import keys
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    indefinite,
    pronoun,
    someone,
)
from companion.translator.grammar.statements import (
    experiential,
    future,
    perfective,
    progressive,
    skill,
    stative,
    wish,
)


def asked(d: Derivation) -> NounPhrase:
    """Of whom one asks: oftener you than I."""
    if d.chance(0.35) and not d.wanted:
        return pronoun(d, "你")
    return someone(d, lambda phrase: phrase.head != "我")


@part("yes_no")
def yes_no(d: Derivation) -> Linked:
    """你喜欢茶吗？"""
    clause = d.choose(QUESTIONED)(d, asked(d))
    plain_degree = any(word.text in ("很", "真", "有点", "非常") for word in clause.zh)
    if plain_degree:
        # One asks 你忙吗, with no degree: 你很忙吗 asks whether it is very.
        clause = _without_degree(clause)
    return question(clause)


def _without_degree(clause: Clause) -> Clause:
    dropped = {word.link for word in clause.zh if word.text in ("很", "真", "有点", "非常")}
    degrees = ("very", "really", "a", "little")

    def keep(en: Words) -> Words:
        return tuple(w for w in en if not (w.link in dropped and w.text in degrees))

    return clause._replace(
        zh=tuple(w for w in clause.zh if w.text not in ("很", "真", "有点", "非常")),
        statement=keep(clause.statement),
        remainder=keep(clause.remainder),
    )


@part("a_not_a")
def a_not_a(d: Derivation) -> Linked:
    """你是不是医生？ 你喜不喜欢茶？ 你有没有车？: the verb, and the verb denied."""
    subject = asked(d)
    mark = d.mark()
    while True:
        clause = d.choose((identity, stative, skill, wish, owning, future))(d, subject)
        # 也 and 不 do not go with this form.
        texts = {word.text for word in clause.zh}
        if texts & FORKED and not texts & {"不", "也", "都", "没有"}:
            break
        d.rewind(mark)
    index = next(i for i, word in enumerate(clause.zh) if word.text in FORKED)
    word = clause.zh[index]
    denial = "没" if word.text == "有" else "不"
    fork = words(f"{word.text[0]} {denial} {word.text}", link=word.link)
    zh = words(subject.zh, clause.zh[:index], fork, clause.zh[index + 1 :])
    return ask(zh, (), clause)


@part("owning")
def owning(d: Derivation, subject: NounPhrase) -> Clause:
    """你有车吗？: in a question the thing stands bare."""
    if d.chance(0.35) and not d.wanted:
        person = d.pick(people.COUNTED_RELATIVES, "object")
        side = d.link(person.key, person.en)
        return predicate(d, subject, verbs.HAVE, PRESENT, Linked(side.zh, words("a", side.en)))
    noun = d.pick(OWNED, "object")
    return predicate(d, subject, verbs.HAVE, PRESENT, indefinite(d, noun))


FORKED = frozenset(keys("是 喜欢 会 想 有 认识"))
QUESTIONED = (
    perfective,
    experiential,
    progressive,
    stative,
    wish,
    skill,
    future,
    identity,
    adjective,
    location,
    owning,
)
