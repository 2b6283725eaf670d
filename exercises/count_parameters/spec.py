"""Counting parameters: the reference and what must hold."""

import math

import numpy as np

from exercises.engine.case import Case, Draw, describe
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

PREDICT, COUNT = "predict_parameters", "count_parameters"
exercise = Exercise(__file__, order=300, minutes=20, parts=(PREDICT, COUNT))

KINDS = {  # shapes of the parameters in driver.py's modules
    "one layer": lambda v, w: [(v, w), (v,)],
    "nested": lambda v, w: [(v, w), (w, w), (w,), (v, w)],
    "tied": lambda v, w: [(v, w)],
    "frozen": lambda v, w: [(v, w), (v, w)],
    "buffers": lambda _, w: [(w,), (w,)],
}


@exercise.oracle(PREDICT, axes="")
def predict_reference(
    source_vocab,
    target_vocab,
    d_model,
    d_ff,
    n_heads,
    n_encoder_layers,
    n_decoder_layers,
    bias,
    share_embeddings,
    tie_output,
    pre_norm,
):
    """Every tensor's shape is written down, one by one; then their elements are added."""
    if share_embeddings and source_vocab != target_vocab:
        raise ValueError("a shared table needs equal vocabularies")
    norm = [(d_model,), (d_model,)]
    attention = [(d_model, d_model)] * 4 + [(d_model,)] * 4 * bias
    feed_forward = [(d_ff, d_model), (d_model, d_ff)] + [(d_ff,), (d_model,)] * bias
    shapes = (attention + norm + feed_forward + norm) * n_encoder_layers
    shapes += (attention + norm + attention + norm + feed_forward + norm) * n_decoder_layers
    tables = {"source": source_vocab, "target": target_vocab, "output": target_vocab}
    if share_embeddings:
        del tables["target"]
    if tie_output:
        del tables["output"]
    shapes += [(size, d_model) for size in tables.values()]
    shapes += (norm + norm) * pre_norm
    return np.array(sum(math.prod(shape) for shape in shapes))


@exercise.oracle(COUNT, axes="")
def count_reference(kind, vocab, width):
    """Shapes written down by hand."""
    return np.array(sum(math.prod(shape) for shape in KINDS[kind](vocab, width)))


def model(label: str, **changes) -> Case:
    """A model of tables only, with one token each, until something is changed."""
    arguments = {
        "source_vocab": 1,
        "target_vocab": 1,
        "d_model": 10,
        "d_ff": 29,
        "n_heads": 5,
        "n_encoder_layers": 0,
        "n_decoder_layers": 0,
        "bias": True,
        "share_embeddings": False,
        "tie_output": False,
        "pre_norm": False,
    }
    return Case(PREDICT, {**arguments, **changes}, label)


def random_model(draw: Draw, label: str, **changes) -> Case:
    """All sizes different."""
    n_heads, d_head, encoder, decoder = draw.dims("heads", "d_head", "encoder", "decoder")
    source, target, d_ff = (int(n) for n in 300 + draw.rng.permutation(200)[:3])
    sizes = {"source_vocab": source, "target_vocab": target, "d_model": n_heads * d_head}
    layers = {"n_encoder_layers": encoder, "n_decoder_layers": decoder}
    return model(label, **sizes, **layers, d_ff=d_ff, n_heads=n_heads).but(**changes)


def compare(trials: list[Trial]) -> None:
    """Equal whole numbers; a difference is put into words."""
    for trial in trials:
        if trial.expected_error is not None:
            continue
        got, wanted = numbers(trial), int(trial.expected)
        whole = got.size == 1 and got.dtype.kind in "iu"
        expect(whole, f"Expected one whole number, got {describe(trial.outcome.value)}.", trial)
        fact = f"Expected {wanted:,}, got {int(got.item()):,}: {difference(got.item(), wanted)}."
        expect(got.item() == wanted, f"{fact}{guess(got.item() - wanted, trial.case)}", trial)


def difference(got: int, wanted: int) -> str:
    return f"{abs(got - wanted):,} too {'many' if got > wanted else 'few'}"


def guess(surplus: int, case: Case) -> str:
    """Is the difference a small multiple of one of the model's tensors?"""
    a = case.arguments
    if "d_model" not in a:
        return ""
    tensors = {
        "source_vocab · d_model": a["source_vocab"] * a["d_model"],
        "target_vocab · d_model": a["target_vocab"] * a["d_model"],
        "d_model · d_ff": a["d_model"] * a["d_ff"],
        "d_model²": a["d_model"] ** 2,
        "target_vocab": a["target_vocab"],
        "d_ff": a["d_ff"],
        "d_model": a["d_model"],
    }
    for name, size in tensors.items():
        times, rest = divmod(abs(surplus), size)
        if size > 1 and rest == 0 and 1 <= times <= 40:
            return f" That is {times} · {name}." if times > 1 else f" That is {name}."
    return ""


