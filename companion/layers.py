"""Encoder and decoder layers: sub-layers, each inside a residual connection with its norm.

    post-norm:  x ← norm(x + dropout(sublayer(x)))     Vaswani et al. (2017), §3.1, §5.4
    pre-norm:   x ← x + dropout(sublayer(norm(x)))     Radford et al. (2019), §2.3

Taught in the chapters on residuals, on the encoder and on the decoder. A decoder-only language
model uses :class:`EncoderLayer` with a causal mask: without cross-attention there is no other
difference.
"""

from collections.abc import Callable
from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from companion.attention import MultiHeadAttention, Rotate
from companion.capture import Capture, at, save
from companion.config import StackSpec
from companion.feed_forward import make_feed_forward
from companion.kv_cache import LayerCache
from companion.normalization import make_norm

Hidden = Float[Tensor, "batch time d_model"]


class Residual(nn.Module):
    """The frame around a sub-layer: residual connection, dropout and norm, pre or post."""

    def __init__(self, spec: StackSpec) -> None:
        super().__init__()
        self.norm = make_norm(spec.d_model, spec.norm)
        self.dropout = nn.Dropout(spec.dropout)
        self.pre_norm = spec.norm.position == "pre"

    def forward(self, x: Hidden, sublayer: Callable[[Tensor], Tensor]) -> Hidden:
        if self.pre_norm:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


def _over_itself(
    attention: MultiHeadAttention,
    cache: LayerCache | None,
    capture: Capture | None,
    **context: Any,
) -> Callable[[Tensor], Tensor]:
    """Self-attention as a function of the one tensor that is query, key and value."""
    own, inner = cache and cache.own, at(capture, "self_attention")
    return lambda h: attention(h, h, h, cache=own, capture=inner, **context)


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, spec: StackSpec) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(spec.d_model, spec.attention)
        self.feed_forward = make_feed_forward(spec.d_model, spec.feed_forward)
        self.residual_1, self.residual_2 = Residual(spec), Residual(spec)

    def forward(
        self,
        x: Hidden,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        rotate: Rotate | None = None,
        cache: LayerCache | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """
        Args:
            mask, bias, rotate: see :class:`companion.attention.MultiHeadAttention`.
            cache: this layer's slice of a :class:`companion.kv_cache.KVCache`.
            capture: records ``self_attention.weights`` and ``output``.
        """
        attend = _over_itself(
            self.self_attention, cache, capture, mask=mask, bias=bias, rotate=rotate
        )

        x = self.residual_1(x, attend)
        x = self.residual_2(x, self.feed_forward)
        save(capture, "output", x)
        return x


class DecoderLayer(nn.Module):
    """Causal self-attention, cross-attention to the encoder's memory, then feed-forward."""

    def __init__(self, spec: StackSpec) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(spec.d_model, spec.attention)
        self.cross_attention = MultiHeadAttention(spec.d_model, spec.attention)
        self.feed_forward = make_feed_forward(spec.d_model, spec.feed_forward)
        self.residual_1, self.residual_2 = Residual(spec), Residual(spec)
        self.residual_3 = Residual(spec)

    def forward(
        self,
        x: Hidden,
        memory: Float[Tensor, "batch source d_model"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        rotate: Rotate | None = None,
        cache: LayerCache | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """
        Args:
            memory: the encoder's output; with a cache it is projected once and then read back.
            mask, bias, rotate: for the self-attention.
            memory_mask: which source positions may be looked at.
            cache: this layer's slice of a :class:`companion.kv_cache.KVCache`.
            capture: records ``self_attention.weights``, ``cross_attention.weights``, ``output``.
        """
        attend = _over_itself(
            self.self_attention, cache, capture, mask=mask, bias=bias, rotate=rotate
        )

        def consult(h: Tensor) -> Tensor:
            return self.cross_attention(
                h,
                memory,
                memory,
                mask=memory_mask,
                cache=cache and cache.memory,
                capture=at(capture, "cross_attention"),
            )

        x = self.residual_1(x, attend)
        x = self.residual_2(x, consult)
        x = self.residual_3(x, self.feed_forward)
        save(capture, "output", x)
        return x
