"""The shift feeds no answers, and the loss is F.cross_entropy with padding left out."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from companion.objectives import (
    IGNORED,
    causal_shift,
    label_smoothed_cross_entropy,
    mask_tokens,
    next_sentence_pairs,
    pack_pair,
    symmetric_divergence,
    teacher_forcing_shift,
)

PAD, BOS, EOS = 0, 1, 2


def test_the_exact_ids_of_the_shift() -> None:
    target = torch.tensor([[5, 6, 7], [8, 0, 0], [0, 0, 0]])
    decoder_input, labels = teacher_forcing_shift(target, bos_id=BOS, eos_id=EOS, pad_id=PAD)
    assert decoder_input.tolist() == [[1, 5, 6, 7], [1, 8, 0, 0], [1, 0, 0, 0]]
    assert labels.tolist() == [[5, 6, 7, 2], [8, 2, 0, 0], [2, 0, 0, 0]]
    assert target.tolist() == [[5, 6, 7], [8, 0, 0], [0, 0, 0]]


def test_the_end_token_is_never_fed_and_every_label_follows_its_input() -> None:
    target = torch.tensor([[5, 6, 7, 4], [9, 3, 0, 0]])
    decoder_input, labels = teacher_forcing_shift(target, bos_id=BOS, eos_id=EOS, pad_id=PAD)
    assert not (decoder_input == EOS).any()
    for fed, wanted in zip(decoder_input.tolist(), labels.tolist(), strict=True):
        assert fed[1:] == [0 if label == EOS else label for label in wanted[:-1]]


def test_the_shift_keeps_dtype_and_works_on_no_tokens() -> None:
    target = torch.zeros(2, 0, dtype=torch.int32)
    decoder_input, labels = teacher_forcing_shift(target, bos_id=BOS, eos_id=EOS, pad_id=PAD)
    assert decoder_input.tolist() == [[1], [1]]
    assert labels.tolist() == [[2], [2]]
    assert labels.dtype == torch.int32


@pytest.mark.parametrize(
    ("row", "message"),
    [([0, 5], "padded on the right"), ([5, 2], "the shift adds them"), ([1, 5], "shift adds them")],
)
def test_the_shift_refuses(row: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        teacher_forcing_shift(torch.tensor([row]), bos_id=BOS, eos_id=EOS, pad_id=PAD)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("ignore_index", [0, -100])
def test_it_equals_torch_in_value_and_gradient(
    smoothing: float, reduction: str, ignore_index: int
) -> None:
    generator = torch.Generator().manual_seed(0)
    ours = torch.randn(3, 5, 11, dtype=torch.float64, generator=generator, requires_grad=True)
    theirs = ours.detach().clone().requires_grad_()
    labels = torch.randint(1, 11, (3, 5), generator=generator)
    labels[0, 3:] = ignore_index
    labels[2] = ignore_index
    loss = label_smoothed_cross_entropy(
        ours, labels, ignore_index=ignore_index, smoothing=smoothing, reduction=reduction
    )
    reference = F.cross_entropy(
        theirs.flatten(0, 1),
        labels.flatten(),
        ignore_index=ignore_index,
        label_smoothing=smoothing,
        reduction=reduction,
    )
    torch.testing.assert_close(loss, reference, rtol=1e-12, atol=1e-12)
    loss.backward()
    reference.backward()
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-12, atol=1e-12)


@given(extra=st.integers(0, 6), smoothing=st.sampled_from([0.0, 0.1]))
def test_more_padding_changes_nothing(extra: int, smoothing: float) -> None:
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(2, 4 + extra, 7, dtype=torch.float64, generator=generator)
    labels = torch.tensor([[3, 4, 5, 2], [6, 2, 0, 0]])
    padded = F.pad(labels, (0, extra), value=PAD)
    few = label_smoothed_cross_entropy(logits[:, :4], labels, ignore_index=PAD, smoothing=smoothing)
    many = label_smoothed_cross_entropy(logits, padded, ignore_index=PAD, smoothing=smoothing)
    torch.testing.assert_close(few, many, rtol=0, atol=1e-12)


def test_nothing_but_padding_is_zero_with_zero_gradients() -> None:
    logits = torch.randn(2, 3, 5, requires_grad=True)
    labels = torch.zeros(2, 3, dtype=torch.long)
    loss = label_smoothed_cross_entropy(logits, labels, ignore_index=PAD, smoothing=0.1)
    loss.backward()
    assert loss.item() == 0.0
    assert logits.grad is not None
    assert (logits.grad == 0).all()


def test_uniform_logits_cost_the_logarithm_of_the_vocabulary() -> None:
    labels = torch.tensor([3, 1])
    for smoothing in (0.0, 0.3):
        loss = label_smoothed_cross_entropy(
            torch.zeros(2, 8), labels, ignore_index=PAD, smoothing=smoothing
        )
        assert loss.item() == pytest.approx(math.log(8), abs=1e-6)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_logits_are_reduced_in_float32(dtype: torch.dtype) -> None:
    logits = (torch.randn(64, 300, generator=torch.Generator().manual_seed(2)) * 8).to(dtype)
    labels = torch.randint(1, 300, (64,), generator=torch.Generator().manual_seed(3))
    loss = label_smoothed_cross_entropy(logits, labels, ignore_index=PAD, smoothing=0.1)
    assert loss.dtype == torch.float32
    torch.testing.assert_close(
        loss, F.cross_entropy(logits.float(), labels, label_smoothing=0.1), rtol=1e-5, atol=1e-5
    )


def test_wrong_settings_are_named() -> None:
    logits, labels = torch.zeros(1, 3), torch.tensor([1])
    with pytest.raises(ValueError, match=r"smoothing must lie in \[0, 1\), got 1.0"):
        label_smoothed_cross_entropy(logits, labels, ignore_index=PAD, smoothing=1.0)
    # The shape checker of the test run reads the Literal first; both refusals name the argument.
    with pytest.raises(Exception, match="reduction"):
        label_smoothed_cross_entropy(logits, labels, ignore_index=PAD, reduction="none")


# --- R-Drop --------------------------------------------------------------------------------------


def test_the_divergence_by_hand() -> None:
    """`p = (3/4, 1/4)`, `q = (1/4, 3/4)`: each KL is ½ ln 3, and so is half of their sum."""
    first = torch.tensor([[0.75, 0.25]]).log()
    counts = torch.tensor([True])
    found = symmetric_divergence(first, first.flip(-1) + 7.0, counts)
    assert found.item() == pytest.approx(math.log(3) / 2, abs=1e-6)


def test_the_divergence_equals_torch_in_value_and_gradient_and_leaves_out_what_does_not_count() -> (
    None
):
    generator = torch.Generator().manual_seed(0)
    ours = [
        torch.randn(2, 3, 7, dtype=torch.float64, generator=generator, requires_grad=True)
        for _ in range(2)
    ]
    theirs = [logits.detach().clone().requires_grad_() for logits in ours]
    counts = torch.tensor([[True, True, False], [True, False, False]])
    found = symmetric_divergence(*ours, counts)
    p, q = (logits[counts].log_softmax(-1) for logits in theirs)
    there, back = (F.kl_div(b, a, log_target=True, reduction="sum") for a, b in ((p, q), (q, p)))
    torch.testing.assert_close(found, (there + back) / 2, rtol=1e-12, atol=1e-12)
    found.backward()
    ((there + back) / 2).backward()
    for mine, reference in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, reference.grad, rtol=1e-12, atol=1e-12)
        assert mine.grad is not None
        assert (mine.grad[~counts] == 0).all()


def test_the_divergence_of_a_prediction_from_itself_is_zero() -> None:
    logits = torch.randn(4, 9, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    found = symmetric_divergence(logits, logits, torch.ones(4, dtype=torch.bool))
    assert found.item() == 0.0
    assert found.dtype == torch.float32


# --- causal language model -----------------------------------------------------------------------


def test_every_token_is_the_label_of_the_one_before() -> None:
    inputs, labels = causal_shift(torch.tensor([[5, 6, 7, 8]]))
    assert inputs.tolist() == [[5, 6, 7]]
    assert labels.tolist() == [[6, 7, 8]]


def test_padding_on_either_side_is_neither_asked_for_nor_asked_from() -> None:
    tokens = torch.tensor([[5, 6, 7, 0, 0], [0, 0, 5, 6, 7]])
    _, labels = causal_shift(tokens, pad_id=PAD)
    assert labels.tolist() == [[6, 7, -100, -100], [-100, -100, 6, 7]]
    assert causal_shift(tokens)[1].tolist() == [[6, 7, 0, 0], [0, 5, 6, 7]]


def test_the_causal_loss_of_a_padded_batch_is_that_of_its_rows() -> None:
    logits = torch.randn(1, 3, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    _, labels = causal_shift(torch.tensor([[5, 6, 7, 8]]), pad_id=PAD)
    alone = label_smoothed_cross_entropy(logits, labels, ignore_index=IGNORED)
    _, labels = causal_shift(torch.tensor([[0, 0, 5, 6, 7, 8, 0]]), pad_id=PAD)
    padded = label_smoothed_cross_entropy(
        F.pad(logits, (0, 0, 2, 1), value=1.0), labels, ignore_index=IGNORED
    )
    torch.testing.assert_close(alone, padded, rtol=0, atol=1e-12)


def test_a_single_token_has_nothing_to_predict() -> None:
    with pytest.raises(ValueError, match="nothing to predict: the rows hold 1"):
        causal_shift(torch.tensor([[5]]))


# --- masked language model -----------------------------------------------------------------------

MASK, VOCAB, SPECIAL = 3, 50, (0, 1, 2)


def corrupt(tokens: torch.Tensor, seed: int = 0, **settings: object) -> tuple[torch.Tensor, ...]:
    options = {"mask_id": MASK, "vocab_size": VOCAB, "special_ids": SPECIAL} | settings
    return mask_tokens(tokens, generator=torch.Generator().manual_seed(seed), **options)


def test_shares_of_masked_replaced_and_kept() -> None:
    tokens = torch.randint(4, VOCAB, (200, 500), generator=torch.Generator().manual_seed(1))
    before = tokens.clone()
    inputs, labels = corrupt(tokens)
    assert torch.equal(tokens, before)
    chosen = labels != IGNORED
    assert torch.equal(labels[chosen], tokens[chosen])
    assert torch.equal(inputs[~chosen], tokens[~chosen])
    # 100,000 tokens: three standard deviations are 0.0034 of all and 0.01 of the chosen.
    assert chosen.double().mean().item() == pytest.approx(0.15, abs=0.0034)
    masked = inputs[chosen] == MASK
    changed = ~masked & (inputs[chosen] != tokens[chosen])
    assert masked.double().mean().item() == pytest.approx(0.8, abs=0.01)
    # One draw in 46 hits the original by chance.
    assert changed.double().mean().item() == pytest.approx(0.1 * 45 / 46, abs=0.008)
    drawn = inputs[chosen][changed]
    assert drawn.min() == 4
    assert drawn.max() == VOCAB - 1


@given(seed=st.integers(0, 1000), probability=st.sampled_from([0.15, 1.0]))
def test_special_tokens_are_never_chosen_nor_drawn(seed: int, probability: float) -> None:
    tokens = torch.tensor([[1, 10, 11, 2, 12, MASK, 2, 0, 0]])
    inputs, labels = corrupt(tokens, seed, probability=probability, split=(0.0, 1.0))
    special = torch.isin(tokens, torch.tensor([*SPECIAL, MASK]))
    assert torch.equal(inputs[special], tokens[special])
    assert (labels[special] == IGNORED).all()
    assert (inputs[~special] >= 4).all()
    if probability == 1.0:
        assert (labels[~special] != IGNORED).all()


def test_pieces_of_a_word_are_chosen_together_and_each_meets_its_own_fate() -> None:
    word_ids = torch.tensor([[-1, 0, 0, 0, 1, 2, 2, -1]]).repeat(4000, 1)
    tokens = torch.arange(10, 18).repeat(4000, 1)
    inputs, labels = corrupt(tokens, word_ids=word_ids, probability=0.3)
    chosen = labels != IGNORED
    assert not chosen[:, [0, 7]].any()
    for pieces in ([1, 2, 3], [4], [5, 6]):
        together = chosen[:, pieces]
        assert torch.equal(together.any(dim=1), together.all(dim=1))
        assert together[:, 0].double().mean().item() == pytest.approx(0.3, abs=0.025)
    both = chosen[:, 1] & chosen[:, 4]
    assert both.double().mean().item() == pytest.approx(0.09, abs=0.015)
    fates = (inputs == MASK)[chosen[:, 5]][:, 5:7]
    assert (fates[:, 0] != fates[:, 1]).double().mean().item() == pytest.approx(0.32, abs=0.06)


def test_a_seed_repeats_the_corruption() -> None:
    tokens = torch.randint(4, VOCAB, (4, 50))
    again = corrupt(tokens, seed=3)
    for first, second in zip(corrupt(tokens, seed=3), again, strict=True):
        assert torch.equal(first, second)
    assert not torch.equal(corrupt(tokens, seed=4)[0], again[0])


def test_no_tokens_are_no_trouble() -> None:
    inputs, labels = corrupt(torch.zeros(2, 0, dtype=torch.long))
    assert inputs.shape == labels.shape == (2, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"probability": 0.0}, r"probability must lie in \(0, 1\], got 0.0"),
        ({"probability": 1.2}, "got 1.2"),
        ({"split": (0.9, 0.2)}, r"sum to at most 1, got \(0.9, 0.2\)"),
        ({"split": (-0.1, 0.2)}, "split"),
        ({"mask_id": 50}, "mask_id=50 is no token of a vocabulary of 50"),
        ({"special_ids": range(50)}, "all 50 tokens are special"),
    ],
)
def test_corruption_refuses(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        corrupt(torch.tensor([[5]]), **settings)


# --- next sentences ------------------------------------------------------------------------------

DOCUMENTS = [[f"{d}.{s}" for s in range(20)] for d in "abcde"]


def test_half_of_the_pairs_follow_each_other_and_the_others_come_from_elsewhere() -> None:
    pairs = [pair for seed in range(10) for pair in next_sentence_pairs(DOCUMENTS, seed=seed)]
    assert len(pairs) == 10 * 5 * 19
    assert sum(pair.label for pair in pairs) / len(pairs) == pytest.approx(0.5, abs=0.05)
    elsewhere = set()
    for pair in pairs:
        document, number = pair.first.split(".")
        if pair.label == 0:
            assert pair.second == f"{document}.{int(number) + 1}"
        else:
            assert pair.second[0] != document
            elsewhere.add((document, pair.second[0]))
    assert len(elsewhere) == 5 * 4


def test_a_seed_repeats_the_pairs() -> None:
    assert next_sentence_pairs(DOCUMENTS, seed=1) == next_sentence_pairs(DOCUMENTS, seed=1)
    assert next_sentence_pairs(DOCUMENTS, seed=1) != next_sentence_pairs(DOCUMENTS, seed=2)


def test_pairs_need_two_documents() -> None:
    with pytest.raises(ValueError, match="two that are not empty are needed, got 1"):
        next_sentence_pairs([["a", "b"], []], seed=0)
    with pytest.raises(ValueError, match=r"probability must lie in \[0, 1\], got 2.0"):
        next_sentence_pairs(DOCUMENTS, seed=0, probability=2.0)


def test_the_exact_ids_of_a_packed_pair() -> None:
    tokens, types = pack_pair([5, 6], [7], cls_id=1, sep_id=2, max_len=10)
    assert tokens == [1, 5, 6, 2, 7, 2]
    assert types == [0, 0, 0, 0, 1, 1]


def test_the_longer_sentence_gives_way() -> None:
    first, second = [5, 6, 7, 8, 9], [15, 16]
    tokens, types = pack_pair(first, second, cls_id=1, sep_id=2, max_len=8)
    assert tokens == [1, 5, 6, 7, 2, 15, 16, 2]
    assert len(types) == 8
    assert (first, second) == ([5, 6, 7, 8, 9], [15, 16])
    with pytest.raises(ValueError, match="got 4"):
        pack_pair(first, second, cls_id=1, sep_id=2, max_len=4)
