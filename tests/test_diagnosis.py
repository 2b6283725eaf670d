"""The report names what is wrong, and nothing where nothing is."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from companion.attention import masked_softmax
from companion.capture import Capture
from companion.diagnosis import MESSAGES, AttentionReport, attention_report
from companion.masks import causal_mask, padding_mask
from companion.transformer import Transformer

PADDED = torch.tensor([[5, 6, 7, 8, 9], [5, 6, 7, 0, 0]])
PAD = padding_mask(PADDED, 0)
CAUSAL = causal_mask(5)


def scores() -> Tensor:
    return torch.randn(2, 3, 5, 5, generator=torch.Generator().manual_seed(1)).double()


def names(report: AttentionReport) -> list[str]:
    return list(report.findings)


def test_healthy_weights_are_fine() -> None:
    for mask in (None, CAUSAL, PAD, CAUSAL & PAD):
        report = attention_report(masked_softmax(scores(), mask), mask)
        assert names(report) == ["fine"]
        assert report.ok
        assert report.verdict == MESSAGES["fine"]
        assert report.row_sums == pytest.approx((1, 1))
        assert report.hidden_mass == report.padding_mass == 0
        assert report.dead_rows == 0


def test_looking_ahead_is_measured() -> None:
    weights = masked_softmax(scores(), None)
    report = attention_report(weights, CAUSAL)
    future = weights.masked_fill(CAUSAL, 0).sum(-1).max().item()
    assert names(report) == ["future"]
    assert not report.ok
    assert report.future_mass == pytest.approx(future)
    assert f"{future:.3g} of a row's mass lies on the future" in report.verdict


def test_the_future_of_a_block_of_queries_starts_behind_its_own_position() -> None:
    weights = masked_softmax(scores()[:, :, :2], causal_mask(2, 5))
    assert attention_report(weights, causal_mask(2, 5)).future_mass == 0
    top_left = torch.ones(2, 5, dtype=torch.bool).tril()
    leaking = masked_softmax(scores()[:, :, :2], torch.ones(2, 5, dtype=torch.bool).tril(4))
    assert attention_report(leaking, causal_mask(2, 5)).future_mass > 0
    assert attention_report(masked_softmax(scores()[:, :, :2], top_left), top_left).ok


def test_a_future_that_the_mask_allows_is_no_fault() -> None:
    assert attention_report(masked_softmax(scores(), PAD), PAD).future_mass is None


def test_more_queries_than_keys_have_no_future() -> None:
    weights = masked_softmax(scores()[..., :3], None)
    assert attention_report(weights, torch.ones(3, dtype=torch.bool).expand(5, 3)).ok
    assert attention_report(weights).future_mass is None


def test_mass_on_padding_is_measured() -> None:
    weights = masked_softmax(scores(), CAUSAL)
    report = attention_report(weights, CAUSAL & PAD)
    assert names(report) == ["padding"]
    assert report.padding_mass == pytest.approx(weights[1, :, :, 3:].sum(-1).max().item())
    both = attention_report(masked_softmax(scores(), None), CAUSAL & PAD)
    assert names(both) == ["padding", "future"]


def test_any_other_leak() -> None:
    mask = torch.ones(5, 5, dtype=torch.bool)
    mask[0, 4] = False
    assert names(attention_report(masked_softmax(scores(), None), mask)) == ["leak"]


def test_softmax_over_the_queries_is_recognised() -> None:
    report = attention_report(scores().softmax(dim=-2))
    assert names(report) == ["wrong axis"]
    assert report.verdict.endswith("softmax(dim=-1)")
    hidden = scores().masked_fill(~(CAUSAL & PAD), -1e9).softmax(dim=-2)
    assert "wrong axis" in names(attention_report(hidden, CAUSAL & PAD))
    zeros = masked_softmax(scores().mT, (CAUSAL & PAD).mT).mT  # padding's columns sum to nothing
    assert names(attention_report(zeros, CAUSAL & PAD)) == ["wrong axis"]


def test_sums_that_are_not_one() -> None:
    report = attention_report(masked_softmax(scores(), None) * CAUSAL, CAUSAL)
    assert names(report) == ["row sums"]
    assert report.row_sums[0] < 1
    assert report.row_sums[1] == pytest.approx(1)


def test_scores_instead_of_weights() -> None:
    assert "negative" in names(attention_report(scores()))


def test_an_inverted_mask_is_recognised() -> None:
    weights = masked_softmax(scores(), ~CAUSAL)
    # Row 4 of the inverted mask is empty, so it is dead under the right one.
    report = attention_report(weights, CAUSAL)
    assert names(report)[:1] == ["inverted"]
    assert report.dead_rows == 2 * 3
    only = torch.tensor([True, True, False, False, False])
    assert names(attention_report(masked_softmax(scores(), ~only), only)) == ["inverted"]


def test_rows_that_may_attend_to_nothing() -> None:
    mask = torch.ones(5, 5, dtype=torch.bool)
    mask[2] = False
    report = attention_report(masked_softmax(scores(), mask), mask)
    assert names(report) == ["fine", "hidden"]
    assert report.ok
    assert report.findings["hidden"].startswith("6 of 30 rows may attend to nothing")
    uniform = scores().masked_fill(~mask, -1e9).softmax(-1)
    report = attention_report(uniform, mask)
    assert names(report) == ["not zero"]
    assert "-1e9 gives a uniform average" in report.verdict
    nan = scores().masked_fill(~mask, float("-inf")).softmax(-1)
    report = attention_report(nan, mask)
    assert not report.ok
    assert report.findings["not finite"].startswith("6 of 30 rows hold NaN")
    assert report.row_sums == pytest.approx((1, 1))


def test_dead_rows_are_told_from_hidden_ones() -> None:
    weights = masked_softmax(scores(), None)
    weights[0, 1, 3] = 0
    report = attention_report(weights)
    assert report.dead_rows == 1
    assert names(report) == ["dead"]
    assert report.findings["dead"].startswith("1 of 30 rows are all zeros")
    weights[:, 2] = 0
    assert names(attention_report(weights)) == ["dead"]  # and no word about that head's entropy


def test_entropy_of_known_heads() -> None:
    heads = torch.zeros(1, 3, 4, 4)
    heads[:, 1] = torch.tensor([100.0, 0, 0, 0])
    heads[:, 2] = torch.tensor([math.log(3), 0, 0, float("-inf")])
    report = attention_report(heads.softmax(-1))
    three = -(0.6 * math.log(0.6) + 0.4 * math.log(0.2))
    assert report.entropy == pytest.approx((math.log(4), 0, three), abs=1e-6)
    assert report.relative_entropy == pytest.approx((1, 0, three / math.log(4)), abs=1e-6)
    assert report.findings["uniform"].startswith("head 0 spreads evenly")
    assert report.findings["saturated"].startswith("head 1 puts everything on one key")
    assert report.ok


def test_a_row_with_one_allowed_key_has_no_entropy_to_speak_of() -> None:
    uniform = masked_softmax(torch.zeros(1, 2, 4, 4), causal_mask(4))
    report = attention_report(uniform, causal_mask(4))
    assert report.relative_entropy == pytest.approx((1, 1))
    assert report.entropy[0] == pytest.approx(sum(map(math.log, (2, 3, 4))) / 3)
    assert report.findings["uniform"].startswith("heads 0, 1 spread evenly")
    alone = attention_report(torch.ones(1, 1, 1, 1))
    assert names(alone) == ["fine"]


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    dtype=st.sampled_from([torch.float32, torch.bfloat16, torch.float16]),
)
def test_no_false_alarm_on_our_own_attention(seed: int, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(seed)
    mask = torch.rand(2, 1, 6, 7, generator=generator) < 0.5
    weights = masked_softmax(torch.randn(2, 3, 6, 7, generator=generator).to(dtype), mask)
    report = attention_report(weights, mask)
    assert report.ok, report.verdict


def test_captured_weights_of_a_model(tiny_model: Transformer) -> None:
    capture = Capture()
    tiny_model(PADDED, PADDED[:, :4], capture=capture)
    mask = causal_mask(4) & padding_mask(PADDED[:, :4], 0)
    assert attention_report(capture["decoder.layers.0.self_attention.weights"], mask).ok
    assert attention_report(capture["decoder.layers.2.cross_attention.weights"], PAD).ok


def test_it_prints_figures_and_verdict() -> None:
    text = str(attention_report(masked_softmax(scores(), None), CAUSAL))
    assert "mass on the future" in text
    assert text.endswith("what it has to predict")
    assert "mass on the future   -" in str(attention_report(masked_softmax(scores(), None)))


def test_weights_are_not_changed() -> None:
    weights = scores().softmax(-1).requires_grad_()
    before = weights.detach().clone()
    attention_report(weights, CAUSAL)
    assert torch.equal(weights, before)


@pytest.mark.usefixtures("as_a_user")
def test_wrong_input_is_named() -> None:
    with pytest.raises(ValueError, match=r"shape \(5, 5\); expected \(batch, heads, query, key\)"):
        attention_report(torch.ones(5, 5))
    with pytest.raises(TypeError, match="True = may attend"):
        attention_report(torch.ones(1, 1, 5, 5), torch.ones(5, 5))
    with pytest.raises(ValueError, match=r"\(4, 5\) does not broadcast to the weights'"):
        attention_report(torch.ones(1, 1, 5, 5), torch.ones(4, 5, dtype=torch.bool))
