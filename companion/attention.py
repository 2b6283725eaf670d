"""Scaled dot-product attention and multi-head attention.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V          Vaswani et al. (2017), equation 1

Two paths compute it: written out below, and PyTorch's fused kernel. The fused one runs unless the
weights are asked for; tests hold the two equal, fully masked rows included.

Taught in the chapters on self-attention (the function) and on multi-head attention (the module).
"""

import math
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from companion.capture import Capture, save
from companion.config import AttentionSpec
from companion.masks import check_mask

Heads = Float[Tensor, "batch heads time d_head"]
Rotate = Callable[[Tensor], Tensor]


@runtime_checkable
class KeyValueStore(Protocol):
    """What attention needs of a cache; :mod:`companion.kv_cache` has the implementations."""

    def read(self) -> tuple[Tensor, Tensor] | None:
        """Keys and values that need no new ones (a memory projected before), or None."""

    def write(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Store new keys and values; return all that the queries may look at."""


def masked_softmax(
    scores: Float[Tensor, "*batch query key"], mask: Bool[Tensor, "..."] | None
) -> Float[Tensor, "*batch query key"]:
    """Softmax over the keys that ``mask`` allows; a row with no allowed key is all zeros.

    Hidden scores become the smallest finite number of their dtype. Minus infinity in a fully hidden
    row would turn into NaN (``-inf - -inf``), and -1e9 does not exist in float16. The second
    ``masked_fill`` turns the uniform row that is left there into zeros.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1).masked_fill(~mask, 0.0)


def scaled_dot_product_attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
    dropout_p: float = 0.0,
    capture: Capture | None = None,
    fused: bool | None = None,
) -> Float[Tensor, "*batch query d_v"]:
    """Mix the values, each weighted by how well its key answers the query.

    Args:
        mask: True = may attend, broadcastable to ``(*batch, query, key)``. A query that may attend
            to nothing gets zeros.
        bias: added to the scaled scores (ALiBi, relative positions).
        scale: factor on the scores, by default ``1/√d_k``: it keeps the variance of a score near 1
            when the components of queries and keys are independent with variance 1.
        dropout_p: probability of dropping a weight. The caller passes 0 outside training.
        capture: records ``weights`` (after softmax, before dropout); takes the written-out path.
        fused: force a path; by default the fused one unless something is captured, or PyTorch's
            own is the slower one (see `_fused_is_slower`).

    Raises:
        TypeError: if the mask is not boolean.
        ValueError: if the fused path is forced together with a capture.

    Source: Vaswani et al. (2017), equation 1.
    """
    if mask is not None:
        check_mask(mask)
    if fused and capture is not None:
        raise ValueError("the fused path never forms the weights: drop fused=True or capture")
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    if fused or (fused is None and capture is None and not _fused_is_slower(query, key)):
        return _fused_attention(query, key, value, mask, bias, scale, dropout_p)
    return _written_out_attention(query, key, value, mask, bias, scale, dropout_p, capture)


def _fused_is_slower(query: Tensor, key: Tensor) -> bool:
    """Training in bfloat16 on a CPU: up to 256 keys the kernel takes 1.3 to 9 times as long.

    `tests/benchmarks/run.py` measures it; in float32, and without gradients, the kernel is faster.
    """
    return (
        query.device.type == "cpu"
        and query.dtype == torch.bfloat16
        and query.requires_grad
        and key.shape[-2] <= 256
        and not torch.compiler.is_compiling()
    )


def _written_out_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    scale: float,
    dropout_p: float,
    capture: Capture | None,
) -> Tensor:
    # Scaling the queries first keeps half precision from overflowing before the division.
    scores = (query * scale) @ key.transpose(-2, -1)
    if bias is not None:
        scores = scores + bias.to(scores.dtype)  # as the fused path: half precision stays half
    weights = masked_softmax(scores, mask)
    save(capture, "weights", weights)
    return F.dropout(weights, dropout_p) @ value


