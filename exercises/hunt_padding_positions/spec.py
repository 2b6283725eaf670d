"""Hunt for the position that a whole batch shares: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

EMBED = "embed"
exercise = Exercise(__file__, order=350, minutes=15, parts=(EMBED,))


@exercise.oracle(EMBED, axes="batch position feature")
def reference(tokens, word_table, position_table, pad_id):
    """Row by row, counting the words as they come."""
    width = word_table.shape[1]
    result = np.zeros((*tokens.shape, width))
    for row in range(tokens.shape[0]):
        position = 0
        for column, token in enumerate(tokens[row]):
            if token == pad_id:
                continue
            result[row, column] = word_table[token] * np.sqrt(width) + position_table[position]
            position += 1
    return result


def case(draw: Draw, label: str, tokens: list[list[int]], pad_id: int = 0) -> Case:
    """A call with these rows."""
    arguments = {
        "tokens": np.array(tokens),
        "word_table": draw.normal(12, 3),
        "position_table": draw.normal(9, 3),
        "pad_id": pad_id,
    }
    return Case(EMBED, arguments, label)


def batch(draw: Draw, label: str, pad_id: int) -> Case:
    """Random rows; each has its own number of paddings on either side."""
    rows, time = draw.dims("batch", "keys", smallest=4)
    tokens = draw.integers(1, 11, rows, time)
    for row in range(rows):
        left = (row + 1) % (time - 1)
        tokens[row, :left] = pad_id
        tokens[row, max(left + 1, time - row % 3) :] = pad_id
    return case(draw, label, tokens.tolist(), pad_id).set(dtype="float64")


@exercise.check(Stage.ISOLATED)
def one_sentence_alone(draw):
    return [case(draw, "one word", [[5]]), case(draw, "three words", [[5, 7, 2]])]


@exercise.check(Stage.ISOLATED)
def padding_on_the_right(draw):
    return [case(draw, "two words, then padding", [[5, 7, 0, 0]])]


@exercise.check(Stage.ISOLATED)
def padding_on_the_left(draw):
    return [case(draw, "padding, then two words", [[0, 0, 5, 7]])]


@exercise.check(Stage.ISOLATED)
def every_row_counts_for_itself(draw):
    return [case(draw, "a long and a short prompt", [[5, 7, 2], [0, 0, 4]])]


@exercise.check(Stage.ORACLE)
def equals_counting_the_words(draw):
    return [
        case(draw, "padding on both sides", [[0, 5, 7, 0]]),
        case(draw, "the short prompt first", [[0, 0, 4], [5, 7, 2]]),
        batch(draw, "padding on both sides", 0),
    ]


@exercise.check(Stage.PROPERTIES)
def alone_and_in_a_batch_are_the_same(draw):
    alone = case(draw, "alone", [[5, 7]])
    together = alone.but("beside a longer one", tokens=np.array([[0, 0, 5, 7], [3, 2, 8, 6]]))
    first, second = yield [alone, together]
    same = np.allclose(numbers(first)[0], numbers(second)[0, 2:], 1e-4, 1e-5)
    expect(same, "A longer prompt came into the batch; the short one's vectors changed.", second)


@exercise.check(Stage.EDGES)
def any_id_may_be_the_padding(draw):
    return [
        case(draw, "padding id 3; 0 is an ordinary word", [[3, 0, 5]], 3),
        case(draw, "padding id 11, above all words", [[11, 4, 5]], 11),
        batch(draw, "padding id 11", 11),
    ]
