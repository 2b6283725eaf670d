"""Decoder-only language models: GPT-2, LLaMA, Qwen2, Mistral are configurations of one class.

    ids → embed → layers that look back only → final norm → logits of the next id

The layers are those of the encoder; a causal mask makes a language model of them. What the families
differ in (norm, activation, positions, grouped heads, biases, tying) are values of the
configuration; :mod:`companion.presets` has the published ones.

Taught in the chapter on model families. Sources: Radford et al. (2019); Touvron et al. (2023).
"""

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from companion._checks import check_positive
from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec, ModelConfig, NormSpec, StackSpec
from companion.embeddings import TokenEmbedding
from companion.generation import DecodingSession
from companion.initialization import initialize
from companion.kv_cache import KVCache
from companion.layers import EncoderLayer
from companion.positions import Learned, PositionSpec
from companion.stack import Hidden, Stack, Tokens, causal_view


@dataclass(frozen=True, kw_only=True)
class GPTConfig(ModelConfig):
    """A decoder-only language model.

    Args:
        vocab_size: size of the vocabulary.
        d_model: width of the residual stream.
        n_layers: number of layers.
        attention, feed_forward, norm, position: specs of the parts.
        dropout: on each sub-layer's output and on the embeddings.
        tie_output: the output projection is the token table (Press and Wolf, 2017).
        scale_embeddings: multiply embeddings by √d_model.
        pad_id: a token that is padding wherever it stands. GPT-2 and LLaMA have none: leave it out
            and say with ``valid`` which tokens are real.
        initialization: a scheme of :mod:`companion.initialization`.

    Raises:
        ValueError: if a size is not positive or ``pad_id`` is no token of the vocabulary.
    """

    vocab_size: int
    d_model: int
    n_layers: int
    attention: AttentionSpec
    feed_forward: FeedForwardSpec
    norm: NormSpec = field(default_factory=NormSpec)
    position: PositionSpec = field(default_factory=lambda: Learned(1024))
    dropout: float = 0.0
    tie_output: bool = True
    scale_embeddings: bool = False
    pad_id: int | None = None
    initialization: str = "gpt2"

    def __post_init__(self) -> None:
        check_positive("vocab_size", self.vocab_size)
        if self.pad_id is not None and not 0 <= self.pad_id < self.vocab_size:
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
            position=self.position.for_decoder(),
            dropout=self.dropout,
        )

    @property
    def max_seq_len(self) -> int | None:
        """The longest sequence the position scheme can number, or None if there is no limit."""
        return self.position.max_seq_len


