"""The verdict: known mistakes by name, unknown ones by what can be seen, and the states between."""

import pytest

from exercises.engine.case import Case, Draw, Outcome, Tensor
from exercises.engine.catalogue import find
from exercises.engine.diagnosis import run_here
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_here
from exercises.engine.planning import Settings, attach, decide, plan
from exercises.engine.stub import fill, solution_of, stub_of
from exercises.engine.verdict import FAILED, NOT_REACHED, NOT_STARTED, PARTIAL, PASSED, Verdict

SDPA, MASKS, HEADS = find("sdpa"), find("masks"), find("split_heads")
ATTENTION = """\
scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
if mask is not None:
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
weights = scores.softmax(-1)
if mask is not None:
    weights = weights.masked_fill(~mask, 0)
return weights @ value"""


def grade(exercise: Exercise, source: str, **options: object) -> Verdict:
    namespace: dict = {}
    exec(source, namespace)
    return grade_here(exercise, namespace, **options)  # type: ignore[arg-type]


def attempt(old: str, new: str) -> Verdict:
    assert old in ATTENTION
    return grade(SDPA, fill(SDPA, ATTENTION.replace(old, new)))


NAMED = {
    "softmax-over-queries": (".softmax(-1)", ".softmax(-2)"),
    "no-scale": (" / query.size(-1) ** 0.5", ""),
    "scale-by-d-k": ("query.size(-1) ** 0.5", "query.size(-1)"),
    "mask-inverted": ("masked_fill(~mask, ", "masked_fill(mask, "),
    "mask-after-softmax": (".masked_fill(~mask, torch.finfo(scores.dtype).min)", ""),
    "transposed-heads": ("transpose(-2, -1)", "transpose(1, 2)"),
}


@pytest.mark.parametrize("code", NAMED)
def test_a_learners_own_wording_of_a_known_mistake_is_named(code: str) -> None:
    verdict = attempt(*NAMED[code])
    assert verdict.codes == (code,)
    advice = SDPA.text.mutants[code]
    for words in (advice.what, advice.why, advice.print):
        assert words in str(verdict)


def test_the_swapped_axis_prints_the_sentence() -> None:
    verdict = attempt(".softmax(-1)", ".softmax(dim=2)")
    sentence = "Your weights sum to 1 over the queries; they must over the keys: softmax(dim=-1)."
    assert sentence in str(verdict)
    assert "03_self_attention.html#" in str(verdict)


def test_view_instead_of_transpose_is_named() -> None:
    split = (
        "batch, time, d_model = hidden.shape\nif d_model % n_heads: raise ValueError\n"
        "return hidden.reshape(batch, n_heads, time, -1)"
    )
    assert grade(HEADS, fill(HEADS, split)).codes == ("view-not-transpose",)


def test_two_mistakes_are_named_one_after_the_other() -> None:
    both = ATTENTION.replace(".softmax(-1)", ".softmax(-2)").replace(" / query.size(-1) ** 0.5", "")
    first = grade(SDPA, fill(SDPA, both))
    assert first.codes == ("softmax-over-queries",)
    assert first.failure is not None
    assert not first.failure.certain
    assert "It looks like this" in str(first)
    second = grade(SDPA, fill(SDPA, both.replace("softmax(-2)", "softmax(-1)")))
    assert second.codes == ("no-scale",)


def test_nothing_but_zeros_is_not_taken_for_a_mistake_that_also_gives_zeros() -> None:
    verdict = attempt("return weights @ value", "return 0 * (weights @ value)")
    assert verdict.codes == ("check:one_key_returns_its_value",)
    assert "Every element of the result is 0." in str(verdict)


def test_unknown_mistake_shows_case_index_values_and_properties() -> None:
    code = "out = weights @ value\nout[1:] = out[0]\nreturn out"
    verdict = attempt("return weights @ value", code)
    text = str(verdict)
    assert verdict.codes[0].startswith("check:")
    assert "first at [batch 1" in text or "the first at [batch 1" in text
    assert "Along batch: right at 0; wrong at 1" in text
    assert "Breaks" in text
    assert "Holds" in text
    assert "Print" in text


def test_the_smallest_failing_case_is_the_one_shown() -> None:
    verdict = attempt("return weights @ value", "return weights @ value + 0.01 * key.size(-1)")
    assert verdict.failure is not None
    assert "(1, 1, " in verdict.failure.case


@pytest.mark.parametrize(
    ("ending", "news"),
    [
        ("weights @ value", "got None"),
        ("return (weights @ value).tolist()", "got a list of"),
        ("return query[99]", "Your code raised IndexError"),
    ],
)
def test_something_else_than_a_tensor_is_the_headline(ending: str, news: str) -> None:
    verdict = attempt("return weights @ value", ending)
    assert verdict.failure is not None
    assert news in verdict.failure.what


def test_empty_stub_is_not_started_and_costs_nothing() -> None:
    verdict = grade(SDPA, stub_of(SDPA))
    assert verdict.state == NOT_STARTED
    assert {r.status for r in verdict.results} == {FAILED, NOT_REACHED}


