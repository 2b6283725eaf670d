"""Embeddings: the references, one token after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

EMBED, LOGITS = "embed", "logits"
exercise = Exercise(__file__, order=140, minutes=10, parts=(EMBED, LOGITS))


@exercise.oracle(EMBED, axes="batch time feature")
def embed_reference(tokens, table):
    """Vaswani et al. (2017), section 3.4: one row after the other, times the root of its length."""
    result = np.zeros((*tokens.shape, table.shape[1]))
    for place in np.ndindex(*tokens.shape):
        row = table[tokens[place]]
        result[place] = row * len(row) ** 0.5
    return result


@exercise.oracle(LOGITS, axes="batch time token")
def logits_reference(hidden, table):
    """One dot product for each place and each token."""
    result = np.zeros((*hidden.shape[:2], len(table)))
    for b, t, token in np.ndindex(*result.shape):
        result[b, t, token] = np.dot(hidden[b, t], table[token])
    return result


def lookup(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call of embed in which the first and the last token of the vocabulary occur."""
    names = ("batch", "time", "vocab", "d_model")
    drawn = zip(names, draw.dims(*names, smallest=2), strict=True)
    b, t, v, d = (sizes.get(name, size) for name, size in drawn)
    tokens = draw.integers(0, v, b, t)
    tokens[0, 0], tokens[-1, -1] = 0, v - 1
    return Case(EMBED, {"tokens": tokens, "table": draw.normal(v, d)}, label)


def scores(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """A call of logits."""
    names = ("batch", "time", "vocab", "d_model")
    drawn = zip(names, draw.dims(*names), strict=True)
    b, t, v, d = (sizes.get(name, size) for name, size in drawn)
    return Case(LOGITS, {"hidden": draw.normal(b, t, d), "table": draw.normal(v, d)}, label)


# --- embed


@exercise.check(Stage.CONTRACT, judge="shape", part=EMBED)
def embed_shape(draw):
    return [lookup(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=EMBED)
def embed_keeps_the_dtype(draw):
    return [lookup(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.CONTRACT, judge="untouched", part=EMBED)
def embed_leaves_the_table_alone(draw):
    return [lookup(draw)]


@exercise.check(Stage.ISOLATED, part=EMBED)
def rows_without_scaling(draw):
    table = np.array([[10.0], [11.0], [12.0]])
    tokens = np.array([[2, 0], [1, 2]])
    return [Case(EMBED, {"tokens": tokens, "table": table}, "d_model = 1, so the factor is 1")]


@exercise.check(Stage.ISOLATED, part=EMBED)
def rows_times_the_root(draw):
    table = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 3.0, 5.0]])
    return [
        Case(EMBED, {"tokens": np.array([[1]]), "table": table}, "the example: the factor is 2")
    ]


@exercise.check(Stage.ORACLE, part=EMBED)
def equals_the_lookup(draw):
    return [lookup(draw), lookup(draw, "float64").set(dtype="float64")]


@exercise.check(Stage.PROPERTIES, part=EMBED)
def embeddings_have_the_size_of_sinusoids(draw):
    size = {"batch": 2, "time": 30, "vocab": 40, "d_model": 64}
    case = lookup(draw, "rows with variance 1 / d_model", **size)
    (trial,) = yield [case.but(table=case.arguments["table"] / 8)]
    variance = float(numbers(trial).var())
    fact = f"The embeddings have variance {variance:.3g}; it must be about 1."
    expect(0.7 < variance < 1.4, fact, trial)


@exercise.check(Stage.GRADIENTS, part=EMBED)
def embed_gradients(draw):
    case = lookup(draw, "gradients", batch=2, time=4, vocab=5, d_model=3)
    tokens = np.array([[0, 2, 2, 4], [1, 2, 0, 1]])
    cotangent = draw.normal(2, 4, 3)
    case = case.but("gradients; token 2 occurs three times", tokens=tokens)
    return [case.set(dtype="float64", differentiate=("table",), cotangent=cotangent)]


# --- logits


@exercise.check(Stage.CONTRACT, judge="shape", part=LOGITS)
def logits_shape(draw):
    return [scores(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype", part=LOGITS)
def logits_keep_the_dtype(draw):
    return [scores(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.CONTRACT, judge="untouched", part=LOGITS)
def logits_leave_the_inputs_alone(draw):
    return [scores(draw)]


@exercise.check(Stage.ISOLATED, part=LOGITS)
def one_vector_against_three_tokens(draw):
    table = np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    return [Case(LOGITS, {"hidden": np.array([[[1.0, 2.0]]]), "table": table}, "the example")]


@exercise.check(Stage.ORACLE, part=LOGITS)
def equals_dot_products(draw):
    square = scores(draw, "as many tokens as features: d_model = vocab", vocab=6, d_model=6)
    return [scores(draw).set(dtype="float64"), square]


@exercise.check(Stage.GRADIENTS, part=LOGITS)
def logits_gradients(draw):
    case = scores(draw, "gradients", batch=2, time=3, vocab=5, d_model=4)
    cotangent = draw.normal(2, 3, 5)
    return [case.set(dtype="float64", differentiate=("hidden", "table"), cotangent=cotangent)]
