"""Requests, prohibitions, and making others do things: 请, 别, 让."""

from companion.translator.grammar import nouns, verbs
from companion.translator.grammar.actions import MAKING, count
from companion.translator.grammar.clauses import (
    Clause,
    forms_of,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, words
from companion.translator.grammar.lexicon import Verb, keys, of_kind
from companion.translator.grammar.noun_phrases import (
    definite,
    demonstrative,
    known,
    other,
    quantity,
    who,
)

REQUESTS = tuple(v for v in verbs.TRANSITIVE if v.key in keys("打扫 等 帮助 修 洗 翻译 回答"))
ACTS = tuple(
    verb for verb in verbs.INTRANSITIVE if verb.key in keys("休息 来 出去 回家 唱歌 跳舞 做饭")
)
FORBIDDEN = tuple(
    v
    for v in (*verbs.INTRANSITIVE, *verbs.IDIOMS)
    if v.key in keys("哭 笑 走 出去 迟到 睡觉 唱歌 聊天 上网 吹牛 吃醋 拍马屁 来 打电话 生病")
)
OPEN_SHUT = (("打开", "open"), ("关上", "close"))


@part("request")
def request(d: Derivation) -> Linked:
    """请打开窗户, 请给我一杯水: please."""
    please = d.link("请", "please")
    dice = d.generator.random()
    if dice < 0.25:
        verb = d.link(*d.choose(OPEN_SHUT))
        noun = d.pick(of_kind(nouns.NOUNS, "opening"), "object")
        thing = definite(d, noun) if d.chance(0.6) else demonstrative(d, noun)
        body = Linked(words(verb.zh, thing.zh), words(verb.en, thing.en))
    elif dice < 0.6:
        body = _give(d)
    else:
        body = _told_to(d, (*ACTS, *REQUESTS))
    return Linked(words(please.zh, body.zh), words(please.en, body.en))


def _give(d: Derivation) -> Linked:
    verb, receiver = (
        d.link("给", "give"),
        d.link(*d.choose((("我", "me"), ("我们", "us"), ("他", "him")))),
    )
    noun = d.pick(of_kind(nouns.NOUNS, "drink", "fruit", "tool", "dish"), "object")
    thing = quantity(d, noun, count(d, noun))
    return Linked(words(verb.zh, receiver.zh, thing.zh), words(verb.en, receiver.en, thing.en))


def _told_to(d: Derivation, options: tuple[Verb, ...]) -> Linked:
    """A bare verb phrase, as a request or an order has it."""
    verb = d.pick(options)
    link = d.new_link()
    base = words(forms_of(d, verb).base, link=link)
    zh = words(verb.zh, link=link)
    if not verb.objects:
        return Linked(zh, base)
    pool = verbs.OBJECTS[verb.key]
    if "person" in pool[0].kinds:
        pron = d.link(*d.choose((("我", "me"), ("我们", "us"), ("他", "him"), ("她", "her"))))
        return Linked(words(zh, pron.zh), words(base, pron.en))
    noun = d.pick(pool, "object")
    taken = "film" in noun.kinds or verb.key in MAKING
    thing = demonstrative(d, noun) if taken else known(d, noun, bare=False)
    return Linked(words(zh, thing.zh), words(base, thing.en))


@part("prohibition")
def prohibition(d: Derivation) -> Linked:
    """别哭, 别关上窗户: do not."""
    no = d.link("别", "do not")
    if d.chance(0.35):
        verb = d.link(*d.choose(OPEN_SHUT))
        thing = known(d, d.pick(of_kind(nouns.NOUNS, "opening"), "object"))
        body = Linked(words(verb.zh, thing.zh), words(verb.en, thing.en))
    elif d.chance(0.5):
        body = _told_to(d, FORBIDDEN)
    else:
        body = _told_to(d, tuple(v for v in verbs.TRANSITIVE if v.key in FORBIDDEN_ACTS))
    return Linked(words(no.zh, body.zh), words(no.en, body.en))


FORBIDDEN_ACTS = frozenset(keys("用 吃 喝 卖 拿 看/读 修 搬"))


@part("causative")
def causative(d: Derivation) -> Clause:
    """妈妈让我打扫房间: told me to."""
    subject = who(d)
    verb = d.link(*d.choose((("让", "tell told"), ("请", "ask asked"))))
    helper = other(d, subject, "causee")
    base, past = (words(word.text, link=word.link) for word in verb.en)
    body = _told_to(d, (*ACTS, *tuple(v for v in REQUESTS if v.key not in ("等", "帮助"))))
    zh = words(verb.zh, helper.zh, body.zh)
    rest = words(helper.objective, "to", body.en)
    return Clause(subject, zh, words(past, rest), words("did"), words(base, rest))
