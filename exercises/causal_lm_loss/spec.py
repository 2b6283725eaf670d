"""The causal language model's loss: the reference, token after token, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect_equal

LOSS = "causal_lm_loss"
exercise = Exercise(__file__, order=250, minutes=15, parts=(LOSS,))


@exercise.oracle(LOSS, axes="")
def reference(logits, tokens, valid):
    """Radford et al. (2018), section 3.1, as a sum over pairs of neighbours."""
    losses = []
    for row in range(len(tokens)):
        for t in range(tokens.shape[1] - 1):
            if valid[row, t] and valid[row, t + 1]:
                scores = logits[row, t]
                normaliser = scores.max() + np.log(np.exp(scores - scores.max()).sum())
                losses.append(normaliser - scores[tokens[row, t + 1]])
    return np.float64(np.mean(losses) if losses else 0.0)


def texts(draw: Draw, label: str = "padding on the right", left: bool = False) -> Case:
    """Random texts: the first is full, the others are shorter; token 0 also is a real token."""
    batch, time, vocab = draw.dims("batch", "time", "vocab", smallest=4)
    lengths = np.r_[time, 2, draw.integers(2, max(time, 3), batch)][:batch, None]
    place = np.arange(time)
    valid = place >= time - lengths if left else place < lengths
    tokens = np.where(valid, draw.integers(0, vocab, batch, time), 0)
    tokens[0, 1] = 0
    arguments = {"logits": draw.normal(batch, time, vocab), "tokens": tokens, "valid": valid}
    return Case(LOSS, arguments, label)


def small(tokens: list[int], valid: list[bool], label: str) -> Case:
    """One text over a vocabulary of three; all logits are easy to follow."""
    logits = [[0.0, 1.0, -1.0], [0.5, 0.0, 2.0], [3.0, -2.0, 0.0], [1.0, 5.0, 0.0]]
    arguments = {
        "logits": np.array([logits[: len(tokens)]]),
        "tokens": np.array([tokens]),
        "valid": np.array([valid]),
    }
    return Case(LOSS, arguments, label)


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_one_number(draw):
    return [texts(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [texts(draw).set(dtype="float64")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [texts(draw)]


@exercise.check(Stage.ISOLATED)
def one_prediction(draw):
    case = small([2, 1], [True, True], "two tokens, so one prediction: token 1 from logits 0")
    equal = case.but("all logits equal: log 3", logits=np.zeros((1, 2, 3)))
    return [equal, case]


@exercise.check(Stage.ISOLATED)
def three_predictions(draw):
    return [small([2, 1, 2, 0], [True] * 4, "four tokens, so three predictions")]


@exercise.check(Stage.ISOLATED)
def padding_on_the_right(draw):
    return [small([2, 1, 0, 0], [True, True, False, False], "two tokens, two times padding")]


@exercise.check(Stage.ORACLE)
def equals_token_by_token(draw):
    case = texts(draw)
    everything = np.ones_like(case.arguments["valid"])
    return [case, case.but("no padding", valid=everything), texts(draw).set(dtype="float64")]


@exercise.check(Stage.PROPERTIES)
def the_last_logits_do_not_matter(draw):
    case = texts(draw, "as drawn")
    case = case.but(valid=np.ones_like(case.arguments["valid"]))
    logits = case.arguments["logits"].copy()
    logits[:, -1] = 7 * draw.normal(*logits[:, -1].shape)
    first, second = yield [case, case.but("other logits at the last position", logits=logits)]
    expect_equal(first, second, "The last logits were changed; they predict a token after the end.")


@exercise.check(Stage.PROPERTIES)
def the_first_token_is_never_asked_for(draw):
    case = texts(draw, "as drawn")
    tokens = case.arguments["tokens"].copy()
    tokens[:, 0] = (tokens[:, 0] + 1) % case.arguments["logits"].shape[-1]
    first, second = yield [case, case.but("another first token, same logits", tokens=tokens)]
    expect_equal(first, second, "The first token was changed; nothing predicts it.")


@exercise.check(Stage.PROPERTIES)
def more_padding_changes_nothing(draw):
    case = texts(draw, "as drawn")
    a = case.arguments
    batch, _, vocab = a["logits"].shape
    more = case.but(
        "three columns of padding more",
        logits=np.concatenate([a["logits"], 3 * draw.normal(batch, 3, vocab)], axis=1),
        tokens=np.pad(a["tokens"], ((0, 0), (0, 3))),
        valid=np.pad(a["valid"], ((0, 0), (0, 3))),
    )
    first, second = yield [case, more]
    expect_equal(first, second, "Three columns of padding were added; the loss must stay.")


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = small([2, 1, 0, 0], [True, True, True, False], "gradients")
    return [case.set(dtype="float64", differentiate=("logits",), cotangent=np.array(1.0))]


@exercise.check(Stage.EDGES)
def padding_on_the_left(draw):
    return [
        small([0, 0, 2, 1], [False, False, True, True], "two times padding, then two tokens"),
        texts(draw, "padding on the left", left=True),
    ]


@exercise.check(Stage.EDGES)
def the_end_counts_though_it_is_the_padding_id(draw):
    return [small([2, 1, 0, 0], [True, True, True, False], "0 ends the text, and 0 is padding")]


@exercise.check(Stage.EDGES)
def large_logits_stay_finite(draw):
    case = small([2, 2, 1], [True] * 3, "logits in the hundreds")
    return [case.but(logits=200 * case.arguments["logits"])]


@exercise.check(Stage.EDGES)
def nothing_counts(draw):
    return [
        small([2, 0, 0], [True, False, False], "a single token: nothing to predict"),
        small([0, 0], [False, False], "padding only"),
    ]


@exercise.check(Stage.EDGES, judge="finite_gradients")
def gradients_when_nothing_counts(draw):
    return [small([2, 0, 0], [True, False, False], "a single token").set(differentiate=("logits",))]
