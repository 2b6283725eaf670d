"""What a model is made of, as plain values.

A configuration is a tree of small frozen specs: attention, feed-forward, norm, position. Model
families differ by these values, never by a second copy of a block. ``to_dict`` and ``from_dict``
turn a configuration into JSON and back.

Presets give the sizes of the published models, with their source.
"""

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from companion import relative_positions, rotary  # noqa: F401 from_dict knows their schemes
from companion._checks import check_choice, check_keys, check_positive, check_probability
from companion.activations import check_activation
from companion.positions import PositionSpec, Sinusoidal

_SpecType = TypeVar("_SpecType", bound="_Spec")


class _Spec:
    """JSON for frozen dataclasses of plain values."""

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)  # type: ignore[call-overload]

    @classmethod
    def from_dict(cls: type[_SpecType], values: dict[str, Any]) -> _SpecType:
        return cls(**check_keys(cls, values))


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(_Spec):
    """One attention sub-layer.

    Args:
        n_heads: number of query heads.
        n_kv_heads: number of key/value heads; fewer than ``n_heads`` is grouped-query attention,
            1 is multi-query attention. Default: as many as query heads.
        d_head: size of a head, ``d_model / n_heads`` by default.
        bias: whether the projections have biases. ``qkv_bias`` overrides it for queries, keys and
            values (Qwen2 has biases only there).
        dropout: probability of dropping an attention weight while training.
        scale: factor on the scores, ``1/√d_head`` by default (T5 uses 1).
        window: look no further than this many positions, the query's own included (Mistral,
            Longformer). Default: no limit. Self-attention only.

    Raises:
        ValueError: if a number is out of range or the heads cannot be grouped.
    """

    n_heads: int
    n_kv_heads: int | None = None
    d_head: int | None = None
    bias: bool = True
    qkv_bias: bool | None = None
    dropout: float = 0.0
    scale: float | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        check_positive("n_heads", self.n_heads)
        check_positive("n_kv_heads", self.kv_heads)
        check_positive("window", 1 if self.window is None else self.window)
        check_probability("dropout", self.dropout)
        if self.n_heads % self.kv_heads:
            raise ValueError(
                f"n_heads={self.n_heads} query heads cannot share n_kv_heads={self.kv_heads} "
                "evenly: n_kv_heads must divide n_heads"
            )

    @property
    def kv_heads(self) -> int:
        """Number of key/value heads."""
        return self.n_heads if self.n_kv_heads is None else self.n_kv_heads

    @property
    def has_qkv_bias(self) -> bool:
        """Whether the query, key and value projections have biases."""
        return self.bias if self.qkv_bias is None else self.qkv_bias

    def head_size(self, d_model: int) -> int:
        """Size of one head.

        Raises:
            ValueError: if ``d_head`` is not given and the heads do not divide ``d_model``.
        """
        if self.d_head is not None:
            return self.d_head
        if d_model % self.n_heads:
            near = [h for h in range(1, d_model + 1) if d_model % h == 0]
            best = min(near, key=lambda h: abs(h - self.n_heads))
            raise ValueError(
                f"d_model={d_model} cannot be split into n_heads={self.n_heads} equal heads; "
                f"the nearest number of heads that works is {best} (or set d_head)"
            )
        return d_model // self.n_heads


@dataclass(frozen=True, kw_only=True)
class FeedForwardSpec(_Spec):
    """One feed-forward sub-layer.

    Args:
        d_ff: width of the hidden layer (4·d_model in the original).
        activation: a name known to :mod:`companion.activations`.
        gated: multiply by a second projection: SwiGLU with "silu", GeGLU with "gelu".
        bias: whether the projections have biases.
    """

    d_ff: int
    activation: str = "relu"
    gated: bool = False
    bias: bool = True

    def __post_init__(self) -> None:
        check_positive("d_ff", self.d_ff)
        check_activation(self.activation)


@dataclass(frozen=True, kw_only=True)
class NormSpec(_Spec):
    """Normalisation and where it stands.

    Args:
        kind: "layer" (LayerNorm) or "rms" (RMSNorm).
        eps: added to the variance, inside the root.
        position: "pre" normalises a sub-layer's input (GPT-2 and later, with one more norm behind
            the last layer); "post" normalises the sum of input and output (the original, BERT).
        bias: whether a LayerNorm has a shift. RMSNorm never has.
        embedding: one more norm on the embeddings (BERT, BART).
    """

    kind: Literal["layer", "rms"] = "layer"
    eps: float = 1e-5
    position: Literal["pre", "post"] = "pre"
    bias: bool = True
    embedding: bool = False

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, ("layer", "rms"))
        check_choice("position", self.position, ("pre", "post"))
        if self.eps < 0:
            raise ValueError(f"eps is added to a variance and cannot be negative, got {self.eps}")


class ModelConfig(_Spec):
    """JSON for configurations of whole models: plain values, and specs under these names."""

    _parts: ClassVar[dict[str, Any]] = {
        "attention": AttentionSpec,
        "feed_forward": FeedForwardSpec,
        "norm": NormSpec,
        "position": PositionSpec,
    }

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = {f.name: getattr(self, f.name) for f in fields}
        return {n: v.to_dict() if n in self._parts else v for n, v in values.items()}

    @classmethod
    def from_dict(cls: type[_SpecType], values: dict[str, Any]) -> _SpecType:
        """From what ``to_dict`` gave.

        Raises:
            ValueError: naming unknown keys, or values out of range.
        """
        parts = ModelConfig._parts
        values = check_keys(cls, values)
        return cls(**{n: parts[n].from_dict(v) if n in parts else v for n, v in values.items()})


