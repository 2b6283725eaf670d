"""The encoder-decoder Transformer.

    source ids → embed → encoder layers → memory
    target ids → embed → decoder layers (which consult the memory) → logits

Taught in the chapters on the encoder and on the decoder. Source: Vaswani et al. (2017), figure 1.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion.capture import Capture, at
from companion.config import StackSpec, TransformerConfig
from companion.embeddings import TokenEmbedding
from companion.generation import DecodingSession
from companion.initialization import initialize
from companion.kv_cache import KVCache
from companion.layers import DecoderLayer, EncoderLayer
from companion.masks import padding_mask, positions_from_mask
from companion.stack import Hidden, Stack, Tokens, causal_view


class Memory(NamedTuple):
    """What the decoder consults: the encoder's output, and which of its positions are real."""

    hidden: Float[Tensor, "batch source d_model"]
    mask: Bool[Tensor, "batch 1 1 source"]


class Encoder(Stack):
    """Reads the source in both directions."""

    def __init__(self, tokens: TokenEmbedding, spec: StackSpec, pad_id: int) -> None:
        super().__init__(tokens, spec, EncoderLayer)
        self.pad_id = pad_id

    def forward(self, source: Tokens, *, capture: Capture | None = None) -> Memory:
        """
        Raises:
            SequenceTooLongError: if the source is longer than the positions reach.
        """
        mask = padding_mask(source, self.pad_id)
        positions = positions_from_mask(source != self.pad_id)
        hidden = self.run(source, mask=mask, key_positions=positions, capture=capture)
        return Memory(hidden, mask)


class Decoder(Stack):
    """Writes the target from left to right, consulting the encoder's memory."""

    def __init__(
        self, tokens: TokenEmbedding, spec: StackSpec, pad_id: int, *, starts_with_pad: bool = False
    ) -> None:
        super().__init__(tokens, spec, DecoderLayer)
        self.pad_id, self.starts_with_pad = pad_id, starts_with_pad

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
        valid = target != self.pad_id
        if self.starts_with_pad and (cache is None or cache.length == 0):
            first = torch.arange(target.shape[1], device=target.device) == 0
            valid = valid | first
        mask, key_positions = causal_view(valid, cache)
        return self.run(
            target,
            mask=mask,
            key_positions=key_positions,
            cache=cache,
            capture=capture,
            memory=memory.hidden,
            memory_mask=memory.mask,
        )


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
        self.decoder = Decoder(
            target, config.decoder, config.pad_id, starts_with_pad=config.starts_with_pad
        )
        # Tied: no matrix of its own, the target table is read backward.
        self.output = (
            None if config.tie_output else nn.Linear(width, config.target_vocab_size, bias=False)
        )
        self.output_bias = (
            nn.Parameter(torch.zeros(config.target_vocab_size)) if config.output_bias else None
        )
        self.output_scale = width**-0.5 if config.scale_output else 1.0
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
        read = self.decoder.embedding.tokens.logits if self.output is None else self.output
        logits = read(hidden * self.output_scale)
        return logits if self.output_bias is None else logits + self.output_bias

    def new_cache(self, batch_size: int, max_len: int) -> KVCache:
        """An empty cache for ``batch_size`` rows of up to ``max_len`` decoder tokens."""
        return self.decoder.new_cache(batch_size, max_len)

    def start(
        self,
        source: Tokens,
        *,
        bos_id: int,
        max_new_tokens: int,
        suppress: tuple[int, ...] | None = None,
        capture: Capture | None = None,
    ) -> "TranslationSession":
        """Encode the source and get ready to decode; see :mod:`companion.generation`.

        Args:
            suppress: tokens that are never generated, besides padding. By default ``bos_id``; BART
                starts with its end token and needs ``()``.
        """
        return TranslationSession(
            self,
            source,
            bos_id=bos_id,
            max_new_tokens=max_new_tokens,
            suppress=(bos_id,) if suppress is None else suppress,
            capture=capture,
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
        suppress: tuple[int, ...],
        capture: Capture | None = None,
    ) -> None:
        prompt = torch.full((source.shape[0], 1), bos_id, device=source.device)
        pad_id = model.config.pad_id
        super().__init__(prompt, pad_id=pad_id, max_new_tokens=max_new_tokens, suppress=suppress)
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
