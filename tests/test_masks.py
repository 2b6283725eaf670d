import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from companion.masks import (
    causal_mask,
    check_mask,
    combine_masks,
    from_additive,
    from_hugging_face,
    from_torch_mha,
    padding_mask,
    positions_from_mask,
    prefix_mask,
    sliding_window_mask,
    to_additive,
    to_hugging_face,
    to_torch_mha,
)

lengths = st.integers(0, 9)


@given(queries=lengths, extra=lengths)
def test_causal_mask_is_aligned_bottom_right(queries: int, extra: int) -> None:
    mask = causal_mask(queries, queries + extra)
    for query in range(queries):
        for key in range(queries + extra):
            assert mask[query, key] == (key <= query + extra)


@given(queries=lengths, extra=lengths, window=st.integers(1, 12))
def test_sliding_window_sees_itself_and_what_is_just_before(
    queries: int, extra: int, window: int
) -> None:
    mask = sliding_window_mask(queries, queries + extra, window=window)
    for query in range(queries):
        seen = mask[query].nonzero()[:, 0].tolist()
        here = query + extra
        assert seen == list(range(max(0, here - window + 1), here + 1))


@given(prefixes=st.lists(st.integers(0, 6), min_size=1, max_size=3))
def test_prefix_mask_is_causal_behind_the_prefix(prefixes: list[int]) -> None:
    mask = prefix_mask(torch.tensor(prefixes), 6)
    for row, prefix in enumerate(prefixes):
        for query in range(6):
            for key in range(6):
                assert mask[row, 0, query, key] == (key <= query or key < prefix)


def test_prefix_mask_with_a_cache_uses_the_last_queries() -> None:
    whole = prefix_mask(torch.tensor([2, 5]), 6)
    assert torch.equal(prefix_mask(torch.tensor([2, 5]), 2, 6), whole[:, :, 4:])


def test_more_queries_than_keys_is_named() -> None:
    with pytest.raises(ValueError, match="5 queries cannot be the last positions of 3 keys"):
        causal_mask(5, 3)


def test_window_below_one_is_named() -> None:
    with pytest.raises(ValueError, match="got 0"):
        sliding_window_mask(3, window=0)


def test_padding_mask_on_either_side() -> None:
    mask = padding_mask(torch.tensor([[0, 0, 5], [5, 6, 0]]), pad_id=0)
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[False, False, True], [True, True, False]]


def test_combine_is_and_and_none_means_everything() -> None:
    pad = padding_mask(torch.tensor([[5, 6, 0]]), 0)
    both = combine_masks(None, causal_mask(3), pad)
    assert both is not None
    assert both[0, 0].tolist() == [[True, False, False], [True, True, False], [True, True, False]]
    assert combine_masks(None, None) is None


@pytest.mark.usefixtures("as_a_user")
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_a_mask_of_another_dtype_is_refused_with_the_way_out(dtype: torch.dtype) -> None:
    mask = torch.ones(2, 2).to(dtype)
    for refuse in (check_mask, combine_masks, to_additive, to_torch_mha):
        with pytest.raises(TypeError, match=r"True = may attend.*mask\.bool\(\)"):
            refuse(mask)


def test_positions_count_real_tokens_only() -> None:
    valid = torch.tensor([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]]).bool()
    assert positions_from_mask(valid).tolist() == [[0, 0, 0, 1], [0, 1, 1, 1], [0, 0, 0, 0]]


def test_additive_round_trip_and_polarity() -> None:
    mask = causal_mask(4)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        assert torch.equal(from_additive(to_additive(mask, dtype)), mask)
    # Hugging Face adds the smallest finite number instead of -inf, many codes add -1e9.
    for low in (torch.finfo(torch.float16).min, -1e9):
        assert torch.equal(from_additive(torch.zeros(4, 4).masked_fill(~mask, low)), mask)


def test_a_mask_of_ones_is_not_taken_for_an_additive_one() -> None:
    with pytest.raises(ValueError, match="this one reaches 1"):
        from_additive(torch.ones(2, 2))


def test_torch_multihead_attention_agrees_after_conversion() -> None:
    """The converter's polarity, checked on torch's own module."""
    torch_mha = nn.MultiheadAttention(8, 2, batch_first=True)
    x = torch.randn(1, 5, 8)
    mask = causal_mask(5)
    _, weights = torch_mha(x, x, x, attn_mask=to_torch_mha(mask))
    assert torch.equal(weights[0] > 0, mask)
    assert torch.equal(from_torch_mha(to_torch_mha(mask)), mask)


def test_hugging_face_round_trip() -> None:
    ones = torch.tensor([[0, 1, 1], [1, 1, 0]])
    mask = from_hugging_face(ones)
    assert torch.equal(mask, padding_mask(ones, pad_id=0))
    assert torch.equal(to_hugging_face(mask), ones)
