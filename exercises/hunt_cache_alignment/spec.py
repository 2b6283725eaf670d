"""Hunt for the causal mask at the wrong corner: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

ATTEND = "attend_with_cache"
exercise = Exercise(__file__, order=360, minutes=15, parts=(ATTEND,))


@exercise.oracle(ATTEND, axes="batch head query feature")
def reference(query, key, value, past_key, past_value):
    """Query by query: all that is stored, and the new positions up to its own."""
    result = np.zeros_like(query)
    for b, h, q in np.ndindex(*query.shape[:3]):
        keys = [*past_key[b, h], *key[b, h, : q + 1]]
        values = [*past_value[b, h], *value[b, h, : q + 1]]
        scores = np.array([k @ query[b, h, q] for k in keys]) / np.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max())
        result[b, h, q] = sum(w * v for w, v in zip(weights, values, strict=True)) / weights.sum()
    return result


def case(
    draw: Draw, label: str, past: int, new: int, size: tuple[int, int, int] = (1, 1, 4)
) -> Case:
    """A call with this many stored and new positions; ``size`` is batch, heads, d_k."""
    batch, heads, width = size
    arguments = {name: draw.normal(batch, heads, new, width) for name in ("query", "key", "value")}
    for name in ("past_key", "past_value"):
        arguments[name] = draw.normal(batch, heads, past, width)
    return Case(ATTEND, arguments, label)


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_cache_alone(draw):
    return [case(draw, "two new positions, three stored", 3, 2)]


@exercise.check(Stage.ISOLATED)
def nothing_is_stored_yet(draw):
    return [case(draw, "the first word", 0, 1), case(draw, "a prompt of three words", 0, 3)]


@exercise.check(Stage.ISOLATED)
def one_new_word(draw):
    return [case(draw, "one new word, one stored", 1, 1), case(draw, "one new, four stored", 4, 1)]


@exercise.check(Stage.ISOLATED)
def several_new_words(draw):
    return [
        case(draw, "two new words, one stored", 1, 2),
        case(draw, "two new, three stored", 3, 2),
    ]


@exercise.check(Stage.ORACLE)
def equals_looking_back(draw):
    batch, heads, width, past, new = draw.dims("batch", "heads", "d_k", "past", "queries")
    size = (batch, heads, width)
    return [
        case(draw, "all sizes different", past, new, size).set(dtype="float64"),
        case(draw, "as many new as stored", new, new, size).set(dtype="float64"),
    ]


@exercise.check(Stage.PROPERTIES)
def chunks_equal_the_whole(draw):
    whole = case(draw, "five words at once", 0, 5)
    a = whole.arguments
    parts = whole.but(
        "the last two after three stored",
        **{name: a[name][:, :, 3:] for name in ("query", "key", "value")},
        past_key=a["key"][:, :, :3],
        past_value=a["value"][:, :, :3],
    )
    first, second = yield [whole, parts]
    same = np.allclose(numbers(first)[:, :, 3:], numbers(second), 1e-4, 1e-5)
    expect(same, "The last two words come out otherwise through the cache than at once.", second)


@exercise.check(Stage.PROPERTIES)
def the_next_word_cannot_be_felt(draw):
    before = case(draw, "as drawn", 2, 3)
    key, value = before.arguments["key"].copy(), before.arguments["value"].copy()
    key[:, :, 2] += 3
    value[:, :, 2] -= 9
    first, second = yield [before, before.but("the newest word was changed", key=key, value=value)]
    fact = "The newest word was changed; the results of the new words before it must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :, :2])


@exercise.check(Stage.GRADIENTS)
def gradients_reach_the_cache(draw):
    made = case(draw, "gradients", 2, 2).set(dtype="float64", cotangent=draw.normal(1, 1, 2, 4))
    return [made.set(differentiate=("query", "key", "value", "past_key", "past_value"))]
