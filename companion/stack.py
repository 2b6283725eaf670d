"""A stack: token embedding, a pile of equal layers, final norm.

An encoder, a decoder and a language model are the same stack. They differ in the layer it is piled
from, and in the mask that says what a position may look at.

Taught in the chapters on the encoder and on the decoder.
"""

from collections.abc import Callable

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion.capture import Capture, at, save
from companion.config import StackSpec
from companion.embeddings import TokenEmbedding
from companion.kv_cache import KVCache
from companion.masks import causal_mask, positions_from_mask
from companion.normalization import make_norm
from companion.positions import PositionScheme

Tokens = Int[Tensor, "batch time"]
Hidden = Float[Tensor, "batch time d_model"]


class InputEmbedding(nn.Module):
    """Token vectors plus positions, with the norm and dropout that stand before the first layer."""

    def __init__(self, tokens: TokenEmbedding, positions: PositionScheme, spec: StackSpec) -> None:
        super().__init__()
        self.tokens, self.positions = tokens, positions
        self.norm = make_norm(spec.d_model, spec.norm) if spec.norm.embedding else nn.Identity()
        self.dropout = nn.Dropout(spec.dropout)

    def forward(
        self,
        tokens: Tokens,
        positions: Tokens,
        *,
        added: Hidden | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """
        Args:
            added: further vectors for the tokens, such as those of BERT's token types.
        """
        x = self.tokens(tokens)
        x = self.positions.embed(x if added is None else x + added, positions)
        x = self.dropout(self.norm(x))
        save(capture, "embedding", x)
        return x


def build_positions(spec: StackSpec) -> PositionScheme:
    """The stack's position scheme as a module."""
    heads = spec.attention
    return spec.position.build(spec.d_model, heads.n_heads, heads.head_size(spec.d_model))


def final_norm(spec: StackSpec) -> nn.Module:
    """Pre-norm stacks end on one more norm: nothing has normalised the last sum yet."""
    return make_norm(spec.d_model, spec.norm) if spec.norm.position == "pre" else nn.Identity()


class Stack(nn.Module):
    """Token embedding, layers, final norm.

    Args:
        layer: what the stack is piled from, e.g. :class:`companion.layers.EncoderLayer`. Layers are
            built one by one: copies of one initialised layer would all start equal.
    """

    def __init__(
        self, tokens: TokenEmbedding, spec: StackSpec, layer: Callable[[StackSpec], nn.Module]
    ) -> None:
        super().__init__()
        self.spec = spec
        self.embedding = InputEmbedding(tokens, build_positions(spec), spec)
        self.layers = nn.ModuleList(layer(spec) for _ in range(spec.n_layers))
        self.norm = final_norm(spec)

    def run(
        self,
        tokens: Tokens,
        *,
        mask: Bool[Tensor, "..."],
        key_positions: Int[Tensor, "batch key"],
        added: Hidden | None = None,
        cache: KVCache | None = None,
        capture: Capture | None = None,
        **for_each_layer: Tensor,
    ) -> Hidden:
        """The hidden vectors behind the last layer and the final norm.

        Args:
            tokens: ids; the last positions of the keys.
            mask: True = may attend, broadcastable to ``(batch, heads, time, key)``.
            key_positions: position of every key, those in the cache included.
            added: vectors to add to the token embeddings.
            for_each_layer: what else a layer's forward takes (a decoder layer: the memory).

        Raises:
            SequenceTooLongError: if there are more keys than the positions reach.
        """
        scheme = self.embedding.positions
        scheme.check_length(key_positions.shape[1])
        positions = key_positions[:, key_positions.shape[1] - tokens.shape[1] :]
        if self.spec.attention.window is not None:
            mask = mask & within(self.spec.attention.window, positions, key_positions)
        rotate, bias = scheme.rotation(positions), scheme.bias(positions, key_positions)
        x = self.embedding(tokens, positions, added=added, capture=capture)
        for index, layer in enumerate(self.layers):
            x = layer(
                x,
                mask=mask,
                bias=bias,
                rotate=rotate,
                cache=cache and cache.layer(index),
                capture=at(capture, f"layers.{index}"),
                **for_each_layer,
            )
        x = self.norm(x)
        save(capture, "output", x)
        return x

    def new_cache(self, batch_size: int, max_len: int) -> KVCache:
        """An empty cache for ``batch_size`` rows of up to ``max_len`` tokens."""
        weight = self.embedding.tokens.weight
        return KVCache(
            n_layers=self.spec.n_layers,
            batch_size=batch_size,
            n_kv_heads=self.spec.attention.kv_heads,
            max_len=max_len,
            d_head=self.spec.attention.head_size(self.spec.d_model),
            dtype=weight.dtype,
            device=weight.device,
        )


def causal_view(
    valid: Bool[Tensor, "batch new"], cache: KVCache | None
) -> tuple[Bool[Tensor, "batch 1 new key"], Int[Tensor, "batch key"]]:
    """What new tokens may look at from left to right, and the position of everything they see.

    Args:
        valid: True for real tokens, False for padding.
        cache: claims its next columns for the new tokens.

    Raises:
        CacheFullError: if the cache has no room.
    """
    if cache is not None:
        cache.extend(valid)
        return cache.mask(), cache.positions()
    causal = causal_mask(valid.shape[1], device=valid.device)
    return causal & valid[:, None, None, :], positions_from_mask(valid)


def within(
    window: int,
    query_positions: Int[Tensor, "batch query"],
    key_positions: Int[Tensor, "batch key"],
) -> Bool[Tensor, "batch 1 query key"]:
    """Keys fewer than ``window`` positions away: a sliding window that padding does not shorten."""
    distance = (query_positions[:, :, None] - key_positions[:, None, :]).abs()
    return (distance < window)[:, None]