# --- predict_parameters


@exercise.check(Stage.ISOLATED, part=PREDICT)
def three_tables_and_no_layers(draw):
    compare((yield [model("no layers at all", source_vocab=101, target_vocab=103)]))


@exercise.check(Stage.ISOLATED, part=PREDICT)
def an_encoder_layer_without_biases(draw):
    compare((yield [model("one encoder layer, no biases", n_encoder_layers=1, bias=False)]))


@exercise.check(Stage.ISOLATED, part=PREDICT)
def an_encoder_layer_with_biases(draw):
    compare((yield [model("one encoder layer, with biases", n_encoder_layers=1)]))


@exercise.check(Stage.ISOLATED, part=PREDICT)
def a_decoder_layer(draw):
    case = model("one decoder layer, no biases", n_decoder_layers=1, bias=False)
    compare((yield [case, case.but("one decoder layer, with biases", bias=True)]))


@exercise.check(Stage.ISOLATED, part=PREDICT)
def tables_that_are_one(draw):
    tables = model("output tied to the target", source_vocab=101, target_vocab=103, tie_output=True)
    shared = tables.but("one table for all three", target_vocab=101, share_embeddings=True)
    own = shared.but("one table for source and target, an output of its own", tie_output=False)
    compare((yield [tables, own, shared]))


@exercise.check(Stage.ISOLATED, part=PREDICT)
def final_norms_of_pre_norm_stacks(draw):
    compare((yield [model("pre-norm", n_encoder_layers=1, n_decoder_layers=1, pre_norm=True)]))


@exercise.check(Stage.ORACLE, part=PREDICT)
def counts_of_real_models(draw):
    sizes = {"d_model": 512, "d_ff": 2048, "n_heads": 8}
    layers = {"n_encoder_layers": 6, "n_decoder_layers": 6}
    base = model("base model, 30,000 tokens, untied", **sizes, **layers)
    base = base.but(source_vocab=30_000, target_vocab=30_000)
    tied = {"share_embeddings": True, "tie_output": True}
    paper = base.but("base model of the paper", source_vocab=37_000, target_vocab=37_000, **tied)
    compare((yield [base, paper]))


@exercise.check(Stage.ORACLE, part=PREDICT)
def all_sizes_different(draw):
    flags = [(bias, tie, pre) for bias in (0, 1) for tie in (0, 1) for pre in (0, 1)]
    names = ("bias", "tie_output", "pre_norm")
    cases = []
    for chosen in flags:
        options = {name: bool(flag) for name, flag in zip(names, chosen, strict=True)}
        cases.append(random_model(draw, "all sizes different", **options))
    compare((yield cases))


@exercise.check(Stage.PROPERTIES, part=PREDICT)
def the_number_of_heads_changes_nothing(draw):
    case = random_model(draw, "as drawn")
    other = case.but("another number of heads", n_heads=1)
    first, second = yield [case, other]
    a, b = numbers(first).item(), numbers(second).item()
    heads = case.arguments["n_heads"]
    expect(
        a == b, f"With {heads} heads you count {a:,}, with 1 head {b:,}; it must be equal.", second
    )


@exercise.check(Stage.EDGES, part=PREDICT)
def unequal_vocabularies_cannot_share(draw):
    case = model("101 and 103 tokens", source_vocab=101, target_vocab=103, share_embeddings=True)
    return [case]


# --- count_parameters


def module(draw: Draw, kind: str, label: str) -> Case:
    """A module of that kind with random sizes."""
    width, vocab = sorted(draw.dims("width", "vocab", smallest=3))
    return Case(COUNT, {"kind": kind, "vocab": vocab, "width": width}, label, via="built_module")


@exercise.check(Stage.ISOLATED, part=COUNT)
def a_single_layer(draw):
    compare((yield [module(draw, "one layer", "nn.Linear(width, vocab)")]))


@exercise.check(Stage.ORACLE, part=COUNT)
def layers_inside_layers(draw):
    compare((yield [module(draw, "nested", "layers in a Sequential in a Sequential")]))


@exercise.check(Stage.EDGES, part=COUNT)
def tied_parameters_count_once(draw):
    label = "nn.Embedding(vocab, width), and an output layer with the same weight"
    compare((yield [module(draw, "tied", label)]))


@exercise.check(Stage.EDGES, part=COUNT)
def frozen_parameters_count(draw):
    compare((yield [module(draw, "frozen", "a frozen embedding, and a layer of the same size")]))


@exercise.check(Stage.EDGES, part=COUNT)
def buffers_do_not_count(draw):
    compare(
        (yield [module(draw, "buffers", "nn.BatchNorm1d(width): gain, bias, running statistics")])
    )
