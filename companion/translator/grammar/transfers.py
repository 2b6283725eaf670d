"""Who does what to whom: 把, 被, 给, and objects that are moved to the front."""

from dataclasses import dataclass

from companion.translator.grammar import nouns
from companion.translator.grammar.actions import count, when
from companion.translator.grammar.clauses import (
    BE_PAST,
    Clause,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Entry, words
from companion.translator.grammar.english import VerbForms, verb_forms
from companion.translator.grammar.existence import BAGS, SURFACES
from companion.translator.grammar.lexicon import Noun, of_kind, read_verbs, rows
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    definite,
    known,
    other,
    quantity,
    who,
)
from companion.translator.grammar.time_words import SHORT_PAST


@dataclass(frozen=True, slots=True)
class Deed(Entry):
    """A verb with its result, as 把 and 被 want it: 打破 is break.

    `uses`: b takes 把, p takes 被 with an agent, a takes 被 without one.
    """

    key: str
    result: str
    forms: VerbForms
    objects: tuple[Noun, ...]
    uses: str
    exposures: int = 0


def _deeds(table: str) -> tuple[Deed, ...]:
    deeds = []
    for zh, en, kinds, uses in rows(table):
        verb, _, result = zh.partition("+")
        found = tuple(
            noun
            for noun in nouns.NOUNS
            if noun.key in kinds.split() or any(kind in noun.kinds for kind in kinds.split())
        )
        deeds.append(Deed(verb + result, "", verb_forms(en), found, uses))
    return tuple(deeds)


DEEDS = _deeds("""
吃 | eat/ate/eaten | fruit dish 鸡蛋 | bp
吃完 | finish | dish 米饭 牛肉 | b
喝 | drink/drank/drunk | 牛奶 果汁 啤酒 咖啡 茶 | bp
喝完 | finish | 牛奶 果汁 啤酒 咖啡 茶 汤 | b
卖 | sell/sold | vehicle house gadget furniture 画 | bpa
卖掉 | sell/sold | vehicle house gadget furniture 画 | bpa
打破 | break/broke/broken | vessel mirror 窗户 | bpa
弄坏 | damage | gadget 椅子 伞 自行车 玩具 眼镜 手表 | bpa
弄丢 | lose/lost | portable | b
拿走 | take/took/taken away | portable | bpa
偷走 | steal/stole/stolen | gift vehicle 票 | pa
借走 | borrow | book 词典 汽车 自行车 摩托车 | bp
修好 | repair | vehicle gadget 椅子 桌子 门 | bpa
洗好 | wash | vessel cloth | b
洗干净 | wash | vessel cloth vehicle | bp
找到 | find/found | portable pet | bpa
带来 | bring/brought | portable fruit | b
打开 | open | opening container | bp
关上 | close | opening | bp
做完 | finish | task | b
写完 | finish | text | b
看完 | finish | 书 小说 杂志 | b
扔掉 | throw/threw/thrown away | 鞋 报纸 杂志 椅子 玩具 本子 箱子 | bpa
忘 | forget/forgot/forgotten | 名字 作业 | b
翻译好 | translate | text | bp
打扫干净 | clean | room | b
批评 | criticize | person | p
表扬 | praise | person | p
骗 | cheat | person | pa
""")
DISPOSALS = tuple(deed for deed in DEEDS if "b" in deed.uses)
SUFFERED = tuple(deed for deed in DEEDS if "p" in deed.uses)
AGENTLESS = tuple(deed for deed in DEEDS if "a" in deed.uses)

PUT = read_verbs("放 | put/put/put/putting ||")[0]
GIVE_BA = tuple(
    read_verbs("""
送给 | give/gave/given ||
还给 | return ||
借给 | lend/lent ||
卖给 | sell/sold ||
寄给 | send/sent ||
""")
)
GIVEN = {
    "送给": of_kind(nouns.NOUNS, "gift"),
    "还给": tuple(n for n in of_kind(nouns.NOUNS, "book", "tool", "keys") if not n.exposures),
    "借给": of_kind(nouns.NOUNS, "book", "tool", "vehicle"),
    "卖给": of_kind(nouns.NOUNS, "vehicle", "gadget", "house", "picture"),
    "寄给": of_kind(nouns.NOUNS, "mail", "photo", "book", "present"),
}
ARTICLES = of_kind(nouns.NOUNS, "book", "vessel", "keys", "photo", "toy", "tool")


