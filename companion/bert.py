"""Encoder-only models: BERT, and RoBERTa as a configuration of it.

    ids + token types + positions → norm → encoder layers → hidden vectors → a head

The layers are those of the Transformer's encoder, post-norm. What is BERT's own: token types say
which of two sentences a token belongs to, a pooler reads the first token, and heads turn hidden
vectors into the answers of pre-training (masked tokens, next sentence) or of a task (one class for
a text, one tag for every token).

Taught in the chapter on model families. Source: Devlin et al. (2019); Liu et al. (2019).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion._checks import check_positive
from companion.activations import ACTIVATIONS
from companion.capture import Capture, at
from companion.config import AttentionSpec, FeedForwardSpec, ModelConfig, NormSpec, StackSpec
from companion.embeddings import TokenEmbedding
from companion.initialization import initialize
from companion.layers import EncoderLayer
from companion.masks import positions_from_mask
from companion.normalization import make_norm
from companion.positions import Learned, PositionSpec
from companion.stack import Hidden, Stack, Tokens

Valid = Bool[Tensor, "batch time"]


def _bert_norm() -> NormSpec:
    return NormSpec(position="post", eps=1e-12, embedding=True)


@dataclass(frozen=True, kw_only=True)
class BertConfig(ModelConfig):
    """An encoder-only model.

    Args:
        vocab_size: size of the vocabulary.
        d_model: width of the residual stream.
        n_layers: number of layers.
        attention, feed_forward, norm, position: specs of the parts.
        n_token_types: how many kinds of tokens are told apart (BERT: 2, RoBERTa: 1).
        pooler: whether there is a layer that reads the first token, for a whole text's vector.
        n_labels: answers of a classification or tagging head.
        dropout: on each sub-layer's output, on the embeddings and before a task's head.
        pad_id: the token that fills up short rows; the mask hides it.
        initialization: a scheme of :mod:`companion.initialization`.

    Raises:
        ValueError: if a size is not positive or ``pad_id`` is no token of the vocabulary.
    """

    vocab_size: int
    d_model: int
    n_layers: int
    attention: AttentionSpec
    feed_forward: FeedForwardSpec
    norm: NormSpec = field(default_factory=_bert_norm)
    position: PositionSpec = field(default_factory=lambda: Learned(512))
    n_token_types: int = 2
    pooler: bool = True
    n_labels: int = 2
    dropout: float = 0.1
    pad_id: int = 0
    initialization: str = "bert"

    def __post_init__(self) -> None:
        check_positive("vocab_size", self.vocab_size)
        check_positive("n_token_types", self.n_token_types)
        check_positive("n_labels", self.n_labels)
        if not 0 <= self.pad_id < self.vocab_size:
            raise ValueError(
                f"pad_id={self.pad_id} is no token of a vocabulary of {self.vocab_size}"
            )
        _ = self.stack  # its checks raise now rather than while building

    @property
    def stack(self) -> StackSpec:
        """The stack of layers."""
        return StackSpec(
            d_model=self.d_model,
            n_layers=self.n_layers,
            attention=self.attention,
            feed_forward=self.feed_forward,
            norm=self.norm,
            position=self.position,
            dropout=self.dropout,
        )

    @property
    def max_seq_len(self) -> int | None:
        """The longest sequence the position scheme can number, or None if there is no limit."""
        return self.position.max_seq_len


class Bert(Stack):
    """The encoder: a vector for every token, each of which has seen all others.

    >>> from companion.presets import tiny_bert
    >>> model = Bert(tiny_bert(vocab_size=100)).eval()
    >>> hidden = model(torch.tensor([[1, 7, 8, 2]]))
    >>> hidden.shape, model.pool(hidden).shape
    (torch.Size([1, 4, 128]), torch.Size([1, 128]))
    """

    def __init__(self, config: BertConfig) -> None:
        tokens = TokenEmbedding(config.vocab_size, config.d_model)
        super().__init__(tokens, config.stack, EncoderLayer)
        self.config = config
        self.token_types = nn.Embedding(config.n_token_types, config.d_model)
        self.pooler = nn.Linear(config.d_model, config.d_model) if config.pooler else None
        initialize(self, config.initialization)

    def forward(
        self,
        tokens: Tokens,
        *,
        token_types: Int[Tensor, "batch time"] | None = None,
        valid: Valid | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """Hidden vectors of the last layer.

        Args:
            tokens: ids, padded on either side.
            token_types: 0 for the first sentence and its marks, 1 for the second; all 0 by default.
            valid: True for real tokens; by default what is not ``config.pad_id`` is real.
            capture: records every layer's attention weights and output.

        Raises:
            SequenceTooLongError: if the sequence is longer than the positions reach.
        """
        valid = self.real(tokens, valid)
        types = torch.zeros_like(tokens) if token_types is None else token_types
        return self.run(
            tokens,
            mask=valid[:, None, None, :],
            key_positions=positions_from_mask(valid),
            added=self.token_types(types),
            capture=capture,
        )

    def pool(self, hidden: Hidden, valid: Valid | None = None) -> Float[Tensor, "batch d_model"]:
        """tanh(W h + b) of each row's first real token, ``[CLS]``: the vector of a whole text.

        It was trained on next sentences and is a poor sentence vector without further training;
        :func:`mean_pool` is the better one.

        Args:
            valid: as in ``forward``, when padding stands on the left.

        Raises:
            ValueError: if the model was built without a pooler.
        """
        if self.pooler is None:
            raise ValueError("this model has no pooler: build it with pooler=True")
        if valid is None:
            first = hidden[:, 0]
        else:
            first = hidden[torch.arange(len(hidden), device=hidden.device), valid.int().argmax(1)]
        return self.pooler(first).tanh()

    def real(self, tokens: Tokens, valid: Valid | None = None) -> Valid:
        """Which tokens are no padding: ``valid`` when it is given, else by ``config.pad_id``."""
        return tokens != self.config.pad_id if valid is None else valid


def mean_pool(hidden: Hidden, valid: Valid) -> Float[Tensor, "batch d_model"]:
    """Mean of the vectors at real positions; zeros for a row without any.

    Source: Reimers and Gurevych (2019), §3.
    """
    total = (hidden * valid[..., None]).sum(dim=1)
    return total / valid.sum(dim=1, keepdim=True).clamp(min=1)


class MaskedTokenHead(nn.Module):
    """A score for every token: dense layer, activation, norm, the table read backward, a bias."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activation = ACTIVATIONS[config.feed_forward.activation]
        self.norm = make_norm(config.d_model, config.norm)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, hidden: Hidden, table: TokenEmbedding) -> Float[Tensor, "batch time vocab"]:
        return table.logits(self.norm(self.activation(self.dense(hidden)))) + self.bias


