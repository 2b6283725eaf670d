"""Exact attention in tiles, without ever forming the n×n matrix of weights.

A softmax needs the sum over *all* keys before it can weigh one. The online softmax gets around
this: it keeps, for every query, the largest score so far, the sum of exponentials relative to it,
and the mixture of values; when a larger score turns up, sum and mixture are rescaled. Extra memory
is O(n) instead of O(n²); the arithmetic stays O(n²). The backward pass keeps one number a query
(the logarithm of the sum) and computes every tile of weights again.

Written for reading: it runs in plain PyTorch and is slower than the fused kernels, which do the
same in a GPU's fast memory.

Taught in the self-attention chapter. Sources: Milakov and Gimelshein (2018), algorithm 3; Rabe and
Staats (2021); Dao et al. (2022), FlashAttention, algorithms 1 and 4.
"""

import math
from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from companion._checks import check_positive
from companion.masks import check_mask

Rows = Float[Tensor, "*batch query d_v"]
Scores = Float[Tensor, "*batch query key"]
Column = Float[Tensor, "*batch query 1"]


class OnlineSoftmax:
    """Softmax-weighted mean of values that arrive a tile of keys at a time.

    Attributes:
        maximum: largest score seen by each query, ``(*batch, query, 1)``.
        total: sum over the keys of exp(score - maximum).
        mixture: sum over the keys of exp(score - maximum) · value.
    """

    def __init__(self, query: Float[Tensor, "*batch query d_k"], d_v: int) -> None:
        rows = query.shape[:-1]
        # The smallest finite number rather than -inf: -inf minus -inf is NaN on a hidden row.
        self.maximum = query.new_full((*rows, 1), torch.finfo(query.dtype).min)
        self.total = query.new_zeros(*rows, 1)
        self.mixture = query.new_zeros(*rows, d_v)

    def update(
        self,
        scores: Scores,
        value: Float[Tensor, "*batch key d_v"],
        allowed: Bool[Tensor, "..."] | None = None,
    ) -> None:
        """Take in one more tile; ``allowed`` is its mask, True = may attend."""
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        maximum = torch.maximum(self.maximum, scores.amax(dim=-1, keepdim=True))
        weights = torch.exp(scores - maximum)
        if allowed is not None:
            weights = weights.masked_fill(~allowed, 0.0)
        # What was summed relative to the old maximum, made relative to the new one.
        rescale = torch.exp(self.maximum - maximum)
        self.total = self.total * rescale + weights.sum(dim=-1, keepdim=True)
        self.mixture = self.mixture * rescale + weights @ value
        self.maximum = maximum

    def output(self) -> Rows:
        """The weighted mean of the values; zeros where no key was allowed."""
        return self.mixture / self.total.masked_fill(self.total == 0, 1.0)

    def log_normaliser(self) -> Column:
        """log Σ exp(score): all that the backward pass needs to form the weights again."""
        return self.maximum + self.total.masked_fill(self.total == 0, 1.0).log()


def tiled_attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    causal: bool = False,
    scale: float | None = None,
    tile_size: int = 64,
) -> Float[Tensor, "*batch query d_v"]:
    """What :func:`companion.attention.scaled_dot_product_attention` gives, a tile at a time.

    Args:
        mask: True = may attend, broadcastable to ``(*batch, query, key)``. A padding mask
            ``(…, 1, key)`` keeps memory O(n); a full mask is itself n×n.
        causal: hide the future without a mask; tiles in the future are skipped. The queries are
            the last positions of the keys (bottom-right alignment).
        scale: factor on the scores, ``1/√d_k`` by default.
        tile_size: queries and keys per tile; any size gives the same result.

    Half precision is accumulated in float32. Gradients flow to query, key and value, once: the
    backward pass is written by hand and cannot be differentiated again.

    Raises:
        TypeError: if the mask is not boolean.
        ValueError: if the mask does not broadcast, ``tile_size`` is below 1, or ``causal`` is asked
            for with more queries than keys.

    Source: Dao et al. (2022), algorithms 1 and 4.
    """
    check_positive("tile_size", tile_size)
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    if causal and n_queries > n_keys:
        raise ValueError(f"causal: {n_queries} queries cannot be the last of {n_keys} keys")
    if mask is not None:
        check_mask(mask)
        mask = _expand(mask, (*query.shape[:-1], n_keys))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return _TiledAttention.apply(query, key, value, mask, causal, scale, tile_size)


