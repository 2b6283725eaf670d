"""The encoder layer: the reference in NumPy and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, expect_equal, numbers

LAYER = "EncoderLayer"
exercise = Exercise(__file__, order=180, minutes=10, parts=(LAYER,))


def normalise(x, state, name):
    """LayerNorm with the parameters of that name."""
    deviation = x - x.mean(axis=-1, keepdims=True)
    scaled = deviation / np.sqrt((deviation**2).mean(axis=-1, keepdims=True) + 1e-5)
    return scaled * state[f"{name}.weight"] + state[f"{name}.bias"]


def linear(x, state, name):
    """A linear layer; the matrix is stored as (out, in)."""
    return x @ state[f"{name}.weight"].T + state[f"{name}.bias"]


def attend(x, allowed, state, n_heads):
    """Self-attention of one sentence, head by head."""
    query, key, value = np.split(linear(x, state, "self_attention.in_proj"), 3, axis=-1)
    size = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        part = slice(h * size, (h + 1) * size)
        scores = np.where(allowed[h], query[:, part] @ key[:, part].T / np.sqrt(size), -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        heads.append(weights / weights.sum(axis=1, keepdims=True) @ value[:, part])
    return linear(np.concatenate(heads, axis=-1), state, "self_attention.out_proj")


def one_sentence(x, allowed, state, n_heads):
    """Vaswani et al. (2017), §3.1: LayerNorm(x + Sublayer(x)), twice."""
    attended = normalise(x + attend(x, allowed, state, n_heads), state, "norm_1")
    hidden = np.maximum(linear(attended, state, "feed_forward.0"), 0)
    return normalise(attended + linear(hidden, state, "feed_forward.2"), state, "norm_2")


N_HEADS = 2  # in every case: the constructor's arguments do not reach the oracle


@exercise.oracle(LAYER, axes="batch time feature")
def reference(x, state, mask=None):
    """Sentence by sentence."""
    batch, time, _ = x.shape
    allowed = np.ones((batch, N_HEADS, time, time), dtype=bool)
    if mask is not None:
        allowed = np.broadcast_to(mask, allowed.shape)
    return np.stack([one_sentence(x[b], allowed[b], state, N_HEADS) for b in range(batch)])


def parameters(draw: Draw, d_model: int, d_ff: int) -> dict[str, np.ndarray]:
    """Random parameters, each norm's different from the other's."""
    shapes = {
        "self_attention.in_proj": (3 * d_model, d_model),
        "self_attention.out_proj": (d_model, d_model),
        "feed_forward.0": (d_ff, d_model),
        "feed_forward.2": (d_model, d_ff),
    }
    state = {f"{name}.weight": draw.normal(*s) / s[1] ** 0.5 for name, s in shapes.items()}
    state |= {f"{name}.bias": draw.normal(s[0]) / 2 for name, s in shapes.items()}
    for norm in ("norm_1", "norm_2"):
        state |= {f"{norm}.weight": 1 + draw.normal(d_model) / 2}
        state |= {f"{norm}.bias": draw.normal(d_model) / 2}
    return state


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states and parameters; d_model = 2 * d_head."""
    names = ("batch", "time", "d_head", "d_ff")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, d_head, d_ff = (sizes.get(name, size) for name, size in drawn)
    d_model = N_HEADS * d_head
    arguments = {"x": 2 * draw.normal(b, t, d_model), "state": parameters(draw, d_model, d_ff)}
    construct = {"d_model": d_model, "n_heads": N_HEADS, "d_ff": d_ff}
    return Case(LAYER, arguments, label, construct=construct)


def silenced(draw: Draw, label: str, *names: str) -> Case:
    """Some linear layers all zero, so that their sublayer adds nothing."""
    case = inputs(draw, label, batch=1, time=3, d_head=2, d_ff=3)
    state = dict(case.arguments["state"])
    for name in names:
        for kind in ("weight", "bias"):
            state[f"{name}.{kind}"] = 0 * state[f"{name}.{kind}"]
    return case.but(state=state)


def padded(draw: Draw, case: Case, label: str) -> Case:
    """With a padding mask, as (batch, 1, 1, time)."""
    batch, time, _ = case.arguments["x"].shape
    return case.but(label, mask=draw.mask(batch, 1, 1, time))


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    case = inputs(draw)
    return [case, padded(draw, case, "with padding")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_x_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def silent_sublayers_leave_the_norms(draw):
    both = ("self_attention.out_proj", "feed_forward.2")
    return [silenced(draw, "attention and feed-forward give zeros", *both)]


@exercise.check(Stage.ISOLATED)
def attention_alone(draw):
    return [silenced(draw, "the feed-forward network gives zeros", "feed_forward.2")]


@exercise.check(Stage.ISOLATED)
def feed_forward_alone(draw):
    return [silenced(draw, "the attention gives zeros", "self_attention.out_proj")]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    return [
        inputs(draw).set(dtype="float64"),
        inputs(draw, "batch and time alike", batch=3, time=3).set(dtype="float64"),
    ]


@exercise.check(Stage.ORACLE)
def padding_is_hidden(draw):
    case = inputs(draw).set(dtype="float64")
    return [padded(draw, case, "with padding")]


@exercise.check(Stage.PROPERTIES)
def padding_cannot_be_felt(draw):
    case = inputs(draw, "the last two of five positions are padding", time=5)
    mask = np.array([True, True, True, False, False])[None, None, None]
    case = case.but(mask=np.repeat(mask, len(case.arguments["x"]), axis=0))
    x = case.arguments["x"].copy()
    x[:, 3:] += 10 * draw.normal(*x[:, 3:].shape)
    first, second = yield [case, case.but("the padding was changed", x=x)]
    fact = "Only padding was changed; the results of the words must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :3])


@exercise.check(Stage.PROPERTIES)
def order_in_order_out(draw):
    case = inputs(draw, "as drawn", time=5)
    order = [3, 0, 4, 1, 2]
    shuffled = case.but("positions shuffled", x=case.arguments["x"][:, order])
    first, second = yield [case, shuffled]
    a, b = numbers(first), numbers(second)
    same = a.shape == b.shape and np.allclose(a[:, order], b, 1e-3, 1e-4)
    expect(same, "The positions were shuffled; the results must be shuffled alike.", second)


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=1, time=2, d_head=2, d_ff=3)
    cotangent = draw.normal(1, 2, 4)
    return [case.set(dtype="float64", differentiate=("x", "state"), cotangent=cotangent)]