@part("ba")
def ba(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他把杯子打破了: 把 puts the object before the verb."""
    dice = d.generator.random()
    if dice < 0.18:
        return _put(d, subject)
    if dice < 0.36 and not d.wanted:
        return _hand_over(d, subject)
    subject = subject or who(d)
    deed = d.pick(_for_wanted(d, DISPOSALS))
    thing = known(d, d.pick(deed.objects, "object"))
    time = when(d, SHORT_PAST, 0.25)
    verb = d.link(deed.key, deed.forms.past)
    zh = words(time.zh, "把", thing.zh, verb.zh, "了")
    statement = words(verb.en, thing.objective)
    bare = words(deed.forms.base, link=verb.zh[0].link)
    return Clause(subject, zh, statement, words("did"), words(bare, thing.objective), time.en)


def _for_wanted(d: Derivation, deeds: tuple[Deed, ...]) -> tuple[Deed, ...]:
    """The deeds that can have a wanted noun as their object; all, if nothing is wanted."""
    if not d.wanted:
        return deeds
    fitting = tuple(
        deed
        for deed in deeds
        if deed.key in d.wanted or any(n.key in d.wanted for n in deed.objects)
    )
    return fitting or deeds


def _put(d: Derivation, subject: NounPhrase | None) -> Clause:
    """他把书放在桌子上了: put the book on the table."""
    subject = subject or who(d)
    thing = known(d, d.pick(ARTICLES, "object"))
    noun = d.pick(SURFACES if d.chance(0.7) else BAGS, "place")
    zh_in, en_in = ("里", "in") if noun in BAGS else ("上", "on")
    ground, relation = definite(d, noun), d.link(zh_in, en_in)
    verb = d.link("放", "put")
    zh = words("把", thing.zh, verb.zh, "在", ground.zh, relation.zh, "了")
    rest = words(verb.en, thing.objective, relation.en, ground.en)
    return Clause(subject, zh, rest, words("did"), rest)


def _hand_over(d: Derivation, subject: NounPhrase | None) -> Clause:
    """我把书还给他了: returned the book to him."""
    subject = subject or who(d)
    verb = d.pick(GIVE_BA)
    thing = known(d, d.pick(GIVEN[verb.key], "object"))
    receiver = other(d, subject, "receiver")
    link = d.new_link()
    zh = words("把", thing.zh, words(verb.zh, link=link), receiver.zh, "了")
    rest = words(thing.objective, "to", receiver.objective)
    past, base = words(verb.forms.past, link=link), words(verb.forms.base, link=link)
    return Clause(subject, zh, words(past, rest), words("did"), words(base, rest))


@part("bei")
def bei(d: Derivation) -> Clause:
    """杯子被他打破了: the passive; 被偷走了 without an agent."""
    agentless = d.chance(0.3)
    deed = d.pick(_for_wanted(d, AGENTLESS if agentless else SUFFERED))
    if "person" in deed.objects[0].kinds:
        thing = who(d)
    else:
        thing = known(d, d.pick(deed.objects, "subject"))
    verb, mark = d.link(deed.key, deed.forms.participle), d.new_link()
    be = words(BE_PAST[thing.agreement], link=mark)
    if agentless:
        zh = words(words("被", link=mark), verb.zh, "了")
        return Clause(thing, zh, words(be, verb.en), be, verb.en)
    agent = other(d, thing, "agent")
    by = words("by", link=mark)
    zh = words(words("被", link=mark), agent.zh, verb.zh, "了")
    rest = words(verb.en, by, agent.objective)
    return Clause(thing, zh, words(be, rest), be, rest)


@part("dative")
def dative(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他给了我一本书: two objects, in the same order as in English."""
    subject = subject or who(d)
    zh_verb, base, past, pool = d.choose(DATIVES)
    noun = d.pick(pool, "object")
    receiver = other(d, subject, "receiver")
    thing = quantity(d, noun, count(d, noun))
    link = d.new_link()
    time = when(d, SHORT_PAST, 0.25)
    rest = words(receiver.objective, thing.objective)
    statement, bare = words(words(past, link=link), rest), words(words(base, link=link), rest)
    zh = words(time.zh, words(zh_verb, link=link), "了", receiver.zh, thing.zh)
    return Clause(subject, zh, statement, words("did"), bare, time.en)


DATIVES = (
    ("给", "give", "gave", of_kind(nouns.NOUNS, "gift", "fruit", "ticket", "drink", "present")),
    ("送", "give", "gave", of_kind(nouns.NOUNS, "gift", "present")),
    ("问", "ask", "asked", of_kind(nouns.NOUNS, "question")),
    ("借给", "lend", "lent", of_kind(nouns.NOUNS, "book", "tool")),
)


@part("benefactive")
def benefactive(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他给我买了一件礼物: 给 before the verb, for or to after it in English."""
    subject = subject or who(d)
    zh_verb, base, past, preposition, pool = d.choose(FAVOURS)
    noun = d.pick(pool, "object")
    receiver = other(d, subject, "receiver")
    thing = quantity(d, noun, count(d, noun))
    link = d.new_link()
    to = d.link("给", preposition)
    time = when(d, SHORT_PAST, 0.25)
    rest = words(thing.objective, to.en, receiver.objective)
    zh = words(time.zh, to.zh, receiver.zh, words(zh_verb, link=link), "了", thing.zh)
    statement, bare = words(words(past, link=link), rest), words(words(base, link=link), rest)
    return Clause(subject, zh, statement, words("did"), bare, time.en)


FAVOURS = (
    (
        "买",
        "buy",
        "bought",
        "for",
        of_kind(nouns.NOUNS, "gift", "present", "fruit", "drink", "ticket"),
    ),
    ("做", "make", "made", "for", of_kind(nouns.NOUNS, "dish")),
    ("写", "write", "wrote", "to", (*of_kind(nouns.NOUNS, "mail"), nouns.BY_KEY["邮件"])),
    ("唱", "sing", "sang", "for", of_kind(nouns.NOUNS, "song")),
    ("寄", "send", "sent", "to", of_kind(nouns.NOUNS, "mail", "photo", "present")),
)
