"""Fixed expressions: learnt whole, because their words do not add up to their meaning."""

from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import Derivation, Linked, words
from companion.translator.grammar.lexicon import keys, rows

LONG_TIME = "好久不见"

# The Chinese with spaces between its words.
EXPRESSIONS = tuple(
    (tuple(zh.split()), en)
    for zh, en in rows("""
好久 不 见 | long time no see
谢谢 | thank you
谢谢 你 | thank you
不客气 | you are welcome
没关系 | that is all right
对不起 | I am sorry
不好意思 | excuse me
再见 | goodbye
明天 见 | see you tomorrow
你 好 | hello
早上 好 | good morning
晚上 好 | good evening
晚安 | good night
请 进 | please come in
请 坐 | please sit down
请 等 一下 | please wait a moment
生日 快乐 | happy birthday
新年 快乐 | happy new year
周末 愉快 | have a nice weekend
一路平安 | have a good trip
没问题 | no problem
当然 | of course
马马虎虎 | just so-so
恭喜 | congratulations
祝 你 好运 | good luck
干杯 | cheers
加油 | go for it
小心 | be careful
别 担心 | do not worry
欢迎 光临 | welcome
好 主意 | good idea
真 可惜 | what a pity
太 好 了 | great
怎么 了 ？ | what is wrong?
你 呢 ？ | what about you?
你 好 吗 ？ | how are you?
""")
)


@part("fixed")
def fixed(d: Derivation) -> Linked:
    """好久不见: long time no see."""
    zh, en = d.choose(EXPRESSIONS)
    return expression(d, zh, en)


def expression(d: Derivation, zh: tuple[str, ...], en: str) -> Linked:
    """The expression as one unit: every word is aligned with every word."""
    d.atoms.append("".join(zh))
    link = d.new_link()
    mark = en.endswith("?")
    body = words(*(zh[:-1] if mark else zh), link=link)
    return Linked(
        words(body, "？" if mark else ""),
        words(words(en.removesuffix("?"), link=link), "?" if mark else ""),
    )


@part("vocative")
def vocative(d: Derivation) -> Linked:
    """谢谢你，王先生: an expression and whom it is for."""
    from companion.translator.grammar.noun_phrases import name

    zh, en = d.choose(tuple(e for e in EXPRESSIONS if "".join(e[0]) in CALLED))
    said = expression(d, zh, en)
    whom = name(d, "vocative")
    return Linked(words(said.zh, "，", whom.zh), words(said.en, ",", whom.en))


CALLED = frozenset(
    keys("谢谢你 对不起 再见 早上好 晚上好 晚安 生日快乐 新年快乐 恭喜 加油 不客气 没关系")
)
