"""The decoder layer: the reference in NumPy and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect_equal

LAYER = "DecoderLayer"
N_HEADS = 2  # in every case: the constructor's arguments do not reach the oracle
exercise = Exercise(__file__, order=190, minutes=12, parts=(LAYER,))


def normalise(x, state, name):
    """LayerNorm with the parameters of that name."""
    deviation = x - x.mean(axis=-1, keepdims=True)
    scaled = deviation / np.sqrt((deviation**2).mean(axis=-1, keepdims=True) + 1e-5)
    return scaled * state[f"{name}.weight"] + state[f"{name}.bias"]


def linear(x, state, name):
    """A linear layer; the matrix is stored as (out, in)."""
    return x @ state[f"{name}.weight"].T + state[f"{name}.bias"]


def attend(x, memory, allowed, state, name):
    """Attention of one sentence, head by head."""
    query = linear(x, state, f"{name}.q_proj")
    key, value = np.split(linear(memory, state, f"{name}.kv_proj"), 2, axis=-1)
    size = x.shape[-1] // N_HEADS
    heads = []
    for h in range(N_HEADS):
        part = slice(h * size, (h + 1) * size)
        scores = np.where(allowed[h], query[:, part] @ key[:, part].T / np.sqrt(size), -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        heads.append(weights / weights.sum(axis=1, keepdims=True) @ value[:, part])
    return linear(np.concatenate(heads, axis=-1), state, f"{name}.out_proj")


def one_sentence(x, memory, allowed, readable, state):
    """Vaswani et al. (2017), §3.1, with the norms as in Radford et al. (2019), §2.3."""
    own = normalise(x, state, "norm_1")
    heard = x + attend(own, own, allowed, state, "self_attention")
    asking = normalise(heard, state, "norm_2")
    read = heard + attend(asking, memory, readable, state, "cross_attention")
    hidden = linear(normalise(read, state, "norm_3"), state, "feed_forward.0")
    return read + linear(np.maximum(hidden, 0), state, "feed_forward.2")


@exercise.oracle(LAYER, axes="batch time feature")
def reference(x, memory, state, mask=None, memory_mask=None):
    """Sentence by sentence."""
    batch, time, _ = x.shape
    masks = []
    for given, keys in ((mask, time), (memory_mask, memory.shape[1])):
        everything = np.ones((batch, N_HEADS, time, keys), dtype=bool)
        masks.append(everything if given is None else np.broadcast_to(given, everything.shape))
    rows = zip(x, memory, *masks, strict=True)
    return np.stack([one_sentence(*row, state) for row in rows])


def parameters(draw: Draw, d_model: int, d_ff: int) -> dict[str, np.ndarray]:
    """Random parameters, each attention's and each norm's different from the others'."""
    shapes = {"feed_forward.0": (d_ff, d_model), "feed_forward.2": (d_model, d_ff)}
    for name in ("self_attention", "cross_attention"):
        shapes[f"{name}.q_proj"] = shapes[f"{name}.out_proj"] = (d_model, d_model)
        shapes[f"{name}.kv_proj"] = (2 * d_model, d_model)
    state = {f"{name}.weight": draw.normal(*s) / s[1] ** 0.5 for name, s in shapes.items()}
    state |= {f"{name}.bias": draw.normal(s[0]) / 2 for name, s in shapes.items()}
    for norm in ("norm_1", "norm_2", "norm_3"):
        state |= {f"{norm}.weight": 1 + draw.normal(d_model) / 2}
        state |= {f"{norm}.bias": draw.normal(d_model) / 2}
    return state


def inputs(draw: Draw, label: str = "all sizes different", **sizes: int) -> Case:
    """Random states and parameters; d_model = 2 * d_head, and x is not normalised."""
    names = ("batch", "time", "memory", "d_head", "d_ff")
    drawn = zip(names, draw.dims(*names, smallest=3), strict=True)
    b, t, m, d_head, d_ff = (sizes.get(name, size) for name, size in drawn)
    d_model = N_HEADS * d_head
    arguments = {
        "x": 1 + 2 * draw.normal(b, t, d_model),
        "memory": draw.normal(b, m, d_model),
        "state": parameters(draw, d_model, d_ff),
    }
    construct = {"d_model": d_model, "n_heads": N_HEADS, "d_ff": d_ff}
    return Case(LAYER, arguments, label, construct=construct)


