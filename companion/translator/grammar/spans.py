"""How long, how often, and what is done already or not yet."""

from companion.translator.grammar import nouns, verbs
from companion.translator.grammar.actions import USES
from companion.translator.grammar.clauses import (
    PERFECT,
    Clause,
    Extras,
    predicate,
)
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, words
from companion.translator.grammar.english import chinese_number, number, plural, verb_forms
from companion.translator.grammar.lexicon import keys, rows
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    known,
    who,
)
from companion.translator.grammar.places import TOWNS, places
from companion.translator.grammar.time_words import SPANS

# Verb, its object in Chinese, English, and the spans (indices of SPANS) that one does it for.
LASTING = tuple(
    (zh, thing, verb_forms(en), tuple(int(index) for index in spans.split()))
    for zh, thing, en, spans in rows("""
学 | 汉语 | study | 1 2 3
学 | 英语 | study | 1 2 3
学 | 法语 | study | 1 2 3
学 | 日语 | study | 1 2 3
等 | - | wait | 4 5
睡 | - | sleep/slept | 4
休息 | - | rest | 0 4 5
工作 | - | work | 0 2 3 4
看 | 书 | read/read/read | 4
看 | 电视 | watch TV | 4
开 | 车 | drive/drove/driven | 4
跑 | 步 | run/ran/run | 4 5
""")
)


def span(d: Derivation, index: int) -> Linked:
    """三天, 两个星期: three days, two weeks."""
    zh, en, measure, most = SPANS[index]
    value = 1 + d.below(most)
    if zh == "分钟":
        value = 10 * (1 + d.below(5))
    numeral = "两" if value == 2 else chinese_number(value)
    # one hour, not "a hour" or "an day": a span of one is counted like the others.
    count_side, unit = d.link(numeral, number(value)), d.link(zh, en if value == 1 else plural(en))
    return Linked(words(count_side.zh, measure, unit.zh), words(count_side.en, unit.en))


@part("duration")
def duration(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他学了三年汉语: the time stands between verb and object."""
    subject = subject or who(d)
    zh_verb, thing, forms, spans = d.choose(LASTING)
    length = span(d, d.choose(spans))
    link = d.new_link()
    d.atoms.append(zh_verb)
    object_side = NOTHING
    if thing in nouns.BY_KEY and nouns.BY_KEY[thing].bare == "name":
        object_side = d.link(thing, nouns.BY_KEY[thing].en)
    elif thing != "-":
        object_side = Linked(words(thing, link=link), ())
    zh = words(words(zh_verb, link=link), "了", length.zh, object_side.zh)
    rest = words(object_side.en, "for", length.en)
    past, base = words(forms.past, link=link), words(forms.base, link=link)
    return Clause(subject, zh, words(past, rest), words("did"), words(base, rest))


@part("frequency")
def frequency(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """我去过北京三次: how many times."""
    subject = subject or who(d)
    value = 1 + d.below(8)
    times = {1: "once", 2: "twice"}.get(value, f"{number(value)} times")
    if value > 2:
        count_side, unit = d.link(chinese_number(value), number(value)), d.link("次", "times")
        often = Linked(words(count_side.zh, unit.zh), words(count_side.en, unit.en))
    else:
        link = d.new_link()
        often = Linked(
            words("两" if value == 2 else "一", "次", link=link), words(times, link=link)
        )
    place = d.pick((*TOWNS, *places("visit")), "place")
    ground = d.link(place.key, place.to)
    both = Linked(words(ground.zh, often.zh), words(ground.en, often.en))
    return predicate(d, subject, verbs.GO_BEEN, PERFECT, both)


@part("already")
def already(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """他已经走了, 他还没走: already, not yet."""
    subject = subject or who(d)
    if d.chance(0.5):
        yet = Linked(words("还"), words("yet"))
        yet = d.link("还", "yet")
        clause = _perfect(d, subject, "n", negative=True)
        return clause._replace(zh=words(yet.zh, clause.zh), tail=yet.en)
    adverb = d.link("已经", "already")
    return _perfect(d, subject, "l", adverb=adverb)


def _perfect(
    d: Derivation,
    subject: NounPhrase,
    letter: str,
    *,
    negative: bool = False,
    adverb: Linked = NOTHING,
) -> Clause:
    """A clause whose English is the perfect while the Chinese has 了, or 没 when denied."""
    if d.chance(0.5) and not d.wanted:
        verb, target = d.pick(FINISHED), None
    else:
        verb = d.pick(tuple(v for v in USES[letter] if v.key in DONE_ALREADY))
        noun = d.pick(verbs.OBJECTS[verb.key], "object")
        target = known(d, noun, bare=False)
    extras = Extras(adverb=adverb)
    tense = PERFECT._replace(after="" if negative else "了")
    clause = predicate(d, subject, verb, tense, target, extras, negative=negative)
    if not negative:
        return clause
    swap = {"never": "not"}

    def not_never(en: tuple) -> tuple:
        return tuple(w._replace(text=swap.get(w.text, w.text)) for w in en)

    return clause._replace(
        statement=not_never(clause.statement), remainder=not_never(clause.remainder)
    )


FINISHED = tuple(
    verb for verb in verbs.INTRANSITIVE if verb.key in keys("走 出去 回家 起床 结婚 毕业")
)
DONE_ALREADY = frozenset(keys("买 卖 洗 修 看 看/读 找到 打扫 翻译 回答"))
