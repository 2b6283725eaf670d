"""The encoder-decoder Transformer.

    source ids → embed → encoder layers → memory
    target ids → embed → decoder layers (which consult the memory) → logits

Taught in the chapters on the encoder and on the decoder. Source: Vaswani et al. (2017), figure 1.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion.capture import Capture, at, save
from companion.config import StackSpec, TransformerConfig
from companion.embeddings import TokenEmbedding
from companion.generation import DecodingSession
from companion.initialization import initialize
from companion.kv_cache import KVCache
from companion.layers import DecoderLayer, EncoderLayer
from companion.masks import causal_mask, padding_mask, positions_from_mask
from companion.normalization import make_norm
from companion.positions import PositionScheme

Tokens = Int[Tensor, "batch time"]
Hidden = Float[Tensor, "batch time d_model"]


class Memory(NamedTuple):
    """What the decoder consults: the encoder's output, and which of its positions are real."""

    hidden: Float[Tensor, "batch source d_model"]
    mask: Bool[Tensor, "batch 1 1 source"]


class InputEmbedding(nn.Module):
    """Token vectors plus positions, with the norm and dropout that stand before the first layer."""

    def __init__(self, tokens: TokenEmbedding, positions: PositionScheme, spec: StackSpec) -> None:
        super().__init__()
        self.tokens, self.positions = tokens, positions
        self.norm = make_norm(spec.d_model, spec.norm) if spec.norm.embedding else nn.Identity()
        self.dropout = nn.Dropout(spec.dropout)

    def forward(
        self, tokens: Tokens, positions: Tokens, *, capture: Capture | None = None
    ) -> Hidden:
        x = self.positions.embed(self.tokens(tokens), positions)
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


class Encoder(nn.Module):
    """Reads the source in both directions."""

    def __init__(self, tokens: TokenEmbedding, spec: StackSpec, pad_id: int) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.embedding = InputEmbedding(tokens, build_positions(spec), spec)
        self.layers = nn.ModuleList(EncoderLayer(spec) for _ in range(spec.n_layers))
        self.norm = final_norm(spec)

    def forward(self, source: Tokens, *, capture: Capture | None = None) -> Memory:
        """
        Raises:
            SequenceTooLongError: if the source is longer than the positions reach.
        """
        scheme = self.embedding.positions
        scheme.check_length(source.shape[1])
        positions = positions_from_mask(source != self.pad_id)
        mask = padding_mask(source, self.pad_id)
        rotate, bias = scheme.rotation(positions), scheme.bias(positions, positions)
        x = self.embedding(source, positions, capture=capture)
        for index, layer in enumerate(self.layers):
            x = layer(
                x, mask=mask, bias=bias, rotate=rotate, capture=at(capture, f"layers.{index}")
            )
        x = self.norm(x)
        save(capture, "output", x)
        return Memory(x, mask)


