"""Online softmax: the references and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

SUM, ATTENTION = "streaming_logsumexp", "blockwise_attention"
exercise = Exercise(__file__, order=330, minutes=25, parts=(SUM, ATTENTION))


@exercise.oracle(SUM, axes="row")
def sum_reference(scores, widths):
    """All scores at once: nothing is streamed, and only the overall maximum is subtracted."""
    visible = scores[:, : sum(widths)]
    highest = np.maximum(visible.max(axis=1), -1e300)
    with np.errstate(divide="ignore"):
        return highest + np.log(np.exp(visible - highest[:, None]).sum(axis=1))


@exercise.oracle(ATTENTION, axes="batch head query d_v")
def attention_reference(query, key, value, widths):
    """Vaswani et al. (2017), equation 1, with the whole row of weights; widths play no part."""
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("bhqk,bhkv->bhqv", weights, value)


def scores(rows: list[list[float]] | np.ndarray, widths: list[int], label: str) -> Case:
    """A call of streaming_logsumexp with blocks of these widths."""
    arguments = {"scores": np.asarray(rows, dtype=float), "widths": widths}
    return Case(SUM, arguments, label, via="streamed_scores")


def random_scores(draw: Draw, label: str) -> Case:
    """Three blocks of different widths; the number of rows differs as well."""
    rows, *widths = draw.dims("rows", "first", "second", "third")
    return scores(3 * draw.normal(rows, sum(widths)), widths, label)


def attention(draw: Draw, label: str, widths: list[int] | None = None, **sizes: int) -> Case:
    """A call of blockwise_attention; every size that is not given differs from all others."""
    names = ("batch", "heads", "queries", "d_k", "d_v")
    *drawn, first, second = draw.dims(*names, "first", "second")
    b, h, q, d_k, d_v = (sizes.get(n, size) for n, size in zip(names, drawn, strict=True))
    widths = widths or [first, second]
    arguments = {
        "query": draw.normal(b, h, q, d_k),
        "key": draw.normal(b, h, sum(widths), d_k),
        "value": draw.normal(b, h, sum(widths), d_v),
        "widths": widths,
    }
    return Case(ATTENTION, arguments, label, via="streamed_keys")


def with_scores(draw: Draw, rows: list[float], widths: list[int], label: str) -> Case:
    """One query, d_k = 1: the scores are these numbers."""
    case = attention(draw, label, widths, batch=1, heads=1, queries=1, d_k=1, d_v=2)
    return case.but(query=np.ones((1, 1, 1, 1)), key=np.reshape(rows, (1, 1, -1, 1)))


# --- streaming_logsumexp


@exercise.check(Stage.CONTRACT, part=SUM, judge="shape")
def one_number_for_each_row(draw):
    return [random_scores(draw, "three blocks")]


@exercise.check(Stage.CONTRACT, part=SUM, judge="dtype")
def sum_keeps_the_dtype(draw):
    case = random_scores(draw, "three blocks")
    return [case.set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED, part=SUM)
def a_single_block(draw):
    return [scores([[0, 1, 2], [3, 1, 0]], [3], "one block")]


@exercise.check(Stage.ISOLATED, part=SUM)
def blocks_with_equal_maxima(draw):
    return [scores([[1, 2, 2, 0]], [2, 2], "both blocks have the maximum 2: nothing to rescale")]


@exercise.check(Stage.ISOLATED, part=SUM)
def a_larger_score_comes_later(draw):
    return [
        scores([[0, 1, 3]], [2, 1], "the example: first 0 and 1, then 3"),
        scores([[1, 2, 3, 4]], [1, 1, 1, 1], "1, 2, 3, 4, one at a time"),
    ]


@exercise.check(Stage.ISOLATED, part=SUM)
def a_smaller_score_comes_later(draw):
    return [scores([[3, 2, 1, 0]], [2, 1, 1], "first 3 and 2, then 1, then 0")]


@exercise.check(Stage.ORACLE, part=SUM)
def equals_the_sum_over_everything(draw):
    return [random_scores(draw, "three blocks").set(dtype="float64") for _ in range(2)]


@exercise.check(Stage.PROPERTIES, part=SUM)
def where_the_cuts_are_does_not_matter(draw):
    case = random_scores(draw, "three blocks")
    length = case.arguments["scores"].shape[1]
    first, second = yield [case, case.but("one score at a time", widths=[1] * length)]
    expect_equal(first, second, "The same scores, cut into other blocks, give another result.")


@exercise.check(Stage.GRADIENTS, part=SUM)
def gradients_are_the_softmax(draw):
    case = scores(draw.normal(2, 6), [1, 2, 3], "gradients; the blocks stay in memory")
    case = case.set(dtype="float64", via="listed_scores", differentiate=("scores",))
    return [case.set(cotangent=draw.normal(2))]


@exercise.check(Stage.EDGES, part=SUM)
def scores_far_from_zero(draw):
    return [
        scores([[1000, 999, 998, 1001]], [2, 2], "scores around 1000"),
        scores([[-1000, -999, -998, -1001]], [2, 2], "scores around -1000"),
        scores([[900, 899, -900, -901]], [2, 2], "first around 900, then around -900"),
        scores([[800, 801, 802], [-800, -801, -802]], [2, 1], "one row high, one row low"),
    ]


@exercise.check(Stage.EDGES, part=SUM)
def hidden_keys(draw):
    hidden = -np.inf
    return [
        scores([[hidden, hidden, 1, 2]], [2, 2], "the first block is hidden"),
        scores([[1, 2, hidden, hidden]], [2, 2], "the second block is hidden"),
        scores([[hidden, hidden], [1, 2]], [1, 1], "one row is hidden everywhere"),
    ]


# --- blockwise_attention


@exercise.check(Stage.CONTRACT, part=ATTENTION, judge="shape")
def one_row_for_each_query(draw):
    return [attention(draw, "two blocks")]


@exercise.check(Stage.CONTRACT, part=ATTENTION, judge="dtype")
def attention_keeps_the_dtype(draw):
    case = attention(draw, "two blocks")
    return [case.set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def one_block_is_ordinary_attention(draw):
    return [
        with_scores(draw, [0.5, -1.0, 2.0], [3], "one block, d_k = 1"),
        attention(draw, "one block", [5]),
    ]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def equal_scores_average_all_values(draw):
    return [with_scores(draw, [1.0, 1.0, 1.0], [2, 1], "three equal scores in two blocks")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def old_sums_are_rescaled(draw):
    return [
        with_scores(draw, [0.0, 1.0, 3.0], [2, 1], "first 0 and 1, then 3; d_k = 1"),
        with_scores(draw, [3.0, 1.0, 0.0], [1, 2], "first 3, then 1 and 0; d_k = 1"),
    ]


@exercise.check(Stage.ORACLE, part=ATTENTION)
def equals_attention_over_everything(draw):
    cuts = (None, [1, 4, 2])
    return [attention(draw, "all sizes different", cut).set(dtype="float64") for cut in cuts]


@exercise.check(Stage.PROPERTIES, part=ATTENTION)
def the_order_of_the_blocks_does_not_matter(draw):
    case = attention(draw, "as drawn", [2, 3])
    a = case.arguments
    turned = {name: np.roll(a[name], 3, axis=2) for name in ("key", "value")}
    other = case.but("the second block first", widths=[3, 2], **turned)
    first, second = yield [case, other]
    expect_equal(first, second, "The same blocks in another order give another result.")


@exercise.check(Stage.PROPERTIES, part=ATTENTION)
def the_result_lies_between_the_values(draw):
    case = attention(draw, "two blocks; all values between 1 and 2", [4, 3])
    value = 1 + draw.rng.random(case.arguments["value"].shape)
    (trial,) = yield [case.but(value=value)]
    low, high = float(numbers(trial).min()), float(numbers(trial).max())
    fact = f"All values lie between 1 and 2, so must every average; yours go from {low:.3g}"
    expect(low > 0.999 and high < 2.001, f"{fact} to {high:.3g}.", trial)


@exercise.check(Stage.GRADIENTS, part=ATTENTION)
def attention_gradients(draw):
    case = attention(draw, "gradients", [2, 3], batch=1, heads=2, queries=3, d_k=4, d_v=2)
    case = case.set(dtype="float64", via="listed_keys", differentiate=("query", "key", "value"))
    return [case.set(cotangent=draw.normal(1, 2, 3, 2))]


@exercise.check(Stage.EDGES, part=ATTENTION)
def large_scores_stay_finite(draw):
    return [
        with_scores(draw, [1000.0, 999.0, 1001.0], [2, 1], "scores around 1000"),
        with_scores(draw, [900.0, 899.0, -900.0], [2, 1], "first around 900, then -900"),
        with_scores(draw, [-1000.0, -999.0, -1001.0], [2, 1], "scores around -1000"),
        two_queries(draw),
    ]


def two_queries(draw: Draw) -> Case:
    """The same key gives one query a score of 800 and the other -800."""
    case = attention(draw, "one query's scores high, another's low", [2, 1], d_k=1, queries=2)
    shape = case.arguments["key"].shape
    query = np.broadcast_to(np.array([[800.0], [-800.0]]), (*shape[:2], 2, 1))
    case = case.but(query=query, key=1 + 0.001 * case.arguments["key"])
    return case.set(dtype="float64")
