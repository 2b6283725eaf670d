"""The top-p filter: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

FILTER = "top_p_filter"
exercise = Exercise(__file__, order=280, minutes=15, parts=(FILTER,))


@exercise.oracle(FILTER, axes="batch token")
def reference(logits, p):
    """Token by token, as one would with pencil and paper."""
    result = np.zeros_like(logits)
    for row, scores in enumerate(logits):
        probs = np.exp(scores - scores.max())
        probs = probs / probs.sum()
        mass = 0.0
        for token in np.argsort(-probs, kind="stable"):
            result[row, token] = probs[token]
            mass += probs[token]
            if mass >= p:
                break
        result[row] /= mass
    return result


def percent(label: str, p: float, *rows: list[float]) -> Case:
    """Rows of probabilities in percent, given as logits."""
    logits = np.log(np.array(rows) / 100) + 2.0  # the 2 changes nothing: softmax takes it out
    return Case(FILTER, {"logits": logits, "p": p}, label, dtype="float64")


def random_case(draw: Draw, label: str, p: float) -> Case:
    """Random logits; batch and vocabulary differ in size."""
    batch, vocab = draw.dims("batch", "vocab", smallest=4)
    return Case(FILTER, {"logits": 2 * draw.normal(batch, vocab), "p": p}, label)


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_one_row_for_each_row(draw):
    return [random_case(draw, "p = 0.8", 0.8)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_logits_alone(draw):
    return [random_case(draw, "p = 0.8", 0.8)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    case = random_case(draw, "p = 0.8", 0.8)
    return [case.set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def p_of_one_keeps_everything(draw):
    return [percent("p = 1; already sorted", 1.0, [50, 30, 15, 5])]


@exercise.check(Stage.ISOLATED)
def cuts_the_tail_and_renormalises(draw):
    return [percent("p = 0.75; already sorted: 50 + 30 is enough", 0.75, [50, 30, 15, 5])]


@exercise.check(Stage.ISOLATED)
def every_token_keeps_its_place(draw):
    return [percent("p = 0.75; the same probabilities, shuffled", 0.75, [15, 50, 5, 30])]


@exercise.check(Stage.ISOLATED)
def rows_are_cut_by_themselves(draw):
    rows = [15, 50, 5, 30], [94, 3, 2, 1]
    return [percent("p = 0.75; the second row needs one token", 0.75, *rows)]


@exercise.check(Stage.ORACLE)
def equals_the_reference(draw):
    shares = (0.3, 0.6, 0.9, 0.97)
    return [random_case(draw, f"random logits, p = {p}", p).set(dtype="float64") for p in shares]


@exercise.check(Stage.PROPERTIES)
def every_row_is_a_distribution(draw):
    (trial,) = yield [random_case(draw, "p = 0.7", 0.7)]
    result = numbers(trial)
    lowest, sums = float(result.min()), result.sum(axis=-1)
    expect(lowest >= 0, f"The smallest entry is {lowest:.4g}; none may be negative.", trial)
    fact = f"The rows sum to {np.round(sums, 4).tolist()}; each must sum to 1."
    expect(np.allclose(sums, 1, atol=1e-4), fact, trial)


@exercise.check(Stage.PROPERTIES)
def a_constant_in_the_logits_changes_nothing(draw):
    case = random_case(draw, "as drawn", 0.7)
    higher = case.but("all logits 30 higher", logits=case.arguments["logits"] + 30)
    first, second = yield [case, higher]
    a, b = numbers(first), numbers(second)
    fact = "Adding 30 to all logits changes no probability, but it changes your result."
    expect(a.shape == b.shape and np.allclose(a, b, 1e-3, 1e-4), fact, second)


@exercise.check(Stage.EDGES)
def one_token_is_always_kept(draw):
    return [
        percent("p = 0.05, and the best token has 0.5", 0.05, [15, 50, 5, 30]),
        random_case(draw, "p = 0.001", 0.001),
    ]


@exercise.check(Stage.EDGES)
def many_equal_tokens(draw):
    (trial,) = yield [percent("ten equal tokens, p = 0.75", 0.75, [10.0] * 10)]
    kept = int((numbers(trial) > 0).sum())
    expect(kept == 8, f"{kept} of 10 equal tokens are kept; 0.7 is too little, so 8.", trial)


@exercise.check(Stage.EDGES)
def large_logits_stay_finite(draw):
    case = random_case(draw, "logits in the thousands", 0.9)
    return [case.but(logits=1000 * case.arguments["logits"])]
