"""The label-smoothed loss: the reference, one word after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

LOSS = "label_smoothed_loss"
exercise = Exercise(__file__, order=210, minutes=20, parts=(LOSS,))


@exercise.oracle(LOSS, axes="")
def reference(logits, labels, smoothing, pad_id):
    """Szegedy et al. (2016), section 7: the aim is written out, then compared."""
    vocab, losses = logits.shape[-1], []
    for place in np.ndindex(*labels.shape):
        if labels[place] == pad_id:
            continue
        aim = np.full(vocab, smoothing / vocab)
        aim[labels[place]] += 1 - smoothing
        shifted = logits[place] - logits[place].max()
        losses.append(-(aim * (shifted - np.log(np.exp(shifted).sum()))).sum())
    return np.float64(np.mean(losses) if losses else 0.0)


def words(draw: Draw, label: str = "sentences of all lengths", **fields: float) -> Case:
    """Random logits and labels; the first sentence is full, the others are padded."""
    names = ("batch", "time", "vocab")
    drawn = zip(names, draw.dims(*names, smallest=4), strict=True)
    b, t, v = (int(fields.get(name, size)) for name, size in drawn)
    pad_id = int(fields.get("pad_id", 0))
    labels = draw.integers(1, v, b, t)
    lengths = np.r_[t, 1 + draw.integers(0, max(t - 1, 1), b - 1)]
    labels = np.where(np.arange(t) < lengths[:, None], labels, pad_id)
    arguments = {
        "logits": draw.normal(b, t, v),
        "labels": labels,
        "smoothing": fields.get("smoothing", 0.1),
        "pad_id": pad_id,
    }
    return Case(LOSS, arguments, label)


def small(logits: list, labels: list, label: str, smoothing: float = 0.0) -> Case:
    """One sentence with padding id 0."""
    arguments = {"logits": np.array([logits], dtype=float), "labels": np.array([labels])}
    return Case(LOSS, {**arguments, "smoothing": smoothing, "pad_id": 0}, label)


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_one_number(draw):
    return [words(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [words(draw).set(dtype="float64")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [words(draw, "padding id 3", pad_id=3)]


@exercise.check(Stage.ISOLATED)
def one_word_without_smoothing(draw):
    return [small([[0.0, 1.0, -1.0]], [1], "one word, smoothing 0: plain cross-entropy")]


@exercise.check(Stage.ISOLATED)
def one_word_with_smoothing(draw):
    return [
        small([[0.0, 0.0, 0.0, 0.0]], [2], "equal logits: log 4, whatever the smoothing", 0.4),
        small([[0.0, 1.0, -1.0, 2.0]], [1], "one word, smoothing 0.4, vocabulary of 4", 0.4),
    ]


@exercise.check(Stage.ISOLATED)
def two_words_and_padding(draw):
    logits = [[0.0, 1.0, -1.0], [0.5, 0.0, 2.0], [3.0, -2.0, 0.0], [1.0, 5.0, 0.0]]
    return [
        small(logits[:2], [1, 2], "two words, smoothing 0"),
        small(logits, [1, 2, 0, 0], "two words, two times padding, smoothing 0"),
    ]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    cases = [words(draw), words(draw, "much smoothing", smoothing=0.6), words(draw, smoothing=0.0)]
    return [*cases, words(draw, "float64").set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def more_padding_changes_nothing(draw):
    case = words(draw, "as drawn")
    b, _, v = case.arguments["logits"].shape
    more = case.but(
        "three columns of padding more",
        logits=np.concatenate([case.arguments["logits"], 3 * draw.normal(b, 3, v)], axis=1),
        labels=np.pad(case.arguments["labels"], ((0, 0), (0, 3))),
    )
    first, second = yield [case, more]
    expect_equal(first, second, "Three columns of padding were added; the loss must stay.")


@exercise.check(Stage.PROPERTIES)
def every_word_counts_the_same(draw):
    case = words(draw, "several sentences")
    a = case.arguments
    one = case.but(
        "the same words as one long sentence",
        logits=a["logits"].reshape(1, -1, a["logits"].shape[-1]),
        labels=a["labels"].reshape(1, -1),
    )
    first, second = yield [case, one]
    expect_equal(first, second, "The same words were written as one long sentence.")


@exercise.check(Stage.PROPERTIES)
def a_constant_changes_nothing(draw):
    case = words(draw, "as drawn")
    moved = case.but("all logits plus 5", logits=case.arguments["logits"] + 5)
    first, second = yield [case, moved]
    expect_equal(first, second, "5 was added to all logits, which leaves the softmax as it was.")


@exercise.check(Stage.PROPERTIES)
def a_perfect_guess_is_not_free(draw):
    case = small([[-9.0, 9.0, -9.0]], [1], "a confident right guess, smoothing 0.3", 0.3)
    less_sure = small([[-1.2, 1.2, -1.2]], [1], "the same guess, less sure", 0.3)
    sure, doubtful = yield [case, less_sure]
    high, low = float(numbers(sure).sum()), float(numbers(doubtful).sum())
    fact = f"The sure guess costs {high:.4g}, the doubtful one {low:.4g}; it must be less."
    expect(low < high, fact, sure)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = words(draw, "gradients", batch=2, time=4, vocab=5, smoothing=0.2)
    return [case.set(dtype="float64", differentiate=("logits",), cotangent=np.array(1.0))]


@exercise.check(Stage.EDGES)
def padding_that_is_no_index(draw):
    return [words(draw, "padding id -100", pad_id=-100), words(draw, "padding id 3", pad_id=3)]


@exercise.check(Stage.EDGES)
def large_logits_stay_finite(draw):
    return [small([[0.0, 200.0, -50.0]], [2], "logits in the hundreds", 0.1)]


@exercise.check(Stage.EDGES)
def nothing_counts(draw):
    return [small([[0.0, 1.0, -1.0], [1.0, 0.0, 2.0]], [0, 0], "padding only", 0.1)]


@exercise.check(Stage.EDGES, judge="finite_gradients")
def gradients_when_nothing_counts(draw):
    case = small([[0.0, 1.0, -1.0], [1.0, 0.0, 2.0]], [0, 0], "padding only", 0.1)
    return [case.set(differentiate=("logits",))]
