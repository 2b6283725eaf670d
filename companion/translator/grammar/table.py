"""The table of constructions. To add one, write a small function and give it a row here."""

from collections.abc import Callable

from companion.translator.grammar import (
    arrangements,
    calendar_and_weather,
    comparisons,
    descriptions,
    embedding,
    existence,
    expressions,
    manner,
    orders,
    quantity_questions,
    question_words,
    questions,
    reasons,
    spans,
    statements,
    transfers,
)
from companion.translator.grammar.clauses import Clause, statement
from companion.translator.grammar.construction import Construction
from companion.translator.grammar.derivation import Derivation, Linked

Build = Callable[[Derivation], Clause | Linked]


def sentence(build: Build) -> Callable[[Derivation], Linked]:
    """A construction that makes whole sentences, of one that may make a clause."""

    def whole(d: Derivation) -> Linked:
        result = build(d)
        return statement(result) if isinstance(result, Clause) else result

    return whole


def _row(name: str, build: Build, weight: float, shows: str) -> Construction:
    return Construction(name, sentence(build), weight, shows)


CONSTRUCTIONS = (
    _row("fixed", expressions.fixed, 0.2, "expressions that are learnt whole"),
    _row("vocative", expressions.vocative, 0.4, "an expression and whom it is said to"),
    _row("habitual", statements.habitual, 3.0, "每天, 常常: the present"),
    _row("not_habitual", statements.not_habitual, 1.5, "不: does not"),
    _row("stative", statements.stative, 3.0, "喜欢, 认识, 需要: states"),
    _row("perfective", statements.perfective, 3.0, "了: the past"),
    _row("negated_past", statements.negated_past, 2.0, "没: did not"),
    _row("experiential", statements.experiential, 2.0, "过: have ever"),
    _row("progressive", statements.progressive, 3.0, "在, 正在: be -ing"),
    _row("future", statements.future, 3.0, "会, 要, 打算: will, going to, planning to"),
    _row("wish", statements.wish, 2.0, "想: want to"),
    _row("skill", statements.skill, 1.5, "会: can"),
    _row("modal", statements.modal, 2.0, "能, 可以, 应该, 必须"),
    _row("identity", descriptions.identity, 2.0, "是: be a"),
    _row("adjective", descriptions.adjective, 3.0, "很 and adjectives"),
    _row("too", descriptions.too, 1.2, "太 … 了"),
    _row("past_state", descriptions.past_state, 1.5, "昨天 … 很: was"),
    _row("location", existence.location, 2.0, "在: be at, be on"),
    _row("existential", existence.existential, 2.0, "有: there is"),
    _row("nothing_there", existence.nothing_there, 1.2, "没有: there is no"),
    _row("residence", existence.residence, 1.2, "住在"),
    _row("possession", existence.possession, 2.0, "有: have"),
    _row("no_possession", existence.no_possession, 1.5, "没有: not have"),
    _row("age", calendar_and_weather.age, 1.5, "岁"),
    _row("price", calendar_and_weather.price, 1.8, "块钱"),
    _row("calendar", calendar_and_weather.calendar, 2.5, "dates and days of the week"),
    _row("weather", calendar_and_weather.weather, 2.0, "下雨, 冷: it"),
    _row("clock", arrangements.clock, 2.0, "点, 半"),
    _row("comparison", comparisons.comparison, 3.0, "比"),
    _row("inferiority", comparisons.inferiority, 1.5, "没有 … 那么"),
    _row("equality", comparisons.equality, 1.5, "跟 … 一样"),
    _row("superlative", comparisons.superlative, 1.5, "最"),
    _row("more_and_more", comparisons.more_and_more, 1.2, "越来越"),
    _row("ba", transfers.ba, 3.5, "把"),
    _row("bei", transfers.bei, 3.0, "被"),
    _row("dative", transfers.dative, 2.0, "给 with two objects"),
    _row("benefactive", transfers.benefactive, 2.0, "给 before the verb"),
    _row("topic", arrangements.topic, 2.0, "the object in front"),
    _row("time_front", arrangements.time_front, 3.0, "the time in front"),
    _row("manner", manner.manner, 1.5, "得"),
    _row("duration", spans.duration, 1.5, "how long"),
    _row("frequency", spans.frequency, 1.5, "次"),
    _row("transport", manner.transport, 2.0, "坐, 骑, 开: by"),
    _row("company", manner.company, 2.0, "跟 … 一起: with"),
    _row("purpose", manner.purpose, 2.0, "two verbs in a row: to"),
    _row("already", spans.already, 1.5, "已经, 还没"),
    _row("wearing", arrangements.wearing, 1.5, "着"),
    _row("coordination", arrangements.coordination, 2.0, "和"),
    _row("request", orders.request, 1.5, "请"),
    _row("prohibition", orders.prohibition, 1.2, "别"),
    _row("causative", orders.causative, 1.5, "让, 请"),
    _row("yes_no", questions.yes_no, 3.5, "吗"),
    _row("a_not_a", questions.a_not_a, 2.0, "是不是, 有没有"),
    _row("who", question_words.who_question, 2.0, "谁"),
    _row("what", question_words.what_question, 2.0, "什么"),
    _row("where", question_words.where_question, 2.0, "哪里"),
    _row("when", question_words.when_question, 1.5, "什么时候"),
    _row("why", question_words.why_question, 1.5, "为什么"),
    _row("how", question_words.how_question, 1.5, "怎么"),
    _row("how_many", quantity_questions.how_many, 1.5, "几"),
    _row("which", quantity_questions.which_question, 1.5, "哪"),
    _row("whose", quantity_questions.whose_question, 0.8, "谁的"),
    _row("how_old", quantity_questions.how_old, 1.2, "多大, 多少钱"),
    _row("choice", quantity_questions.choice, 1.2, "还是"),
    _row("because", reasons.because, 3.0, "因为 … 所以"),
    _row("although", reasons.although, 2.0, "虽然 … 但是"),
    _row("condition", reasons.condition, 2.0, "如果 … 就"),
    _row("when_clause", reasons.when_clause, 2.0, "的时候"),
    _row("before_after", reasons.before_after, 2.0, "以前, 以后"),
    _row("report", embedding.report, 3.0, "说, 知道, 觉得, 希望"),
    _row("nested_report", embedding.nested_report, 2.5, "a report in a report"),
    _row("indirect_question", embedding.indirect_question, 2.0, "知道 and a question word"),
    _row("relative_subject", embedding.relative_subject, 3.0, "的-clause in the subject"),
    _row("relative_object", embedding.relative_object, 3.0, "的-clause in the object"),
)
BY_NAME = {construction.name: construction for construction in CONSTRUCTIONS}
# Never tested on: one has met them or one has not.
UNTESTED = ("fixed", "vocative")