def _fused_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    scale: float,
    dropout_p: float,
) -> Tensor:
    if mask is not None and mask.dim() < 2:
        mask = mask.expand(1, -1)  # the kernel asks for two axes at least
    attn_mask = mask
    if bias is not None:
        attn_mask = bias.to(query.dtype)
        if mask is not None:
            # Finite, as above, and halved: the kernel adds it to the scores, and must not overflow.
            attn_mask = attn_mask.masked_fill(~mask, torch.finfo(query.dtype).min / 2)
    output = F.scaled_dot_product_attention(
        query, key, value, attn_mask=attn_mask, dropout_p=dropout_p, scale=scale
    )
    if mask is None:
        return output
    # Kernels and versions differ on a row with nothing to attend to; this makes them agree.
    return output.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each on its own slice of the projected vectors.

    With ``n_kv_heads < n_heads`` groups of query heads share keys and values: grouped-query
    attention (Ainslie et al., 2023), and multi-query attention at 1 (Shazeer, 2019).

    Source: Vaswani et al. (2017), §3.2.2:  MultiHead(Q, K, V) = Concat(head₁ … head_h) Wᴼ.
    """

    def __init__(self, d_model: int, spec: AttentionSpec) -> None:
        """
        Raises:
            ValueError: if ``d_model`` cannot be split among the heads (see ``AttentionSpec``).
        """
        super().__init__()
        self.n_heads, self.n_kv_heads = spec.n_heads, spec.kv_heads
        self.d_head = spec.head_size(d_model)
        self.dropout, self.scale = spec.dropout, spec.scale
        self.q_proj = nn.Linear(d_model, self.n_heads * self.d_head, bias=spec.has_qkv_bias)
        self.k_proj = nn.Linear(d_model, self.n_kv_heads * self.d_head, bias=spec.has_qkv_bias)
        self.v_proj = nn.Linear(d_model, self.n_kv_heads * self.d_head, bias=spec.has_qkv_bias)
        self.out_proj = nn.Linear(self.n_heads * self.d_head, d_model, bias=spec.bias)

    def forward(
        self,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        rotate: Rotate | None = None,
        cache: KeyValueStore | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch query d_model"]:
        """
        Args:
            mask: True = may attend, broadcastable to ``(batch, heads, query, all_keys)``.
            bias: added to the scores, broadcastable to the same shape.
            rotate: turns queries and new keys by their positions (rotary embeddings).
            cache: keys and values of earlier calls; the new ones are stored in it.
            capture: records ``weights`` of shape ``(batch, heads, query, all_keys)``.
        """
        q = self._split(self.q_proj(query), self.n_heads)
        if rotate is not None:
            q = rotate(q)
        k, v = self._keys_and_values(key, value, rotate, cache)
        if self.n_kv_heads != self.n_heads:
            group = self.n_heads // self.n_kv_heads
            k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        mixed = scaled_dot_product_attention(
            q,
            k,
            v,
            mask=mask,
            bias=bias,
            scale=self.scale,
            dropout_p=self.dropout if self.training else 0.0,
            capture=capture,
        )
        return self.out_proj(self._merge(mixed))

    def _keys_and_values(
        self, key: Tensor, value: Tensor, rotate: Rotate | None, cache: KeyValueStore | None
    ) -> tuple[Tensor, Tensor]:
        stored = cache.read() if cache is not None else None
        if stored is not None:
            return stored
        k = self._split(self.k_proj(key), self.n_kv_heads)
        v = self._split(self.v_proj(value), self.n_kv_heads)
        if rotate is not None:
            k = rotate(k)
        return (k, v) if cache is None else cache.write(k, v)

    def _split(self, x: Tensor, n_heads: int) -> Heads:
        """(batch, time, heads·d_head) → (batch, heads, time, d_head).

        The ``transpose`` is not optional: a ``view`` straight to (batch, heads, time, d_head) would
        deal the numbers of one position out to several heads and positions.
        """
        return x.unflatten(-1, (n_heads, self.d_head)).transpose(1, 2)

    def _merge(self, x: Heads) -> Float[Tensor, "batch time features"]:
        """(batch, heads, time, d_head) → (batch, time, heads·d_head): the inverse of ``_split``."""
        return x.transpose(1, 2).flatten(start_dim=2)
