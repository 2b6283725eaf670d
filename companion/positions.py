"""Position schemes: how a model that sees a set is told the order.

A scheme is a small value (:class:`Sinusoidal`, :class:`Learned`, …) that builds a module with three
hooks, each of which does nothing unless the scheme uses it:

* ``embed``: add something to the token embeddings (sinusoidal, learned);
* ``rotation``: turn queries and keys (rotary embeddings);
* ``bias``: add something to the attention scores (ALiBi, relative buckets).

Positions are tensors, one row a sequence, so that padding on either side shifts nothing.

Taught in the chapter on positions.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from companion._checks import check_choice, check_keys, check_positive

Positions = Int[Tensor, "batch time"]


class SequenceTooLongError(ValueError):
    """A sequence is longer than its position scheme can number."""


class PositionScheme(nn.Module):
    """The three hooks, all idle. Subclasses override those they need."""

    def __init__(self, max_seq_len: int | None = None) -> None:
        super().__init__()
        self.max_seq_len = max_seq_len

    def check_length(self, length: int) -> None:
        """
        Raises:
            SequenceTooLongError: if the scheme has a limit and ``length`` is over it.
        """
        if self.max_seq_len is not None and length > self.max_seq_len:
            raise SequenceTooLongError(
                f"the sequence has {length} tokens, but this model's positions end at "
                f"{self.max_seq_len} (max_seq_len): split or shorten the input, or build the model "
                "with a larger max_seq_len"
            )

    def embed(
        self,
        x: Float[Tensor, "batch time d_model"],
        positions: Positions,  # noqa: ARG002
    ) -> Float[Tensor, "batch time d_model"]:
        """Token embeddings with whatever the scheme adds to them."""
        return x

    def rotation(self, positions: Positions) -> Callable[[Tensor], Tensor] | None:  # noqa: ARG002
        """A function that turns heads ``(batch, heads, time, d_head)``, or None."""
        return None

    def bias(
        self,
        query_positions: Positions,  # noqa: ARG002
        key_positions: Int[Tensor, "batch key"],  # noqa: ARG002
    ) -> Float[Tensor, "bias_batch heads time key"] | None:
        """Numbers to add to the scores, or None."""
        return None


@dataclass(frozen=True)
class PositionSpec:
    """A position scheme as a value. ``to_dict`` and ``from_dict`` turn it into JSON and back."""

    kind: ClassVar[str]
    _kinds: ClassVar[dict[str, type["PositionSpec"]]] = {}
    max_seq_len: int | None = None

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        PositionSpec._kinds[kind] = cls

    def __post_init__(self) -> None:
        if self.max_seq_len is not None:
            check_positive("max_seq_len", self.max_seq_len)

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:
        """The module with the three hooks."""
        raise NotImplementedError

    def for_decoder(self) -> "PositionSpec":
        """The scheme as a stack uses it that looks back only; few schemes care."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"kind": self.kind, **dataclasses.asdict(self)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "PositionSpec":
        """From what ``to_dict`` gave.

        Raises:
            ValueError: for an unknown kind or unknown keys.
        """
        values = dict(values)
        kind = values.pop("kind", None)
        if kind not in cls._kinds:
            raise ValueError(f"unknown position scheme {kind!r}; known: {', '.join(cls._kinds)}")
        spec = cls._kinds[kind]
        return spec.from_values(check_keys(spec, values))

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> "PositionSpec":
        """This kind of scheme from plain values; schemes that hold other specs override it."""
        return cls(**values)


@dataclass(frozen=True)
class NoPositions(PositionSpec, kind="none"):
    """No position at all: the control that shows what the others are for."""

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return PositionScheme(self.max_seq_len)


@dataclass(frozen=True)
class Sinusoidal(PositionSpec, kind="sinusoidal"):
    """Fixed sines and cosines of geometrically spaced wavelengths, added to the embeddings.

    Defined at every position; past the trained length it is a value the model has never seen. Give
    ``max_seq_len`` to make that an error instead.

    Args:
        layout: "interleaved", sine and cosine of a wavelength side by side, as in the paper;
            "half", all sines and then all cosines (tensor2tensor, Marian). The two differ by a
            permutation of the columns, which trained weights do not forgive.

    Source: Vaswani et al. (2017), §3.5.
    """

    base: float = 10_000.0
    layout: Literal["interleaved", "half"] = "interleaved"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("layout", self.layout, ("interleaved", "half"))

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return SinusoidalPositions(d_model, self)


@dataclass(frozen=True)
class Learned(PositionSpec, kind="learned"):
    """One learned vector a position, added to the embeddings; positions end at ``max_seq_len``.

    Args:
        offset: rows at the table's start that no position reads (RoBERTa and BART: 2).

    Source: Gehring et al. (2017); GPT-2, BERT.
    """

    max_seq_len: int = 512
    offset: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.offset < 0:
            raise ValueError(f"offset counts rows of a table, it cannot be {self.offset}")

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return LearnedPositions(d_model, self)


def sinusoidal_encoding(
    positions: Int[Tensor, "*shape"],
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Literal["interleaved", "half"] = "interleaved",
) -> Float[Tensor, "*shape d_model"]:
    """PE(pos, 2i) = sin(pos / base^(2i/d)), PE(pos, 2i+1) = cos(pos / base^(2i/d)), in float32.

    An odd ``d_model`` has a sine without its cosine. The layout "half" puts all sines first.

    Raises:
        ValueError: if ``d_model`` is below 1.

    Source: Vaswani et al. (2017), §3.5.
    """
    check_positive("d_model", d_model)
    # Float32 whatever the model's dtype: bfloat16 cannot even count past 256.
    even = torch.arange(0, d_model, 2, device=positions.device, dtype=torch.float32)
    angles = positions[..., None] * base ** (-even / d_model)
    if layout == "half":
        return torch.cat((angles.sin(), angles.cos()), dim=-1)[..., :d_model]
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)[..., :d_model]


class SinusoidalPositions(PositionScheme):
    """Adds :func:`sinusoidal_encoding` to the embeddings. No parameters, no table."""

    def __init__(self, d_model: int, spec: Sinusoidal) -> None:
        super().__init__(spec.max_seq_len)
        check_positive("d_model", d_model)
        self.d_model, self.base, self.layout = d_model, spec.base, spec.layout

    def embed(
        self, x: Float[Tensor, "batch time d_model"], positions: Positions
    ) -> Float[Tensor, "batch time d_model"]:
        encoding = sinusoidal_encoding(positions, self.d_model, base=self.base, layout=self.layout)
        return x + encoding.to(x.dtype)


class LearnedPositions(PositionScheme):
    """Adds a learned vector for each position to the embeddings."""

    def __init__(self, d_model: int, spec: Learned) -> None:
        super().__init__(spec.max_seq_len)
        self.offset = spec.offset
        self.table = nn.Embedding(spec.max_seq_len + spec.offset, d_model)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], positions: Positions
    ) -> Float[Tensor, "batch time d_model"]:
        return x + self.table(positions + self.offset)
