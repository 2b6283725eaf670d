"""Attention with a cache: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

POSITIONS, ATTENTION = "new_positions", "cached_attention"
exercise = Exercise(__file__, order=290, minutes=25, parts=(POSITIONS, ATTENTION))


@exercise.oracle(POSITIONS, axes="position")
def positions_reference(past_key, new_len):
    """Counted one by one."""
    everything = list(range(past_key.shape[2])) + [None] * new_len
    return np.array([i for i, known in enumerate(everything) if known is None], dtype=np.int64)


@exercise.oracle(ATTENTION, axes="batch head position d_v")
def attention_reference(query, key, value, pieces, look_at):
    """No cache at all: causal attention over the whole text, position by position."""
    length = sum(pieces)
    if look_at != "output":
        return {"key": key, "value": value}[look_at][:, :, :length]
    result = np.zeros((*query.shape[:2], length, value.shape[-1]))
    for b, h, t in np.ndindex(*result.shape[:3]):
        scores = key[b, h, : t + 1] @ query[b, h, t] / np.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max())
        result[b, h, t] = (weights / weights.sum()) @ value[b, h, : t + 1]
    return result


def after(draw: Draw, past: int, new_len: int, label: str) -> Case:
    """A call of new_positions when the cache holds ``past`` tokens."""
    free = [n for n in range(2, 9) if n not in (past, new_len)]
    batch, heads, d_k = (int(n) for n in draw.rng.permutation(free)[:3])
    arguments = {"past_key": draw.normal(batch, heads, past, d_k), "new_len": new_len}
    return Case(POSITIONS, arguments, label, via="after_a_text")


def text(draw: Draw, pieces: list[int], label: str, look_at: str = "output", **sizes: int) -> Case:
    """A text in pieces; sizes that are not given differ from its length and each other."""
    length = sum(pieces)
    free = [n for n in range(2, 10) if n not in (length, *pieces, *sizes.values())]
    drawn = dict(zip(("batch", "heads", "d_k", "d_v"), draw.rng.permutation(free), strict=False))
    b, h, d_k, d_v = (sizes.get(name, int(size)) for name, size in drawn.items())
    arguments = {
        "query": draw.normal(b, h, length, d_k),
        "key": draw.normal(b, h, length, d_k),
        "value": draw.normal(b, h, length, d_v),
        "pieces": pieces,
        "look_at": look_at,
    }
    return Case(ATTENTION, arguments, label, via="piece_by_piece")


def short(draw: Draw, pieces: list[int], label: str, look_at: str = "output") -> Case:
    """One sentence, one head, d_k = 1: small enough to compute by hand."""
    case = text(draw, pieces, label, look_at, batch=1, heads=1)
    a = case.arguments
    return case.but(query=a["query"][..., :1], key=a["key"][..., :1], value=a["value"][..., :2])


# --- new_positions


@exercise.check(Stage.CONTRACT, part=POSITIONS, judge="dtype")
def positions_are_whole_numbers(draw):
    return [after(draw, 5, 2, "after 5 tokens")]


@exercise.check(Stage.ISOLATED, part=POSITIONS)
def the_first_positions(draw):
    return [after(draw, 0, 3, "an empty cache, a prompt of three tokens")]


@exercise.check(Stage.ISOLATED, part=POSITIONS)
def one_new_position(draw):
    return [after(draw, 5, 1, "after 5 tokens, one new one")]


@exercise.check(Stage.ORACLE, part=POSITIONS)
def positions_go_on_where_the_text_was(draw):
    past, new = draw.dims("past", "new", smallest=3)
    return [after(draw, 5, 2, "after 5 tokens, two new ones"), after(draw, past, new, "random")]


# --- cached_attention


@exercise.check(Stage.CONTRACT, part=ATTENTION, judge="shape")
def one_row_for_each_new_token(draw):
    return [text(draw, [1], "one token"), text(draw, [3, 1], "a prompt, then one token")]


@exercise.check(Stage.CONTRACT, part=ATTENTION, judge="untouched")
def leaves_its_inputs_alone(draw):
    return [text(draw, [2, 1], "a prompt, then one token")]


@exercise.check(Stage.CONTRACT, part=ATTENTION, judge="dtype")
def keeps_the_dtype(draw):
    case = text(draw, [2, 1], "a prompt, then one token")
    return [case.set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def the_first_token_sees_itself(draw):
    return [short(draw, [1], "one token: its weight is 1")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def the_cache_grows_at_its_end(draw):
    stored = [short(draw, [1, 1, 1], f"the stored {name}s", name) for name in ("key", "value")]
    return [short(draw, [2], "the keys of the first call", "key"), *stored]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def the_next_token_sees_the_past(draw):
    return [short(draw, [1, 1], "two tokens, one after the other, d_k = 1")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def a_prompt_does_not_see_its_future(draw):
    return [short(draw, [3], "a prompt of three tokens, an empty cache")]


@exercise.check(Stage.ISOLATED, part=ATTENTION)
def new_tokens_see_the_whole_cache(draw):
    return [short(draw, [2, 2], "two new tokens after two stored ones")]


@exercise.check(Stage.ORACLE, part=ATTENTION)
def equals_recomputing_everything(draw):
    cuts = ([1, 1, 1, 1], [3, 1, 1], [2, 3, 1])
    return [text(draw, cut, "all sizes different").set(dtype="float64") for cut in cuts]


@exercise.check(Stage.ORACLE, part=ATTENTION)
def stores_every_key_and_value(draw):
    return [text(draw, [2, 3, 1], f"the stored {name}s", name) for name in ("key", "value")]


@exercise.check(Stage.PROPERTIES, part=ATTENTION)
def how_the_text_is_cut_does_not_matter(draw):
    whole = text(draw, [5], "the whole text at once")
    steps = whole.but("one token at a time", pieces=[1] * 5)
    first, second = yield [whole, steps]
    fact = "The same text gives other results at once than one token at a time."
    expect_equal(first, second, fact)


@exercise.check(Stage.PROPERTIES, part=ATTENTION)
def a_later_token_changes_nothing_before(draw):
    case = text(draw, [2, 2, 1], "as drawn")
    value = case.arguments["value"].copy()
    value[:, :, -2:] += 50
    changed = case.but("the values of the last two tokens were changed", value=value)
    before, after = yield [case, changed]
    a, b = numbers(before)[..., :3, :], numbers(after)[..., :3, :]
    fact = "The values of tokens 3 and 4 were changed; the results of tokens 0 to 2 must stay."
    expect(a.shape == b.shape and np.allclose(a, b, 1e-4, 1e-5), fact, after)


@exercise.check(Stage.EDGES, part=ATTENTION)
def large_scores_stay_finite(draw):
    case = text(draw, [2, 1], "scores in the thousands")
    return [case.but(query=3000 * case.arguments["query"]).set(dtype="float64")]
