"""When: words and phrases of time, grouped by the tense that they call for, and adverbs."""

from dataclasses import dataclass

from companion.translator.grammar.derivation import Entry
from companion.translator.grammar.lexicon import rows


@dataclass(frozen=True, slots=True)
class Time(Entry):
    """A time word; it stands after the subject in Chinese and at the end in English."""

    key: str
    en: str
    exposures: int = 0


@dataclass(frozen=True, slots=True)
class Adverb(Entry):
    """An adverb that stands before the verb in both languages."""

    key: str
    zh: str
    en: str
    exposures: int = 0


def _times(table: str) -> tuple[Time, ...]:
    return tuple(Time(zh, en) for zh, en in rows(table))


PAST = _times("""
昨天 | yesterday
前天 | the day before yesterday
上个星期 | last week
上个月 | last month
去年 | last year
昨天晚上 | last night
昨天下午 | yesterday afternoon
昨天早上 | yesterday morning
上个周末 | last weekend
""")
FUTURE = _times("""
明天 | tomorrow
后天 | the day after tomorrow
下个星期 | next week
下个月 | next month
明年 | next year
今天晚上 | tonight
明天下午 | tomorrow afternoon
明天早上 | tomorrow morning
下个周末 | next weekend
""")
HABIT = _times("""
每天 | every day
每天早上 | every morning
每天下午 | every afternoon
每天晚上 | every evening
每个星期 | every week
每个周末 | every weekend
""")
NOW = _times("现在 | now")
# Spans that are over within the same day fit every action; years do not ("wash a cup last year").
SHORT_PAST = tuple(time for time in PAST if time.key not in ("去年", "上个月"))

WEEKDAYS = _times("""
星期一 | Monday
星期二 | Tuesday
星期三 | Wednesday
星期四 | Thursday
星期五 | Friday
星期六 | Saturday
星期天 | Sunday
""")
# A bare 星期一 is the one to come.
SHORT_FUTURE = (
    *(time for time in FUTURE if time.key not in ("明年", "下个月")),
    *(Time(day.key, f"on {day.en}") for day in WEEKDAYS),
)
MONTHS = _times("""
一月 | January
二月 | February
三月 | March
四月 | April
五月 | May
六月 | June
七月 | July
八月 | August
九月 | September
十月 | October
十一月 | November
十二月 | December
""")
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

# Spans for "three days ago" and "for three days": Chinese, English, measure word, largest count.
SPANS = (
    ("天", "day", "", 6),
    ("星期", "week", "个", 4),
    ("月", "month", "个", 10),
    ("年", "year", "", 10),
    ("小时", "hour", "个", 9),
    ("分钟", "minute", "", 9),
)

FREQUENCY = tuple(
    Adverb(zh, zh, en)
    for zh, en in rows("""
常常 | often
经常 | often
总是 | always
有时候 | sometimes
""")
)
ALSO = Adverb("也", "也", "also")
ALL = Adverb("都", "都", "all")
ONLY = Adverb("只", "只", "only")
