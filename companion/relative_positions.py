"""Positions as a bias on the attention scores: ALiBi and T5's relative buckets.

Nothing is added to the embeddings. The score of query position m and key position n gets a number
that depends on m - n and on the head. Both are computed from the positions of the keys and queries
at hand, row by row, so a cache and padding on either side change nothing.

Taught in the chapter on positions.
"""

import dataclasses
import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from companion._checks import check_positive
from companion.positions import Positions, PositionScheme, PositionSpec


@dataclass(frozen=True)
class ALiBi(PositionSpec, kind="alibi"):
    """Attention with linear biases: -slope · distance, a fixed slope for each head.

    Defined at every distance; it was made to be used past the trained length, where far keys just
    fade further. In an encoder the distance is taken without its sign.

    Source: Press et al. (2022).
    """

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return ALiBiPositions(n_heads, self)


@dataclass(frozen=True)
class T5Buckets(PositionSpec, kind="t5_buckets"):
    """A learned number for each head and each bucket of distances; one table for a whole stack.

    Small distances have a bucket each, larger ones share buckets that widen logarithmically. From
    ``max_distance`` on everything falls into the last bucket: past the trained length the bias is
    defined, and the same for all that is far away.

    Args:
        n_buckets: number of buckets, for both directions together.
        max_distance: where the last bucket begins.
        bidirectional: half of the buckets for keys ahead of the query (an encoder); otherwise all
            of them look back (a decoder, see ``for_decoder``).

    Raises:
        ValueError: if there are fewer than 2 buckets a direction (an odd number of them in two), or
            ``max_distance`` lies within the buckets that hold a single distance.

    Source: Raffel et al. (2020), T5, §2.1, and the released code.
    """

    n_buckets: int = 32
    max_distance: int = 128
    bidirectional: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        exact = self.n_buckets // (4 if self.bidirectional else 2)
        if exact < 1 or (self.bidirectional and self.n_buckets % 2):
            raise ValueError(
                f"n_buckets={self.n_buckets} leaves no two whole buckets a direction: use an even "
                "number, at least 4"
            )
        if self.max_distance <= exact:
            raise ValueError(
                f"max_distance={self.max_distance} must lie beyond the {exact} distances that have "
                f"a bucket of their own among n_buckets={self.n_buckets}"
            )

    def for_decoder(self) -> "T5Buckets":
        """All buckets look back."""
        return dataclasses.replace(self, bidirectional=False)

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return RelativeBuckets(n_heads, self)


def alibi_slopes(n_heads: int) -> Float[Tensor, " heads"]:
    """2^(-8/n), 2^(-16/n), …, 2^(-8): a geometric sequence, one slope a head, in float32.

    For a number of heads that is no power of two, the released code takes the slopes of the next
    smaller power, and then every other slope of the next larger one.

    Source: Press et al. (2022), §3 and the released code.

    Raises:
        ValueError: if there is no head.
    """
    check_positive("n_heads", n_heads)
    power = 2 ** math.floor(math.log2(n_heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    finer = [2 ** (-8 * (i + 1) / (2 * power)) for i in range(2 * power)]
    return torch.tensor(slopes + finer[0::2][: n_heads - power], dtype=torch.float32)


def relative_bucket(
    relative: Int[Tensor, "*shape"], *, n_buckets: int, max_distance: int, bidirectional: bool
) -> Int[Tensor, "*shape"]:
    """The bucket of a relative position (key position minus query position).

    Source: Raffel et al. (2020), T5's released code, ``_relative_position_bucket``.
    """
    ahead = torch.zeros_like(relative)
    distance = (-relative).clamp(min=0)  # keys ahead count as distance 0: the mask hides them
    if bidirectional:
        n_buckets //= 2
        ahead = (relative > 0).long() * n_buckets
        distance = relative.abs()
    exact = n_buckets // 2
    # Logarithmic steps from `exact` to max_distance over the other half of the buckets.
    steps = torch.log(distance.clamp(min=1).float() / exact) / math.log(max_distance / exact)
    far = (exact + (steps * (n_buckets - exact)).long()).clamp(max=n_buckets - 1)
    return ahead + torch.where(distance < exact, distance, far)


def _offsets(
    query_positions: Int[Tensor, "batch query"], key_positions: Int[Tensor, "batch key"]
) -> Int[Tensor, "batch query key"]:
    return key_positions[:, None, :] - query_positions[:, :, None]


class ALiBiPositions(PositionScheme):
    """Biases the scores by -slope · distance. No parameters."""

    def __init__(self, n_heads: int, spec: ALiBi) -> None:
        super().__init__(spec.max_seq_len)
        self.n_heads = n_heads

    def bias(
        self, query_positions: Positions, key_positions: Int[Tensor, "batch key"]
    ) -> Float[Tensor, "bias_batch heads time key"]:
        slopes = alibi_slopes(self.n_heads).to(query_positions.device)
        distance = _offsets(query_positions, key_positions).abs()
        return -slopes[:, None, None] * distance[:, None]


class RelativeBuckets(PositionScheme):
    """Biases the scores by a learned number for the head and the bucket of the distance."""

    def __init__(self, n_heads: int, spec: T5Buckets) -> None:
        super().__init__(spec.max_seq_len)
        self.spec = spec
        self.table = nn.Embedding(spec.n_buckets, n_heads)

    def bias(
        self, query_positions: Positions, key_positions: Int[Tensor, "batch key"]
    ) -> Float[Tensor, "bias_batch heads time key"]:
        buckets = relative_bucket(
            _offsets(query_positions, key_positions),
            n_buckets=self.spec.n_buckets,
            max_distance=self.spec.max_distance,
            bidirectional=self.spec.bidirectional,
        )
        return self.table(buckets).permute(0, 3, 1, 2)