def silenced(draw: Draw, label: str, *names: str) -> Case:
    """The last linear layer of some sublayers all zero, so that they add nothing."""
    case = inputs(draw, label, batch=1, time=3, memory=4, d_head=2, d_ff=3)
    state = dict(case.arguments["state"])
    for name in names:
        for kind in ("weight", "bias"):
            state[f"{name}.{kind}"] = 0 * state[f"{name}.{kind}"]
    return case.but(state=state)


def causal(case: Case, label: str | None = None) -> Case:
    """With a causal mask."""
    time = case.arguments["x"].shape[1]
    return case.but(label, mask=np.tril(np.ones((time, time), dtype=bool)))


def padded(draw: Draw, case: Case, label: str) -> Case:
    """With a padding mask for the memory, (batch, 1, 1, memory_len)."""
    batch, length, _ = case.arguments["memory"].shape
    return case.but(label, memory_mask=draw.mask(batch, 1, 1, length))


SELF, CROSS, NETWORK = "self_attention.out_proj", "cross_attention.out_proj", "feed_forward.2"


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_the_shape_of_x(draw):
    case = inputs(draw)
    return [case, padded(draw, causal(case), "with both masks")]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_inputs_alone(draw):
    return [inputs(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def keeps_the_dtype(draw):
    return [inputs(draw).set(dtype=dtype) for dtype in ("float64", "bfloat16")]


@exercise.check(Stage.ISOLATED)
def silent_sublayers_leave_x(draw):
    return [silenced(draw, "all three sublayers give zeros", SELF, CROSS, NETWORK)]


@exercise.check(Stage.ISOLATED)
def self_attention_alone(draw):
    return [silenced(draw, "only the self-attention is on", CROSS, NETWORK)]


@exercise.check(Stage.ISOLATED)
def cross_attention_alone(draw):
    return [silenced(draw, "only the cross-attention is on", SELF, NETWORK)]


@exercise.check(Stage.ISOLATED)
def feed_forward_alone(draw):
    return [silenced(draw, "only the feed-forward network is on", SELF, CROSS)]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    return [
        inputs(draw).set(dtype="float64"),
        inputs(draw, "x and memory equally long", time=4, memory=4).set(dtype="float64"),
    ]


@exercise.check(Stage.ORACLE)
def each_mask_in_its_place(draw):
    case = inputs(draw).set(dtype="float64")
    alike = inputs(draw, "both masks; x and memory equally long", time=4, memory=4)
    return [
        causal(case, "a causal mask"),
        padded(draw, case, "padding in the memory"),
        padded(draw, causal(alike), alike.label).set(dtype="float64"),
    ]


@exercise.check(Stage.PROPERTIES)
def the_future_cannot_be_felt(draw):
    case = causal(inputs(draw, "as drawn, with a causal mask", time=4))
    x = case.arguments["x"].copy()
    x[:, -1] += 10 * draw.normal(*x[:, -1].shape)
    first, second = yield [case, case.but("the last position was changed", x=x)]
    fact = "Only the last position was changed; the results of the earlier ones must stay."
    expect_equal(first, second, fact, rows=np.s_[:, :-1])


@exercise.check(Stage.PROPERTIES)
def padding_of_the_memory_cannot_be_felt(draw):
    case = padded(draw, inputs(draw), "as drawn, with padding in the memory")
    memory = case.arguments["memory"].copy()
    memory[~case.arguments["memory_mask"][:, 0, 0]] += 10
    first, second = yield [case, case.but("the padding was changed", memory=memory)]
    expect_equal(first, second, "Only padding of the memory was changed; nothing may change.")


@exercise.check(Stage.GRADIENTS)
def gradients_equal_the_formula(draw):
    case = inputs(draw, "gradients", batch=1, time=2, memory=3, d_head=2, d_ff=3)
    case = case.set(dtype="float64", cotangent=draw.normal(1, 2, 4))
    return [case.set(differentiate=("x", "memory", "state"))]
