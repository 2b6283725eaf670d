"""The teacher-forcing shift: the reference, one sentence after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

SHIFT = "shift"
exercise = Exercise(__file__, order=200, minutes=15, parts=(SHIFT,))


@exercise.oracle(SHIFT, axes="result sentence position")
def reference(target, bos_id, eos_id, pad_id):
    """Lists of words, as on paper. Result 0 is the decoder's input, result 1 the labels."""
    width = target.shape[1] + 1
    inputs, labels = [], []
    for row in target.tolist():
        words = [word for word in row if word != pad_id]
        inputs.append([bos_id, *words, *[pad_id] * (width - 1 - len(words))])
        labels.append([*words, eos_id, *[pad_id] * (width - 1 - len(words))])
    return np.array([inputs, labels])


def call(target: list[list[int]] | np.ndarray, label: str, **ids: int) -> Case:
    """A call; bos 1, eos 2, padding 0 unless given."""
    ids = {"bos_id": 1, "eos_id": 2, "pad_id": 0, **ids}
    return Case(SHIFT, {"target": np.asarray(target), **ids}, label, via="both")


def sentences(draw: Draw, label: str = "sentences of all lengths", **ids: int) -> Case:
    """Random sentences: the first is full, the others shorter, down to a single word."""
    batch, time = draw.dims("batch", "time", smallest=3)
    words = draw.integers(10, 60, batch, time)
    lengths = np.r_[time, 1, draw.integers(1, max(time, 2), batch)][:batch]
    padding = np.arange(time) >= lengths[:, None]
    return call(np.where(padding, ids.get("pad_id", 0), words), label, **ids)


def input_and_labels(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Both results, which must have the right shape to be looked at."""
    got, wanted = numbers(trial), trial.expected.shape
    expect(got.shape == wanted, f"The results have shape {got.shape[1:]}.", trial)
    return got[0], got[1]


@exercise.check(Stage.CONTRACT, judge="shape")
def one_column_more(draw):
    return [sentences(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def ids_stay_whole_numbers(draw):
    return [sentences(draw)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_target_alone(draw):
    return [sentences(draw)]


@exercise.check(Stage.ISOLATED)
def one_full_sentence(draw):
    return [call([[5, 6, 7]], "one sentence without padding")]


@exercise.check(Stage.ISOLATED)
def one_padded_sentence(draw):
    return [call([[8, 9, 0, 0]], "two words, two times padding")]


@exercise.check(Stage.ORACLE)
def equals_sentence_by_sentence(draw):
    example = call([[5, 6, 7], [8, 0, 0]], "the example")
    return [example, sentences(draw)]


@exercise.check(Stage.PROPERTIES)
def the_decoder_never_reads_eos(draw):
    (trial,) = yield [sentences(draw, eos_id=77)]
    rows = (input_and_labels(trial)[0] == 77).any(axis=1)
    fact = f"The decoder's input holds eos in {int(rows.sum())} of {len(rows)} sentences."
    expect(not rows.any(), fact, trial)


@exercise.check(Stage.PROPERTIES)
def every_sentence_learns_to_end(draw):
    (trial,) = yield [sentences(draw, eos_id=77)]
    counts = (input_and_labels(trial)[1] == 77).sum(axis=1)
    fact = f"The labels hold eos {counts.tolist()} times; it must be once in each sentence."
    expect((counts == 1).all(), fact, trial)


@exercise.check(Stage.PROPERTIES)
def no_label_is_read_too_early(draw):
    (trial,) = yield [sentences(draw)]
    decoder_input, labels = input_and_labels(trial)
    same = decoder_input[:, 1:] == labels[:, :-1]
    words = labels[:, :-1] >= 10
    fact = (
        "A word must be read one position after it was to be predicted; here "
        f"{int((words & ~same).sum())} of {int(words.sum())} words are not."
    )
    expect(bool(same[words].all() and words.any()), fact, trial)


@exercise.check(Stage.EDGES)
def another_padding_id(draw):
    return [
        call([[5, 0, 3], [0, 3, 3]], "padding id 3; 0 is an ordinary word", pad_id=3),
        sentences(draw, "padding id 99", pad_id=99),
    ]


@exercise.check(Stage.EDGES)
def an_empty_sentence(draw):
    return [call([[0, 0], [4, 0]], "the first sentence has no words")]
