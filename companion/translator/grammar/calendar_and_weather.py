"""Numbers in use: ages, prices, dates, and the weather of a day."""

from companion.translator.grammar import nouns, places
from companion.translator.grammar.clauses import Clause, copula
from companion.translator.grammar.construction import part
from companion.translator.grammar.derivation import NOTHING, Derivation, Linked, words
from companion.translator.grammar.descriptions import BEFORE, DEGREES, owned_by
from companion.translator.grammar.english import chinese_number, number
from companion.translator.grammar.lexicon import keys, of_kind
from companion.translator.grammar.noun_phrases import (
    NounPhrase,
    demonstrative,
    name,
    plain,
    possessed,
    relative,
    someone,
)
from companion.translator.grammar.time_words import DAYS_IN_MONTH, MONTHS, WEEKDAYS


@part("age")
def age(d: Derivation) -> Clause:
    """他今年二十五岁: no verb in Chinese."""
    subject = someone(d, lambda phrase: phrase.head == "你" or phrase.agreement != "pl")
    youngest, oldest = AGES.get(subject.head, (20, 70) if subject.head in nouns.BY_KEY else (6, 80))
    value = youngest + d.below(oldest - youngest)
    side = d.link(chinese_number(value), number(value))
    unit = d.link("岁", "years old")
    this_year = Linked(words("今年"), ()) if d.chance(0.3) else NOTHING
    return copula(subject, words(this_year.zh, side.zh, unit.zh), words(side.en, unit.en))


AGES = {
    **dict.fromkeys(("爷爷", "奶奶"), (60, 95)),
    **dict.fromkeys(keys("爸爸 妈妈 父亲 母亲 叔叔 阿姨"), (30, 65)),
    **dict.fromkeys(("儿子", "女儿", "弟弟", "妹妹"), (3, 40)),
    **dict.fromkeys(("孩子", "男孩", "女孩"), (3, 15)),
}


@part("price")
def price(d: Derivation) -> Clause:
    """这本书三十块钱: costs, with no verb in Chinese."""
    noun = d.pick(PRICED, "subject")
    subject = demonstrative(d, noun)
    value = 2 + d.below(97)
    side, unit = (
        d.link(chinese_number(value) if value != 2 else "两", number(value)),
        d.link("块", "yuan"),
    )
    zh = words(side.zh, unit.zh, "钱")
    en = words(side.en, unit.en)
    return Clause(subject, zh, words("costs", en), words("does"), words("cost", en))


PRICED = tuple(
    noun
    for noun in of_kind(nouns.NOUNS, "book", "clothes", "hat", "vessel", "tool", "ticket", "toy")
    if not noun.exposures
)


def date_words(d: Derivation) -> Linked:
    """三月五号: March 5."""
    index = d.below(12)
    month = MONTHS[index]
    d.atoms.append(month.key)
    day = 1 + d.below(DAYS_IN_MONTH[index])
    month_side, day_side = d.link(month.key, month.en), d.link(chinese_number(day), str(day))
    return Linked(words(month_side.zh, day_side.zh, "号"), words(month_side.en, day_side.en))


@part("calendar")
def calendar(d: Derivation) -> Clause:
    """今天是星期一, 他的生日是三月五号: days and dates."""
    be = d.new_link()
    is_date = d.chance(0.6)
    content = date_words(d) if is_date else d.link(*_weekday(d))
    if is_date and d.chance(0.6):
        subject = _birthday(d)
    else:
        day, english, past = d.choose(DAYS)
        subject = plain(*d.link(day, english), head=day)
        return copula(
            subject, words(words("是", link=be), content.zh), content.en, past=past, be=be
        )
    return copula(subject, words(words("是", link=be), content.zh), content.en, be=be)


DAYS = (("今天", "today", False), ("明天", "tomorrow", False), ("昨天", "yesterday", True))


def _weekday(d: Derivation) -> tuple[str, str]:
    day = d.pick(WEEKDAYS)
    return day.key, day.en


def _birthday(d: Derivation) -> NounPhrase:
    """我的生日, 我妈妈的生日, 大卫的生日: possessive 's and pronouns."""
    birthday = nouns.BY_KEY["生日"]
    if d.chance(0.4):
        return possessed(d, birthday)
    owner = relative(d, "owner") if d.chance(0.5) else name(d, "owner")
    return owned_by(d, owner, birthday)


# Falling: Chinese, English by tense.
RAIN = (
    ("下雨", {"past": "rained", "future": "rain", "present": "raining"}),
    ("下雪", {"past": "snowed", "future": "snow", "present": "snowing"}),
)
DAYS_PAST = (("昨天", "yesterday"), ("前天", BEFORE), ("昨天晚上", "last night"))
DAYS_TO_COME = (
    ("明天", "tomorrow"),
    ("后天", "the day after tomorrow"),
    ("今天晚上", "tonight"),
)
CLIMATE = (("冷", "cold"), ("热", "hot"), ("凉快", "cool"), ("暖和", "warm"))


@part("weather")
def weather(d: Derivation) -> Linked:
    """今天很冷, 昨天下雨了, 伦敦正在下雪: it, where Chinese has no subject."""
    ground = NOTHING
    if d.chance(0.6):
        city = d.pick(places.TOWNS, "place")
        ground = d.link(city.key, city.at)
    dice = d.generator.random()
    if dice < 0.35:
        return _weather_state(d, ground)
    zh, forms = d.choose(RAIN)
    if dice < 0.6:
        day, rain = d.link(*d.choose(DAYS_PAST)), d.link(zh, forms["past"])
        en = words("it", rain.en, ground.en, day.en)
        return Linked(words(day.zh, ground.zh, rain.zh, "了"), en)
    if dice < 0.8:
        day, rain = d.link(*d.choose(DAYS_TO_COME)), d.link(zh, forms["future"])
        will = d.link("会", "will")
        en = words("it", will.en, rain.en, ground.en, day.en)
        return Linked(words(day.zh, ground.zh, will.zh, rain.zh), en)
    rain, now = d.link(zh, forms["present"]), NOTHING
    if d.chance(0.4):
        now = d.link("现在", "now")
    # 伦敦在下雨 would put two 在 side by side with 在伦敦; 正在 is what one says.
    be = d.link("正在" if ground.zh else "在", "is")
    en = words("it", be.en, rain.en, ground.en, now.en)
    return Linked(words(now.zh, ground.zh, be.zh, rain.zh), en)


def _weather_state(d: Derivation, ground: Linked) -> Linked:
    day, english, past = d.choose(
        (("今天", "today", "is"), ("昨天", "yesterday", "was"), ("现在", "now", "is"))
    )
    time, feel = d.link(day, english), d.link(*d.choose(CLIMATE))
    degree = d.link(*d.choose(DEGREES[2:5]))
    zh = words(time.zh, ground.zh, degree.zh, feel.zh)
    return Linked(zh, words("it", past, degree.en, feel.en, ground.en, time.en))