class _WithHead(nn.Module):
    """A BERT and what stands on top of it; all heads are called alike."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.bert = Bert(config)

    def encode(
        self,
        tokens: Tokens,
        token_types: Tensor | None,
        valid: Tensor | None,
        capture: Capture | None,
    ) -> Tensor:
        """The encoder's hidden vectors, captured under ``bert``."""
        return self.bert(tokens, token_types=token_types, valid=valid, capture=at(capture, "bert"))


class BertForMaskedLM(_WithHead):
    """Scores for the token at every position; trained on those that were masked."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.masked = MaskedTokenHead(config)
        initialize(self, config.initialization)

    def forward(
        self,
        tokens: Tokens,
        *,
        token_types: Int[Tensor, "batch time"] | None = None,
        valid: Valid | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Logits; see :meth:`Bert.forward` for the arguments."""
        hidden = self.encode(tokens, token_types, valid, capture)
        return self.masked(hidden, self.bert.embedding.tokens)


class PretrainingLogits(NamedTuple):
    """Answers to both of BERT's questions."""

    masked: Float[Tensor, "batch time vocab"]
    next_sentence: Float[Tensor, "batch 2"]  # 0: the second sentence follows, 1: it does not


class BertForPreTraining(BertForMaskedLM):
    """Masked tokens and next sentence at once, as BERT was trained."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.next_sentence = nn.Linear(config.d_model, 2)
        initialize(self, config.initialization)

    def forward(  # type: ignore[override]
        self,
        tokens: Tokens,
        *,
        token_types: Int[Tensor, "batch time"] | None = None,
        valid: Valid | None = None,
        capture: Capture | None = None,
    ) -> PretrainingLogits:
        """Logits of both tasks; see :meth:`Bert.forward` for the arguments."""
        hidden = self.encode(tokens, token_types, valid, capture)
        pooled = self.bert.pool(hidden, self.bert.real(tokens, valid))
        return PretrainingLogits(
            self.masked(hidden, self.bert.embedding.tokens), self.next_sentence(pooled)
        )


class BertForSequenceClassification(_WithHead):
    """One class for a whole text, from the pooled first token."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.dropout = nn.Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, config.n_labels)
        initialize(self, config.initialization)

    def forward(
        self,
        tokens: Tokens,
        *,
        token_types: Int[Tensor, "batch time"] | None = None,
        valid: Valid | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch n_labels"]:
        """Logits of the classes; see :meth:`Bert.forward` for the arguments."""
        hidden = self.encode(tokens, token_types, valid, capture)
        pooled = self.bert.pool(hidden, self.bert.real(tokens, valid))
        return self.classifier(self.dropout(pooled))


class BertForTokenClassification(_WithHead):
    """One tag for every token: named entities, parts of speech."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.dropout = nn.Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, config.n_labels)
        initialize(self, config.initialization)

    def forward(
        self,
        tokens: Tokens,
        *,
        token_types: Int[Tensor, "batch time"] | None = None,
        valid: Valid | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch time n_labels"]:
        """Logits of the tags; see :meth:`Bert.forward` for the arguments."""
        return self.classifier(self.dropout(self.encode(tokens, token_types, valid, capture)))
