"""Attention masks: which query may look at which key.

One convention holds everywhere in this package: a mask is boolean, **True = may attend**, it
broadcasts to ``(batch, heads, query, key)``, and masks are combined with ``&``. Other libraries
differ (``nn.MultiheadAttention`` uses True = *hidden*); the converters at the end translate.

Taught in the chapters on self-attention and on the decoder. Source: Vaswani et al. (2017), §3.2.3.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def check_mask(mask: Tensor) -> None:
    """Refuse anything but a boolean mask.

    Raises:
        TypeError: for another dtype. A float mask of ones and zeros, or of zeros and minus
            infinity, would be read with the wrong polarity without any error, so it is never
            guessed at.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"the mask has dtype {mask.dtype}, but masks here are torch.bool with True = may "
            "attend; use mask.bool() if 1 means 'may attend', or "
            "companion.masks.from_additive(mask) if the mask holds 0 and -inf"
        )


def causal_mask(
    query_len: int, key_len: int | None = None, *, device: torch.device | str | None = None
) -> Bool[Tensor, "query key"]:
    """Position *i* may look at itself and at what stands before it.

    When there are more keys than queries, the queries are the *last* ``query_len`` positions of the
    sequence (bottom-right alignment), which is what decoding with a cache needs.

    Raises:
        ValueError: if there are fewer keys than queries, or a length is negative.
    """
    key_len = query_len if key_len is None else key_len
    query, key = _positions(query_len, key_len, device)
    return key <= query


def sliding_window_mask(
    query_len: int,
    key_len: int | None = None,
    *,
    window: int,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "query key"]:
    """Causal, and no further back than the last ``window`` positions (the query's own included).

    Source: Beltagy et al. (2020), Longformer, §3.1; Mistral 7B (2023), §2.

    Raises:
        ValueError: if ``window`` is below 1 or there are fewer keys than queries.
    """
    if window < 1:
        raise ValueError(f"window must be at least 1 (a position sees itself), got {window}")
    key_len = query_len if key_len is None else key_len
    query, key = _positions(query_len, key_len, device)
    return (key <= query) & (key > query - window)


def prefix_mask(
    prefix_lengths: Int[Tensor, " batch"], query_len: int, key_len: int | None = None
) -> Bool[Tensor, "batch 1 query key"]:
    """Everybody sees the whole prefix; behind it the mask is causal (a *prefix LM*).

    Args:
        prefix_lengths: number of leading tokens of each row that are read in both directions.

    Source: Raffel et al. (2020), T5, §3.2.1, figure 3.
    """
    device = prefix_lengths.device
    key_len = query_len if key_len is None else key_len
    key = torch.arange(key_len, device=device)
    in_prefix = key < prefix_lengths[:, None, None, None]
    return causal_mask(query_len, key_len, device=device) | in_prefix


def padding_mask(tokens: Int[Tensor, "batch time"], pad_id: int) -> Bool[Tensor, "batch 1 1 time"]:
    """No query may look at a padding token; padding may stand on either side."""
    return (tokens != pad_id)[:, None, None, :]


def combine_masks(*masks: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """Allowed only where every mask allows it. ``None`` stands for "everything is allowed".

    Raises:
        TypeError: if a mask is not boolean.
    """
    combined: Tensor | None = None
    for mask in masks:
        if mask is None:
            continue
        check_mask(mask)
        combined = mask if combined is None else combined & mask
    return combined


def positions_from_mask(valid: Bool[Tensor, "batch time"]) -> Int[Tensor, "batch time"]:
    """Count positions over the valid tokens of each row: padding on the left shifts nothing.

    Padding itself is given the position of the nearest valid token to its left, or 0.
    """
    return (valid.long().cumsum(dim=-1) - 1).clamp(min=0)


# --- the conventions of other libraries -------------------------------------------------------


def to_additive(
    mask: Bool[Tensor, "*shape"], dtype: torch.dtype = torch.float32
) -> Float[Tensor, "*shape"]:
    """To a mask that is added to the scores: 0 where attending is allowed, ``-inf`` elsewhere.

    ``F.scaled_dot_product_attention`` and ``nn.MultiheadAttention`` accept this form. Hugging Face
    adds the smallest finite number of the dtype instead of ``-inf``.
    """
    check_mask(mask)
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(
        ~mask, float("-inf")
    )


def from_additive(mask: Float[Tensor, "*shape"]) -> Bool[Tensor, "*shape"]:
    """From an additive mask: whatever is pushed below -1e4 counts as hidden (fp16 ends at -65,504).

    Raises:
        ValueError: if the mask holds positive numbers: it is a 0/1 mask or a bias, not this form.
    """
    if bool((mask > 0).any()):
        raise ValueError(
            "an additive mask holds 0 and very negative numbers, this one reaches "
            f"{mask.max().item():g}; use mask.bool() if 1 means 'may attend'"
        )
    return mask > -1e4


def to_torch_mha(mask: Bool[Tensor, "*shape"]) -> Bool[Tensor, "*shape"]:
    """To ``nn.MultiheadAttention`` / ``nn.Transformer``, where True means *hidden*."""
    check_mask(mask)
    return ~mask


def from_torch_mha(mask: Bool[Tensor, "*shape"]) -> Bool[Tensor, "*shape"]:
    """From a boolean ``attn_mask`` or ``key_padding_mask`` of ``nn.MultiheadAttention``."""
    check_mask(mask)
    return ~mask


def from_hugging_face(
    attention_mask: Int[Tensor, "batch key"] | Bool[Tensor, "batch key"],
) -> Bool[Tensor, "batch 1 1 key"]:
    """From a Hugging Face ``attention_mask``: 1 for real tokens, 0 for padding."""
    return attention_mask.bool()[:, None, None, :]


def to_hugging_face(mask: Bool[Tensor, "batch 1 1 key"]) -> Int[Tensor, "batch key"]:
    """To a Hugging Face ``attention_mask`` of ones and zeros."""
    check_mask(mask)
    return mask[:, 0, 0, :].long()


def _positions(
    query_len: int, key_len: int, device: torch.device | str | None
) -> tuple[Int[Tensor, "query 1"], Int[Tensor, " key"]]:
    if query_len < 0 or key_len < query_len:
        raise ValueError(
            f"{query_len} queries cannot be the last positions of {key_len} keys: "
            "key_len must be at least query_len, and neither negative"
        )
    key = torch.arange(key_len, device=device)
    query = torch.arange(key_len - query_len, key_len, device=device)
    return query[:, None], key
