"""Recurrent sequence-to-sequence models with attention: what the Transformer replaced.

    source ids → embed → bidirectional GRU or LSTM → memory
    target ids → embed → GRU or LSTM, looking at the memory at every step → logits

Built on torch's own recurrent layers. Called, trained and decoded like
:class:`companion.transformer.Transformer`: the same ``forward(source, target)`` and ``start``.

Taught in the chapter on recurrent networks. Sources: Bahdanau et al. (2015), §3; Luong et al.
(2015); the decoders are in :mod:`companion.recurrent_decoder`.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion._checks import check_choice, check_positive, check_probability
from companion.capture import Capture, at
from companion.config import ModelConfig
from companion.embeddings import TokenEmbedding
from companion.generation import DecodingSession
from companion.initialization import initialize
from companion.recurrent_decoder import (
    CELLS,
    DECODERS,
    STATE_PARTS,
    Hidden,
    RecurrentMemory,
    State,
    run,
)

Tokens = Int[Tensor, "batch time"]


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig(ModelConfig):
    """A recurrent encoder-decoder.

    Args:
        source_vocab_size, target_vocab_size: sizes of the two vocabularies.
        d_model: width of embeddings and states; each direction of the encoder has half of it.
        n_layers: layers of the encoder and of the decoder.
        cell: "gru" or "lstm".
        alignment: how the decoder looks at the source: "bahdanau" (additive scores, from the state
            before the step), "luong" (bilinear scores, from the state after it) or "none" (only the
            encoder's last state is handed over).
        dropout: on embeddings, between layers and before the output.
        share_embeddings: source and target read one table (needs equal vocabularies).
        tie_output: the output projection is the target table.
        pad_id: the token that fills up short rows.

    Raises:
        ValueError: for sizes out of range, an odd ``d_model``, an unknown cell or alignment.
    """

    source_vocab_size: int
    target_vocab_size: int
    d_model: int
    n_layers: int = 1
    cell: Literal["gru", "lstm"] = "gru"
    alignment: Literal["bahdanau", "luong", "none"] = "luong"
    dropout: float = 0.1
    share_embeddings: bool = True
    tie_output: bool = True
    pad_id: int = 0
    initialization: str = "xavier"

    # A recurrent model reads sequences of any length.
    max_seq_len = None

    def __post_init__(self) -> None:
        check_positive("d_model", self.d_model)
        check_positive("n_layers", self.n_layers)
        check_probability("dropout", self.dropout)
        check_choice("cell", self.cell, tuple(CELLS))
        check_choice("alignment", self.alignment, tuple(DECODERS))
        if self.d_model % 2:
            raise ValueError(f"d_model={self.d_model} must be even: each direction has half of it")
        if self.share_embeddings and self.source_vocab_size != self.target_vocab_size:
            raise ValueError(
                "share_embeddings needs one vocabulary, but "
                f"source_vocab_size={self.source_vocab_size} and "
                f"target_vocab_size={self.target_vocab_size}: set share_embeddings=False"
            )


class BidirectionalLayer(nn.Module):
    """One recurrent layer in each direction, side by side.

    Both read a row's real tokens only, wherever its padding stands: before the first real token a
    state must not have changed.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        layer, half = CELLS[config.cell], config.d_model // 2
        self.forward_rnn = layer(config.d_model, half, batch_first=True)
        self.backward_rnn = layer(config.d_model, half, batch_first=True)

    def forward(
        self, x: Hidden, valid: Bool[Tensor, "batch time"]
    ) -> tuple[Hidden, Float[Tensor, "batch d_model"]]:
        """The states at every position, and the last state of each direction."""
        # Columns of the real tokens first, in order; padding behind them cannot reach back.
        order = (~valid).long().argsort(dim=1, stable=True)
        place = torch.arange(x.shape[1], device=x.device)
        length = valid.sum(dim=1, keepdim=True)
        reverse = order.gather(1, torch.where(place < length, length - 1 - place, place))
        states, last = [], []
        for rnn, columns in ((self.forward_rnn, order), (self.backward_rnn, reverse)):
            y, _ = run(rnn, _take(x, columns))
            last.append(_take(y, (length - 1).clamp(min=0))[:, 0])
            states.append(_take(y, columns.argsort(dim=1)))
        return torch.cat(states, dim=-1), torch.cat(last, dim=-1)


def _take(x: Tensor, columns: Int[Tensor, "batch new"]) -> Tensor:
    """Of every row the given columns."""
    return x.gather(1, columns[..., None].expand(-1, -1, x.shape[-1]))


class RecurrentSeq2Seq(nn.Module):
    """Encoder, decoder and the projection to the target vocabulary."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        width = config.d_model
        self.source = TokenEmbedding(config.source_vocab_size, width, scale=True)
        self.target = self.source
        if not config.share_embeddings:
            self.target = TokenEmbedding(config.target_vocab_size, width, scale=True)
        self.encoder = nn.ModuleList(BidirectionalLayer(config) for _ in range(config.n_layers))
        self.bridge = nn.Linear(width, STATE_PARTS[config.cell] * config.n_layers * width)
        self.decoder = DECODERS[config.alignment](
            width, config.n_layers, config.cell, config.dropout
        )
        self.output = (
            None if config.tie_output else nn.Linear(width, config.target_vocab_size, bias=False)
        )
        self.dropout = nn.Dropout(config.dropout)
        initialize(self, config.initialization)

    def forward(
        self, source: Tokens, target: Int[Tensor, "batch target"], *, capture: Capture | None = None
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits of the next token after each target position (teacher forcing).

        Args:
            source: token ids, padded with ``config.pad_id`` on either side.
            target: decoder input, padded on the right.
            capture: records ``decoder.cross_attention.weights``, ``(batch, 1, target, source)``.
        """
        memory = self.encode(source)
        return self.decode(target, memory.state, memory, capture=capture)[0]

    def encode(self, source: Tokens) -> RecurrentMemory:
        """Run the encoder."""
        valid = source != self.config.pad_id
        x, last = self.dropout(self.source(source)), None
        for layer in self.encoder:
            x, last = layer(x, valid)
            x = self.dropout(x)
        # Bahdanau et al. make the decoder's first state from the encoder's by one such layer.
        first = self.bridge(last).tanh().unflatten(-1, (-1, self.config.n_layers, x.shape[-1]))
        state = tuple(part.transpose(0, 1).contiguous() for part in first.unbind(dim=1))
        return RecurrentMemory(x, valid, state)

    def decode(
        self,
        target: Tokens,
        state: State,
        memory: RecurrentMemory,
        *,
        capture: Capture | None = None,
    ) -> tuple[Float[Tensor, "batch time vocab"], State]:
        """Run the decoder from ``state`` on; logits, and the state after the last token."""
        x = self.dropout(self.target(target))
        hidden, state = self.decoder(x, state, memory, at(capture, "decoder"))
        hidden = self.dropout(hidden)
        logits = self.target.logits(hidden) if self.output is None else self.output(hidden)
        return logits, state

    def start(
        self, source: Tokens, *, bos_id: int, max_new_tokens: int, capture: Capture | None = None
    ) -> "RecurrentSession":
        """Encode the source and get ready to decode; see :mod:`companion.generation`."""
        return RecurrentSession(
            self, source, bos_id=bos_id, max_new_tokens=max_new_tokens, capture=capture
        )


class RecurrentSession(DecodingSession):
    """Decoding state of one batch: the memory and the recurrent state."""

    def __init__(
        self,
        model: RecurrentSeq2Seq,
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
            self.memory = model.encode(source)
        self.state = self.memory.state

    def step(self, tokens: Tokens) -> Float[Tensor, "batch vocab"]:
        with torch.no_grad():
            logits, self.state = self.model.decode(
                tokens, self.state, self.memory, capture=self.capture
            )
        return logits[:, -1]

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        self.state = tuple(part[:, rows].contiguous() for part in self.state)
        self.memory = RecurrentMemory(self.memory.hidden[rows], self.memory.mask[rows], self.state)