def _expand(mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A view of the mask in the shape of the scores; it takes no memory."""
    try:
        return mask.expand(shape)
    except RuntimeError as error:
        raise ValueError(
            f"the mask's shape {tuple(mask.shape)} does not broadcast to the scores' {shape}"
        ) from error


class _TiledAttention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None,
        causal: bool,
        scale: float,
        tile_size: int,
    ) -> Tensor:
        tiles = _Tiles(query.shape[-2], key.shape[-2], tile_size, causal, mask)
        output = query.new_empty(*query.shape[:-1], value.shape[-1])
        log_normaliser = _wide(query.new_empty(*query.shape[:-1], 1))
        for rows in tiles.rows():
            q = _wide(query[..., rows, :]) * scale
            softmax = OnlineSoftmax(q, value.shape[-1])
            for columns in tiles.columns(rows):
                k, v = _wide(key[..., columns, :]), _wide(value[..., columns, :])
                softmax.update(q @ k.mT, v, tiles.allowed(rows, columns, query.device))
            output[..., rows, :] = softmax.output()
            log_normaliser[..., rows, :] = softmax.log_normaliser()
        ctx.save_for_backward(query, key, value, output, log_normaliser)
        ctx.tiles, ctx.scale = tiles, scale
        return output

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value, output, log_normaliser = ctx.saved_tensors
        grads = [torch.zeros_like(_wide(t)) for t in (query, key, value)]
        grad_query, grad_key, grad_value = grads
        for rows in ctx.tiles.rows():
            q = _wide(query[..., rows, :]) * ctx.scale
            grad_out = _wide(grad_output[..., rows, :])
            # Softmax's gradient subtracts the weighted mean of the weights' gradients, which is the
            # dot product of output and its gradient: O(n) numbers, known before any weight is.
            mean = (grad_out * _wide(output[..., rows, :])).sum(dim=-1, keepdim=True)
            for columns in ctx.tiles.columns(rows):
                k, v = _wide(key[..., columns, :]), _wide(value[..., columns, :])
                scores = q @ k.mT
                allowed = ctx.tiles.allowed(rows, columns, query.device)
                if allowed is not None:
                    scores = scores.masked_fill(~allowed, float("-inf"))
                weights = torch.exp(scores - log_normaliser[..., rows, :])
                grad_scores = weights * (grad_out @ v.mT - mean)
                grad_value[..., columns, :] += weights.mT @ grad_out
                grad_key[..., columns, :] += grad_scores.mT @ q
                grad_query[..., rows, :] += grad_scores @ k * ctx.scale
        grad_query, grad_key, grad_value = (g.to(query.dtype) for g in grads)
        return grad_query, grad_key, grad_value, None, None, None, None


class _Tiles:
    """Which tiles there are, and what may be seen in each."""

    def __init__(
        self, n_queries: int, n_keys: int, size: int, causal: bool, mask: Tensor | None
    ) -> None:
        self.n_queries, self.n_keys, self.size = n_queries, n_keys, size
        self.causal, self.mask = causal, mask
        self.offset = n_keys - n_queries  # query i is position i + offset of the keys

    def rows(self) -> Iterator[slice]:
        return self._slices(self.n_queries)

    def columns(self, rows: slice) -> Iterator[slice]:
        """Tiles of keys; under a causal mask none that lies wholly in the future."""
        return self._slices(rows.stop + self.offset if self.causal else self.n_keys)

    def allowed(self, rows: slice, columns: slice, device: torch.device) -> Tensor | None:
        allowed = None if self.mask is None else self.mask[..., rows, columns]
        first_query = rows.start + self.offset
        if not self.causal or columns.stop - 1 <= first_query:
            return allowed
        query = torch.arange(first_query, rows.stop + self.offset, device=device)
        past = torch.arange(columns.start, columns.stop, device=device) <= query[:, None]
        return past if allowed is None else allowed & past

    def _slices(self, stop: int) -> Iterator[slice]:
        return (slice(i, min(i + self.size, stop)) for i in range(0, stop, self.size))


def _wide(x: Tensor) -> Tensor:
    """Half precision as float32; everything else unchanged."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
