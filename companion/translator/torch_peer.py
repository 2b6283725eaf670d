"""`torch.nn.Transformer` as a translator: the model of the same size that ours is measured against.

Around PyTorch's module, with its own defaults (post-norm, Xavier), stand only the parts that it
leaves to its user: a shared embedding times √d, sinusoids, and the same table read backward as the
output. It decodes without a cache, because the module offers none: every step runs the whole
prefix again.

Taught in the chapter on the translator; the differences are listed in the book's migration table.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion._checks import check_positive, check_probability
from companion.config import ModelConfig
from companion.embeddings import TokenEmbedding
from companion.generation import DecodingSession
from companion.positions import SequenceTooLongError, sinusoidal_encoding

Source = Int[Tensor, "batch source"]
Target = Int[Tensor, "batch target"]
Memory = Float[Tensor, "batch source d_model"]


@dataclass(frozen=True, kw_only=True)
class TorchTransformerConfig(ModelConfig):
    """Sizes of a `torch.nn.Transformer`, by the names of this package.

    Raises:
        ValueError: for sizes or probabilities out of range.
    """

    vocab_size: int
    d_model: int
    n_heads: int
    n_encoder_layers: int
    n_decoder_layers: int
    d_ff: int
    dropout: float = 0.1
    norm_first: bool = False
    max_seq_len: int = 512
    pad_id: int = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers"):
            check_positive(name, getattr(self, name))
        check_positive("d_ff", self.d_ff)
        check_positive("max_seq_len", self.max_seq_len)
        check_probability("dropout", self.dropout)

    @property
    def target_vocab_size(self) -> int:
        """Both languages share one vocabulary."""
        return self.vocab_size


class TorchTransformer(nn.Module):
    """`forward(source, decoder_input)` and `start`, as :class:`companion.transformer.Transformer`.

    Sources and targets are padded on the right.
    """

    positions: Tensor

    def __init__(self, config: TorchTransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config.vocab_size, config.d_model, scale=True)
        nn.init.normal_(self.embedding.weight, std=config.d_model**-0.5)
        table = sinusoidal_encoding(torch.arange(config.max_seq_len), config.d_model)
        self.register_buffer("positions", table, persistent=False)
        self.dropout = nn.Dropout(config.dropout)
        sizes = (config.d_model, config.n_heads)
        options: dict[str, Any] = {
            "dim_feedforward": config.d_ff,
            "dropout": config.dropout,
            "batch_first": True,
            "norm_first": config.norm_first,
        }
        # As nn.Transformer makes it, but without nested tensors, which only warn about themselves.
        encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(*sizes, **options),
            config.n_encoder_layers,
            nn.LayerNorm(config.d_model),
            enable_nested_tensor=False,
        )
        self.transformer = nn.Transformer(
            *sizes, num_decoder_layers=config.n_decoder_layers, custom_encoder=encoder, **options
        )

    def forward(self, source: Source, target: Target) -> Float[Tensor, "batch target vocab"]:
        """Logits of the token after each of `target`, the decoder's input."""
        return self.decode(target, *self.encode(source))

    def encode(self, source: Source) -> tuple[Memory, Bool[Tensor, "batch source"]]:
        """The encoder's output, and where its padding is."""
        padding = source == self.config.pad_id
        return self.transformer.encoder(self._embed(source), src_key_padding_mask=padding), padding

    def decode(
        self, target: Target, memory: Memory, padding: Bool[Tensor, "batch source"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits for a whole decoder input."""
        future = torch.ones(
            target.shape[1], target.shape[1], dtype=torch.bool, device=target.device
        ).triu(1)
        hidden = self.transformer.decoder(
            self._embed(target), memory, tgt_mask=future, memory_key_padding_mask=padding
        )
        return self.embedding.logits(hidden)

    def _embed(self, tokens: Tensor) -> Tensor:
        length = tokens.shape[1]
        if length > self.config.max_seq_len:
            raise SequenceTooLongError(
                f"{length} tokens are more than max_seq_len={self.config.max_seq_len}"
            )
        return self.dropout(self.embedding(tokens) + self.positions[:length])

    def start(self, source: Source, *, bos_id: int, max_new_tokens: int) -> "TorchSession":
        """Encode the source and get ready to decode; see :mod:`companion.generation`."""
        return TorchSession(self, source, bos_id=bos_id, max_new_tokens=max_new_tokens)


class TorchSession(DecodingSession):
    """Decoding state of one batch: the memory, and all tokens so far."""

    def __init__(
        self, model: TorchTransformer, source: Source, *, bos_id: int, max_new_tokens: int
    ) -> None:
        prompt = torch.full((source.shape[0], 1), bos_id, device=source.device)
        super().__init__(
            prompt,
            pad_id=model.config.pad_id,
            max_new_tokens=max_new_tokens,
            suppress=(bos_id,),
        )
        self.model = model
        with torch.no_grad():
            self.memory, self.padding = model.encode(source)
        self.prefix = prompt[:, :0]

    def step(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch vocab"]:
        self.prefix = torch.cat([self.prefix, tokens], dim=1)
        with torch.no_grad():
            return self.model.decode(self.prefix, self.memory, self.padding)[:, -1]

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        self.prefix = self.prefix[rows]
        self.memory, self.padding = self.memory[rows], self.padding[rows]