@dataclass(frozen=True, kw_only=True)
class StackSpec:
    """A pile of equal layers: what an encoder, a decoder and a language model have in common."""

    d_model: int
    n_layers: int
    attention: AttentionSpec
    feed_forward: FeedForwardSpec
    norm: NormSpec
    position: PositionSpec
    dropout: float = 0.0

    def __post_init__(self) -> None:
        check_positive("d_model", self.d_model)
        check_positive("n_layers", self.n_layers)
        check_probability("dropout", self.dropout)
        self.attention.head_size(self.d_model)  # raises now rather than while building


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(ModelConfig):
    """An encoder-decoder Transformer.

    Args:
        source_vocab_size, target_vocab_size: sizes of the two vocabularies.
        d_model: width of the residual stream.
        n_encoder_layers, n_decoder_layers: number of layers of each stack.
        attention, feed_forward, norm, position: specs of the parts.
        dropout: on each sub-layer's output and on the embeddings.
        share_embeddings: source and target read one table (needs equal vocabularies).
        tie_output: the output projection is the target table (Press and Wolf, 2017).
        scale_embeddings: multiply embeddings by √d_model (Vaswani et al., 2017, §3.4).
        scale_output: divide what the output projection reads by √d_model (T5, where it is tied).
        output_bias: add a learned number to each token's logit (BART, Marian).
        pad_id: the token that fills up short rows; masks hide it.
        starts_with_pad: the decoder's input begins with the padding token, which is a real token
            there (T5, Marian). Targets are then padded on the right only.
        initialization: a scheme of :mod:`companion.initialization`.

    Raises:
        ValueError: if sizes are not positive, or sharing is asked for with two vocabularies.
    """

    source_vocab_size: int
    target_vocab_size: int
    d_model: int
    n_encoder_layers: int
    n_decoder_layers: int
    attention: AttentionSpec
    feed_forward: FeedForwardSpec
    norm: NormSpec = field(default_factory=NormSpec)
    position: PositionSpec = field(default_factory=Sinusoidal)
    dropout: float = 0.1
    share_embeddings: bool = True
    tie_output: bool = True
    scale_embeddings: bool = True
    scale_output: bool = False
    output_bias: bool = False
    pad_id: int = 0
    starts_with_pad: bool = False
    initialization: str = "xavier"

    def __post_init__(self) -> None:
        check_positive("source_vocab_size", self.source_vocab_size)
        check_positive("target_vocab_size", self.target_vocab_size)
        if not 0 <= self.pad_id < min(self.source_vocab_size, self.target_vocab_size):
            raise ValueError(f"pad_id={self.pad_id} is no token of both vocabularies")
        if self.share_embeddings and self.source_vocab_size != self.target_vocab_size:
            raise ValueError(
                "share_embeddings needs one vocabulary, but "
                f"source_vocab_size={self.source_vocab_size} and "
                f"target_vocab_size={self.target_vocab_size}: set share_embeddings=False"
            )
        _ = self.encoder, self.decoder  # their checks raise now rather than while building

    @property
    def encoder(self) -> StackSpec:
        """The encoder's stack of layers."""
        return self._stack(self.n_encoder_layers, self.position)

    @property
    def decoder(self) -> StackSpec:
        """The decoder's stack of layers."""
        return self._stack(self.n_decoder_layers, self.position.for_decoder())

    def _stack(self, n_layers: int, position: PositionSpec) -> StackSpec:
        return StackSpec(
            d_model=self.d_model,
            n_layers=n_layers,
            attention=self.attention,
            feed_forward=self.feed_forward,
            norm=self.norm,
            position=position,
            dropout=self.dropout,
        )

    @property
    def max_seq_len(self) -> int | None:
        """The longest sequence the position scheme can number, or None if there is no limit."""
        return self.position.max_seq_len


def transformer_base(vocab_size: int = 37_000) -> TransformerConfig:
    """The base model of Vaswani et al. (2017), table 3: 63,082,496 parameters at V = 37,000."""
    return _original(vocab_size, d_model=512, n_heads=8, d_ff=2048, dropout=0.1)


def transformer_big(vocab_size: int = 37_000) -> TransformerConfig:
    """The big model of Vaswani et al. (2017), table 3 (dropout 0.3, as for English-German)."""
    return _original(vocab_size, d_model=1024, n_heads=16, d_ff=4096, dropout=0.3)


def _original(
    vocab_size: int, *, d_model: int, n_heads: int, d_ff: int, dropout: float
) -> TransformerConfig:
    return TransformerConfig(
        source_vocab_size=vocab_size,
        target_vocab_size=vocab_size,
        d_model=d_model,
        n_encoder_layers=6,
        n_decoder_layers=6,
        attention=AttentionSpec(n_heads=n_heads),
        feed_forward=FeedForwardSpec(d_ff=d_ff),
        norm=NormSpec(position="post"),
        dropout=dropout,
    )


def tiny_translator(vocab_size: int, **overrides: Any) -> TransformerConfig:
    """About a million parameters: what two CPU cores train in two minutes. Pre-norm."""
    sizes: dict[str, Any] = {
        "source_vocab_size": vocab_size,
        "target_vocab_size": vocab_size,
        "d_model": 128,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
        "attention": AttentionSpec(n_heads=4),
        "feed_forward": FeedForwardSpec(d_ff=512),
    }
    return TransformerConfig(**(sizes | overrides))
