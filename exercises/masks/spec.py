"""Causal, padding and combined masks: the references and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

CAUSAL, PADDING, COMBINE = "causal_mask", "padding_mask", "combine_masks"
exercise = Exercise(__file__, order=40, minutes=15, parts=(CAUSAL, PADDING, COMBINE))


@exercise.oracle(CAUSAL, axes="query key")
def causal_reference(query_len, key_len):
    """One position at a time."""
    result = np.zeros((query_len, key_len), dtype=bool)
    for query in range(query_len):
        position = key_len - query_len + query
        for key in range(key_len):
            result[query, key] = key <= position
    return result


@exercise.oracle(PADDING, axes="batch head query key")
def padding_reference(tokens, pad_id):
    """One token at a time."""
    result = np.zeros((tokens.shape[0], 1, 1, tokens.shape[1]), dtype=bool)
    for row, column in np.ndindex(*tokens.shape):
        result[row, 0, 0, column] = int(tokens[row, column]) != pad_id
    return result


@exercise.oracle(COMBINE, axes="batch head query key")
def combine_reference(causal, padding):
    """One triple of row, query and key at a time."""
    batch, (queries, keys) = padding.shape[0], causal.shape
    result = np.zeros((batch, 1, queries, keys), dtype=bool)
    for b, q, k in np.ndindex(batch, queries, keys):
        result[b, 0, q, k] = causal[q, k] and padding[b, 0, 0, k]
    return result


def causal(query_len: int, key_len: int, label: str = "") -> Case:
    """A call of causal_mask."""
    return Case(CAUSAL, {"query_len": query_len, "key_len": key_len}, label)


def padding(tokens: list[list[int]] | np.ndarray, pad_id: int, label: str = "") -> Case:
    """A call of padding_mask."""
    return Case(PADDING, {"tokens": np.asarray(tokens, dtype=np.int64), "pad_id": pad_id}, label)


def sentences(draw: Draw, pad_id: int = 0) -> np.ndarray:
    """Random tokens in which every row has padding and something else."""
    batch, length = draw.dims("batch", "keys", smallest=3)
    return np.where(draw.mask(batch, length), draw.integers(5, 50, batch, length), pad_id)


def both(draw: Draw, label: str = "all sizes different") -> Case:
    """A call of combine_masks."""
    batch, *lengths = draw.dims("batch", "queries", "keys")
    queries, keys = sorted(lengths)
    arguments = {"causal": causal_reference(queries, keys), "padding": draw.mask(batch, 1, 1, keys)}
    return Case(COMBINE, arguments, label)


# --- causal_mask


@exercise.check(Stage.CONTRACT, judge="shape", part=CAUSAL)
def causal_shape(draw):
    short, long = sorted(draw.dims("queries", "keys"))
    return [causal(short, short, "square"), causal(short, long, "fewer queries than keys")]


@exercise.check(Stage.CONTRACT, judge="dtype", part=CAUSAL)
def causal_is_boolean(draw):
    return [causal(3, 3)]


@exercise.check(Stage.ISOLATED, part=CAUSAL)
def one_query_sees_all_stored_keys(draw):
    return [causal(1, 1, "the first token"), causal(1, 5, "one new token, four stored ones")]


@exercise.check(Stage.ORACLE, part=CAUSAL)
def causal_square(draw):
    (length,) = draw.dims("keys", smallest=4)
    return [causal(3, 3, "as many queries as keys"), causal(length, length)]


@exercise.check(Stage.ORACLE, part=CAUSAL)
def causal_after_a_cache(draw):
    short, long = sorted(draw.dims("queries", "keys"))
    return [causal(2, 4, "the two newest of four positions"), causal(short, long)]


@exercise.check(Stage.PROPERTIES, part=CAUSAL)
def one_more_key_for_each_later_query(draw):
    short, long = sorted(draw.dims("queries", "keys"))
    (trial,) = yield [causal(short, long)]
    counts = numbers(trial).sum(axis=-1)
    expected = np.arange(long - short + 1, long + 1)
    fact = f"The queries see {counts.tolist()} keys; it must be {expected.tolist()}."
    expect(counts.tolist() == expected.tolist(), fact, trial)


# --- padding_mask


@exercise.check(Stage.CONTRACT, judge="shape", part=PADDING)
def padding_shape(draw):
    return [padding(sentences(draw), 0)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=PADDING)
def padding_is_boolean(draw):
    return [padding(sentences(draw), 0)]


@exercise.check(Stage.CONTRACT, judge="untouched", part=PADDING)
def padding_leaves_the_tokens_alone(draw):
    return [padding(sentences(draw, pad_id=60), 60)]


@exercise.check(Stage.ISOLATED, part=PADDING)
def padding_on_the_right(draw):
    return [padding([[5, 7, 0]], 0, "one sentence, padding on the right")]


@exercise.check(Stage.ISOLATED, part=PADDING)
def padding_on_the_left(draw):
    return [padding([[0, 0, 7, 5]], 0, "padding on the left, as when generating")]


@exercise.check(Stage.ORACLE, part=PADDING)
def padding_anywhere(draw):
    return [padding(sentences(draw), 0, "random rows, padding id 0")]


@exercise.check(Stage.EDGES, part=PADDING)
def another_padding_id(draw):
    return [
        padding([[5, 0, 3]], 3, "padding id 3; 0 is an ordinary token"),
        padding(sentences(draw, pad_id=60), 60, "padding id above all others"),
        padding([[5, 2, -100]], -100, "padding id below all others"),
    ]


@exercise.check(Stage.EDGES, part=PADDING)
def a_row_of_padding_only(draw):
    return [padding([[0, 0, 0], [4, 0, 0]], 0, "the first sentence is empty")]


# --- combine_masks


@exercise.check(Stage.CONTRACT, judge="shape", part=COMBINE)
def combined_shape(draw):
    return [both(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=COMBINE)
def combined_is_boolean(draw):
    return [both(draw)]


@exercise.check(Stage.CONTRACT, judge="untouched", part=COMBINE)
def combining_leaves_the_masks_alone(draw):
    case = both(draw)
    keys = case.arguments["causal"].shape[-1]
    one_row = case.but("one sentence", padding=draw.mask(1, 1, 1, keys))
    return [one_row, case]


@exercise.check(Stage.ISOLATED, part=COMBINE)
def nothing_is_padding(draw):
    everything = np.ones((1, 1, 1, 3), dtype=bool)
    case = Case(COMBINE, {"causal": causal_reference(3, 3), "padding": everything}, "no padding")
    return [case]


@exercise.check(Stage.ORACLE, part=COMBINE)
def both_must_allow(draw):
    padding_small = np.array([[[[True, False, True]]]])
    arguments = {"causal": causal_reference(3, 3), "padding": padding_small}
    return [Case(COMBINE, arguments, "the middle token is padding"), both(draw)]
