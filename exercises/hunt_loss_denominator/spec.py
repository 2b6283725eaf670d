"""Hunt for the padding in the denominator: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect_equal

LOSS = "sequence_loss"
exercise = Exercise(__file__, order=380, minutes=10, parts=(LOSS,))


@exercise.oracle(LOSS, axes="")
def reference(logits, targets, pad_id):
    """Word by word."""
    losses = []
    for place in np.ndindex(*targets.shape):
        if targets[place] != pad_id:
            row = logits[place]
            highest = row.max()
            partition = np.log(np.exp(row - highest).sum()) + highest
            losses.append(partition - row[targets[place]])
    return np.array(sum(losses) / max(len(losses), 1))


def case(draw: Draw, label: str, targets: list[list[int]], pad_id: int = 0, vocab: int = 9) -> Case:
    """A call with these targets."""
    ids = np.array(targets)
    arguments = {"logits": draw.normal(*ids.shape, vocab), "targets": ids, "pad_id": pad_id}
    return Case(LOSS, arguments, label)


def batch(draw: Draw, label: str, pad_id: int) -> Case:
    """Random sentences; in every row some words and some padding, anywhere."""
    rows, time, vocab = draw.dims("batch", "keys", "vocab", smallest=4)
    words = (pad_id + draw.integers(1, vocab, rows, time)) % vocab
    targets = np.where(draw.mask(rows, time), words, pad_id)
    return case(draw, label, targets.tolist(), pad_id, vocab).set(dtype="float64")


@exercise.check(Stage.CONTRACT, judge="shape")
def one_number(draw):
    return [batch(draw, "all sizes different", 0)]


@exercise.check(Stage.ISOLATED)
def one_word(draw):
    return [case(draw, "one word", [[5]])]


@exercise.check(Stage.ISOLATED)
def words_without_padding(draw):
    return [case(draw, "two sentences, no padding", [[5, 7, 2], [3, 8, 6]])]


@exercise.check(Stage.ISOLATED)
def words_and_padding(draw):
    return [
        case(draw, "one word, three paddings", [[5, 0, 0, 0]]),
        case(draw, "a long and a short sentence", [[5, 7, 2, 4], [3, 0, 0, 0]]),
    ]


@exercise.check(Stage.ORACLE)
def equals_the_average_over_words(draw):
    return [batch(draw, "padding anywhere", 0)]


@exercise.check(Stage.PROPERTIES)
def more_padding_changes_nothing(draw):
    before = case(draw, "as drawn", [[5, 7], [3, 0]])
    logits = np.concatenate([before.arguments["logits"], draw.normal(2, 3, 9)], axis=1)
    targets = np.pad(before.arguments["targets"], ((0, 0), (0, 3)))
    longer = before.but("three more paddings in each row", logits=logits, targets=targets)
    first, second = yield [before, longer]
    expect_equal(first, second, "Three paddings were appended to each row; the loss changed.")


@exercise.check(Stage.PROPERTIES)
def the_paddings_logits_do_not_matter(draw):
    before = case(draw, "as drawn", [[5, 7, 0], [3, 0, 0]])
    logits = before.arguments["logits"].copy()
    logits[before.arguments["targets"] == 0] += 5 * draw.normal(3, 9)
    first, second = yield [before, before.but("other logits at the padding", logits=logits)]
    expect_equal(first, second, "Only logits at the padding were changed; the loss changed.")


@exercise.check(Stage.GRADIENTS)
def gradients_of_the_average(draw):
    made = case(draw, "gradients", [[5, 2, 0], [3, 0, 0]]).set(dtype="float64")
    return [made.set(differentiate=("logits",), cotangent=np.array(1.0))]


@exercise.check(Stage.EDGES)
def any_id_may_be_the_padding(draw):
    return [
        case(draw, "padding id 3; 0 is an ordinary word", [[5, 0, 3]], 3),
        case(draw, "padding id 8, above all words", [[5, 2, 8]], 8),
        batch(draw, "padding id 3", 3),
    ]


@exercise.check(Stage.EDGES)
def padding_may_be_impossible(draw):
    made = case(draw, "the padding's logit is -inf", [[5, 7, 0]])
    logits = made.arguments["logits"].copy()
    logits[..., 0] = -np.inf
    return [made.but(logits=logits)]


@exercise.check(Stage.EDGES)
def a_word_that_costs_nothing_counts(draw):
    made = case(draw, "the first word is certain", [[5, 7, 0]])
    logits = made.arguments["logits"].copy()
    logits[0, 0, 5] = 500
    return [made.but(logits=logits)]


@exercise.check(Stage.EDGES)
def nothing_but_padding(draw):
    return [case(draw, "everything is padding", [[0, 0]])]
