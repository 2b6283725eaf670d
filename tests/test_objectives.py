"""The shift feeds no answers, and the loss is F.cross_entropy with padding left out."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from companion.objectives import label_smoothed_cross_entropy, teacher_forcing_shift

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