class Decoder(nn.Module):
    """Writes the target from left to right, consulting the encoder's memory."""

    def __init__(self, tokens: TokenEmbedding, spec: StackSpec, pad_id: int) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.embedding = InputEmbedding(tokens, build_positions(spec), spec)
        self.layers = nn.ModuleList(DecoderLayer(spec) for _ in range(spec.n_layers))
        self.norm = final_norm(spec)

    def forward(
        self,
        target: Tokens,
        memory: Memory,
        *,
        cache: KVCache | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """
        Args:
            target: decoder input; with a cache, only what is new since the last call.

        Raises:
            SequenceTooLongError: if the target is longer than the positions reach.
            CacheFullError: if the cache has no room.
        """
        scheme = self.embedding.positions
        valid = target != self.pad_id
        if cache is None:
            mask = causal_mask(target.shape[1], device=target.device) & valid[:, None, None, :]
            keys = positions_from_mask(valid)
        else:
            cache.extend(valid)
            mask, keys = cache.mask(), cache.positions()
        scheme.check_length(keys.shape[1])
        positions = keys[:, keys.shape[1] - target.shape[1] :]
        rotate, bias = scheme.rotation(positions), scheme.bias(positions, keys)
        x = self.embedding(target, positions, capture=capture)
        for index, layer in enumerate(self.layers):
            x = layer(
                x,
                memory.hidden,
                mask=mask,
                memory_mask=memory.mask,
                bias=bias,
                rotate=rotate,
                cache=cache.layer(index) if cache is not None else None,
                capture=at(capture, f"layers.{index}"),
            )
        x = self.norm(x)
        save(capture, "output", x)
        return x


class Transformer(nn.Module):
    """Encoder, decoder and the projection to the target vocabulary.

    >>> from companion.config import tiny_translator
    >>> model = Transformer(tiny_translator(vocab_size=1000))
    >>> source = torch.tensor([[5, 6, 7, 8]])
    >>> model(source, torch.tensor([[1, 9, 10]])).shape
    torch.Size([1, 3, 1000])
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        width, scale = config.d_model, config.scale_embeddings
        source = TokenEmbedding(config.source_vocab_size, width, scale=scale)
        target = source
        if not config.share_embeddings:
            target = TokenEmbedding(config.target_vocab_size, width, scale=scale)
        self.encoder = Encoder(source, config.encoder, config.pad_id)
        self.decoder = Decoder(target, config.decoder, config.pad_id)
        # Tied: no matrix of its own, the target table is read backward.
        self.output = (
            None if config.tie_output else nn.Linear(width, config.target_vocab_size, bias=False)
        )
        initialize(self, config.initialization)

    def forward(
        self, source: Tokens, target: Int[Tensor, "batch target"], *, capture: Capture | None = None
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits of the next token after each target position (teacher forcing).

        Args:
            source: token ids, padded with ``config.pad_id`` on either side.
            target: decoder input, which starts with the begin-of-sequence token.
            capture: records every layer's attention weights and output.
        """
        return self.decode(target, self.encode(source, capture=capture), capture=capture)

    def encode(self, source: Tokens, *, capture: Capture | None = None) -> Memory:
        """Run the encoder."""
        return self.encoder(source, capture=at(capture, "encoder"))

    def decode(
        self,
        target: Tokens,
        memory: Memory,
        *,
        cache: KVCache | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Run the decoder; with a cache, ``target`` holds only the new tokens."""
        hidden = self.decoder(target, memory, cache=cache, capture=at(capture, "decoder"))
        if self.output is not None:
            return self.output(hidden)
        return self.decoder.embedding.tokens.logits(hidden)

    def new_cache(self, batch_size: int, max_len: int) -> KVCache:
        """An empty cache for ``batch_size`` rows of up to ``max_len`` decoder tokens."""
        spec = self.config.decoder
        weight = self.decoder.embedding.tokens.weight
        return KVCache(
            n_layers=spec.n_layers,
            batch_size=batch_size,
            n_kv_heads=spec.attention.kv_heads,
            max_len=max_len,
            d_head=spec.attention.head_size(spec.d_model),
            dtype=weight.dtype,
            device=weight.device,
        )

    def start(
        self,
        source: Tokens,
        *,
        bos_id: int,
        max_new_tokens: int,
        capture: Capture | None = None,
    ) -> "TranslationSession":
        """Encode the source and get ready to decode; see :mod:`companion.generation`."""
        return TranslationSession(
            self, source, bos_id=bos_id, max_new_tokens=max_new_tokens, capture=capture
        )


class TranslationSession(DecodingSession):
    """Decoding state of one batch: the memory and a cache."""

    def __init__(
        self,
        model: Transformer,
        source: Tokens,
        *,
        bos_id: int,
        max_new_tokens: int,
        capture: Capture | None = None,
    ) -> None:
        prompt = torch.full((source.shape[0], 1), bos_id, device=source.device)
        pad_id = model.config.pad_id
        super().__init__(prompt, pad_id=pad_id, max_new_tokens=max_new_tokens, suppress=(bos_id,))
        self.model, self.capture = model, capture
        with torch.no_grad():
            self.memory = model.encode(source, capture=capture)
        # The last token generated is never fed back, so prompt + max_new_tokens - 1 would do.
        self.cache = model.new_cache(source.shape[0], prompt.shape[1] + max_new_tokens)

    def step(self, tokens: Tokens) -> Float[Tensor, "batch vocab"]:
        with torch.no_grad():
            logits = self.model.decode(tokens, self.memory, cache=self.cache, capture=self.capture)
        return logits[:, -1]

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        self.cache.reorder(rows)
        self.memory = Memory(self.memory.hidden[rows], self.memory.mask[rows])