class GPT(Stack):
    """A language model that reads from left to right.

    >>> from companion.presets import tiny_gpt
    >>> model = GPT(tiny_gpt(vocab_size=100))
    >>> model(torch.tensor([[5, 6, 7]])).shape
    torch.Size([1, 3, 100])
    """

    def __init__(self, config: GPTConfig) -> None:
        tokens = TokenEmbedding(config.vocab_size, config.d_model, scale=config.scale_embeddings)
        super().__init__(tokens, config.stack, EncoderLayer)
        self.config = config
        # Tied: no matrix of its own, the token table is read backward.
        self.output = (
            None if config.tie_output else nn.Linear(config.d_model, config.vocab_size, bias=False)
        )
        initialize(self, config.initialization)

    def forward(
        self,
        tokens: Tokens,
        *,
        valid: Bool[Tensor, "batch time"] | None = None,
        cache: KVCache | None = None,
        capture: Capture | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Logits of the next token after each position.

        Args:
            tokens: ids; with a cache, only what is new since the last call.
            valid: True for real tokens. Padding may stand on either side; positions are counted
                over the real tokens. By default what is not ``config.pad_id`` is real.
            capture: records every layer's attention weights and output.

        Raises:
            SequenceTooLongError: if the sequence is longer than the positions reach.
            CacheFullError: if the cache has no room.
        """
        hidden = self.hidden(tokens, valid=valid, cache=cache, capture=capture)
        return self.logits(hidden)

    def hidden(
        self,
        tokens: Tokens,
        *,
        valid: Bool[Tensor, "batch time"] | None = None,
        cache: KVCache | None = None,
        capture: Capture | None = None,
    ) -> Hidden:
        """``forward`` up to the final norm."""
        mask, key_positions = causal_view(self.real(tokens, valid), cache)
        return self.run(
            tokens, mask=mask, key_positions=key_positions, cache=cache, capture=capture
        )

    def logits(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """A score for every token of the vocabulary."""
        return self.embedding.tokens.logits(hidden) if self.output is None else self.output(hidden)

    def real(
        self, tokens: Tokens, valid: Bool[Tensor, "batch time"] | None = None
    ) -> Bool[Tensor, "batch time"]:
        """Which tokens are no padding: ``valid`` when it is given, else by ``config.pad_id``."""
        if valid is not None:
            return valid
        pad_id = self.config.pad_id
        return torch.ones_like(tokens, dtype=torch.bool) if pad_id is None else tokens != pad_id

    def start(
        self,
        prompt: Tokens,
        *,
        max_new_tokens: int,
        valid: Bool[Tensor, "batch time"] | None = None,
        capture: Capture | None = None,
    ) -> "CompletionSession":
        """Get ready to continue a batch of prompts; see :mod:`companion.generation`.

        Args:
            prompt: ids, padded on either side.
            valid: True for real tokens, as in ``forward``.

        Raises:
            ValueError: if a prompt is empty.
            SequenceTooLongError: if the positions do not reach to the last new token.
        """
        valid = self.real(prompt, valid)
        return CompletionSession(
            self, prompt, valid, max_new_tokens=max_new_tokens, capture=capture
        )


class CompletionSession(DecodingSession):
    """Decoding state of one batch of prompts: a cache.

    A model without a padding token still has to mark finished rows. Then ``pad_id`` is the first id
    behind the vocabulary, and ``log_probs`` has a column for it, at ``-inf``.
    """

    def __init__(
        self,
        model: GPT,
        prompt: Tokens,
        valid: Bool[Tensor, "batch time"],
        *,
        max_new_tokens: int,
        capture: Capture | None = None,
    ) -> None:
        empty = (~valid.any(dim=1)).nonzero().flatten().tolist()
        if empty or prompt.shape[1] == 0:
            raise ValueError(
                f"rows {empty} of the prompt hold no token: a language model needs one to start "
                "from, such as its begin-of-text token"
            )
        pad_id = model.config.vocab_size if model.config.pad_id is None else model.config.pad_id
        prompt = prompt.masked_fill(~valid, pad_id)
        super().__init__(prompt, pad_id=pad_id, max_new_tokens=max_new_tokens)
        self.model, self.capture = model, capture
        # The last token generated is never fed back.
        room = prompt.shape[1] + max_new_tokens - 1
        model.embedding.positions.check_length(room)
        self.cache = model.new_cache(prompt.shape[0], room)

    def step(self, tokens: Tokens) -> Float[Tensor, "batch vocab"]:
        valid = tokens != self.pad_id
        with torch.no_grad():
            hidden = self.model.hidden(
                tokens.masked_fill(~valid, 0), valid=valid, cache=self.cache, capture=self.capture
            )
            # Right padding: what a row says next stands at its last real token.
            place = torch.arange(tokens.shape[1], device=tokens.device)
            last = place.where(valid, 0).amax(dim=1)
            return self.model.logits(hidden[torch.arange(len(last), device=last.device), last])

    def log_probs(self, tokens: Tokens) -> Float[Tensor, "batch choices"]:
        scores = self.step(tokens).float().log_softmax(dim=-1)
        scores = F.pad(scores, (0, max(0, self.pad_id + 1 - scores.shape[1])), value=float("-inf"))
        scores[:, list(self.suppress)] = float("-inf")
        return scores

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        self.cache.reorder(rows)