def test_a_dtype_that_pytorch_lacks_is_not_taken_for_an_empty_stub() -> None:
    """PyTorch raises NotImplementedError, with a message, e.g. for cdist in bfloat16."""
    message = "'cdist' not implemented for 'BFloat16'"
    body = f"raise NotImplementedError({message!r})"
    verdict = grade(SDPA, "def scaled_dot_product_attention(q, k, v, mask=None):\n    " + body)
    assert verdict.state == FAILED
    assert message in str(verdict)


def test_a_check_that_cannot_calculate_with_the_shape_says_so() -> None:
    """Here the property compares results with its inputs, which have other shapes."""
    residual = find("residual")
    shape = fill(residual, "return norm(x + sublayer(x))", "return (x + sublayer(norm(x)))[:, 0]")
    namespace: dict = {}
    exec(shape, namespace)
    items = plan(residual, Settings(), ["pre_norm"])
    cases = [case for item in items for case in item.cases]
    attach(residual, items, run_here(namespace, cases, residual))
    broken = {item.check.name: decide(item) for item in items}
    assert "has shape" in str(broken["the_sublayer_never_feels_the_size_of_x"])


def test_second_function_missing_is_failed_with_what_is_next() -> None:
    right = solution_of(HEADS).split("def merge_heads")[0]
    verdict = grade(HEADS, right + "def merge_heads(heads):\n    raise NotImplementedError\n")
    assert verdict.state == FAILED
    assert "`merge_heads` still raises NotImplementedError" in str(verdict)
    assert sum(r.status == PASSED for r in verdict.results) == 9


def test_one_part_alone_is_partial() -> None:
    verdict = grade(HEADS, solution_of(HEADS), parts=["split_heads"])
    assert verdict.state == PARTIAL
    assert not verdict.passed
    assert "still to come: merge_heads" in str(verdict)


def test_a_pass_says_what_was_checked() -> None:
    verdict = grade(MASKS, solution_of(MASKS))
    assert verdict.passed
    assert all(MASKS.text.checks[check.name].what in str(verdict) for check in MASKS.checks)


@pytest.mark.parametrize("seed", [1, 99])
def test_seeds_and_sizes_of_a_teacher(seed: int) -> None:
    settings = Settings(seed=seed, sizes={"batch": 11, "keys": 13})
    assert grade(SDPA, solution_of(SDPA), settings=settings).passed
    wrong = grade(SDPA, fill(SDPA, ATTENTION.replace("(-1)\n", "(-2)\n", 1)), settings=settings)
    assert wrong.state == FAILED


def test_memorised_answers_fail_under_another_seed() -> None:
    """The inputs really depend on the seed."""
    first, second = (Draw(seed, "x").normal(3) for seed in (0, 1))
    assert (first != second).all()


def test_sizes_always_differ() -> None:
    for seed in range(50):
        sizes = Draw(seed, "x", {"b": 3}).dims("a", "b", "c", "d", "e", "f")
        assert len(set(sizes)) == 6
        assert sizes[1] == 3


def test_masks_always_show_and_hide_something() -> None:
    for seed in range(50):
        mask = Draw(seed, "x").mask(4, 3, 5)
        assert mask.any(-1).all()
        assert not mask.all(-1).any()


def test_bfloat16_inputs_are_representable() -> None:
    case = Case("f", {"x": Draw(0, "x").normal(100)}, dtype="bfloat16")
    import torch

    rounded = torch.from_numpy(case.oracle_arguments()["x"])
    assert torch.equal(rounded.bfloat16().double(), rounded)


def test_array_of_something_else_is_a_type_error() -> None:
    import numpy as np

    assert Outcome(value=Tensor(np.ones(2), "float32")).array.sum() == 2
    assert Outcome(value=(1, 2)).array.tolist() == [1, 2]
    with pytest.raises(TypeError, match="None"):
        _ = Outcome().array
    with pytest.raises(TypeError, match="a list of 2 items"):
        _ = Outcome(value=["a", "b"]).array


def test_what_a_driver_refuses_is_explained_without_a_line_of_the_drivers() -> None:
    three_items = "def shift(target, bos_id, eos_id, pad_id):\n    return target, target, 3\n"
    failure = grade(find("teacher_forcing"), three_items).failure
    assert failure is not None
    assert "a pair (decoder_input, labels), not 3 items" in failure.what
    assert failure.facts == ()
    assert failure.print.startswith("print(type(result))")


def test_an_edge_case_does_not_stand_for_a_wrong_formula() -> None:
    """Wrong for several texts, and NaN where nothing counts: the first is what is shown."""
    exercise = find("causal_lm_loss")
    wrong = "counts.sum() / (1 + 0.1 * (len(tokens) > 1))"
    source = solution_of(exercise).replace("counts.sum().clamp(min=1)", f"({wrong})")
    failure = grade(exercise, source).failure
    assert failure is not None
    assert failure.stage == "oracle"
    assert "1.1 times the expected" in " ".join(failure.facts)
