"""Hunt for the inverted mask: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

ATTENTION = "causal_self_attention"
exercise = Exercise(__file__, order=340, minutes=15, parts=(ATTENTION,))


@exercise.oracle(ATTENTION, axes="batch position feature")
def reference(hidden, tokens, pad_id):
    """Query by query, over the keys that it may see and no others."""
    result = np.zeros_like(hidden)
    for b, q in np.ndindex(*tokens.shape):
        seen = [k for k in range(q + 1) if tokens[b, k] != pad_id]
        scores = hidden[b, seen] @ hidden[b, q] / np.sqrt(hidden.shape[-1])
        weights = np.exp(scores - scores.max())
        result[b, q] = weights @ hidden[b, seen] / weights.sum()
    return result


def case(draw: Draw, label: str, tokens: list[list[int]], pad_id: int = 0, width: int = 4) -> Case:
    """A call with these sentences."""
    ids = np.array(tokens)
    hidden = draw.normal(*ids.shape, width)
    return Case(ATTENTION, {"hidden": hidden, "tokens": ids, "pad_id": pad_id}, label)


def batch(draw: Draw, pad_id: int, label: str) -> Case:
    """Sentences of all lengths, padded on the right."""
    sentences, time, width = draw.dims("batch", "keys", "d_model", smallest=4)
    tokens = draw.integers(5, 50, sentences, time)
    for row in range(sentences):
        tokens[row, 1 + (row + 1) % time :] = pad_id
    hidden = draw.normal(sentences, time, width)
    return Case(ATTENTION, {"hidden": hidden, "tokens": tokens, "pad_id": pad_id}, label)


@exercise.check(Stage.ISOLATED)
def no_padding_at_all(draw):
    return [case(draw, "two words without padding", [[7, 5]]), case(draw, "four", [[7, 5, 8, 6]])]


@exercise.check(Stage.ISOLATED)
def padding_is_not_looked_at(draw):
    return [case(draw, "two words and one padding", [[7, 5, 0]])]


@exercise.check(Stage.ORACLE)
def equals_attention_over_what_may_be_seen(draw):
    return [
        case(draw, "a short and a long sentence", [[7, 5, 0, 0], [3, 9, 8, 6]]),
        batch(draw, 0, "sentences of all lengths").set(dtype="float64"),
    ]


@exercise.check(Stage.PROPERTIES)
def a_longer_neighbour_changes_nothing(draw):
    alone = case(draw, "alone", [[7, 5]])
    hidden = np.concatenate([alone.arguments["hidden"], 3 * draw.normal(1, 2, 4)], axis=1)
    padded = alone.but("with two paddings", hidden=hidden, tokens=np.array([[7, 5, 0, 0]]))
    first, second = yield [alone, padded]
    same = np.allclose(numbers(first), numbers(second)[:, :2], 1e-4, 1e-5)
    expect(same, "Padding was appended; the results of the words changed.", second)


@exercise.check(Stage.PROPERTIES)
def the_future_cannot_be_felt(draw):
    before = case(draw, "as drawn", [[7, 5, 8, 6]])
    hidden = before.arguments["hidden"].copy()
    hidden[:, -1] += 5
    first, second = yield [before, before.but("the last word was changed", hidden=hidden)]
    fact = "The last word was changed; the results before it must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :3])


@exercise.check(Stage.EDGES)
def any_id_may_be_the_padding(draw):
    return [
        case(draw, "padding id 60, above all words", [[7, 5, 60]], 60),
        case(draw, "padding id 3; 0 is an ordinary word", [[5, 0, 3]], 3),
        batch(draw, 60, "padding id 60"),
    ]


@exercise.check(Stage.EDGES)
def half_precision(draw):
    return [batch(draw, 0, "float16").set(dtype="float16")]
