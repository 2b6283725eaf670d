"""Stretching rotary positions past the trained length.

Rotary embeddings turn the pair of dimensions *i* by the angle position · θᵢ, θᵢ = base^(-2i/d). A
model trained on positions up to L has never seen the larger angles. Each scheme here chooses other
frequencies θᵢ, once and for all positions, so that a longer text stays within angles it knows:

=================  =================================================================  ============
scheme             frequencies                                                        scores
=================  =================================================================  ============
Interpolation      all divided by the factor s                                        unchanged
NTKAware           base enlarged: the fastest unchanged, the slowest divided by s     unchanged
YaRN               fast ones unchanged, slow ones divided by s, a ramp between        sharpened
Llama3Scaling      the same idea, cut by wavelength                                   unchanged
=================  =================================================================  ============

"Dynamic" NTK, which picks the frequencies anew from the current length, is left out: keys that are
already in the cache would have been turned by frequencies that no longer hold.

Taught in the chapter on positions.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from companion._checks import check_keys

Frequencies = Float[Tensor, " pairs"]


def inverse_frequencies(
    dim: int, base: float, device: torch.device | str | None = None
) -> Frequencies:
    """θᵢ = base^(-2i/dim), in float32 and in radians a position.

    Source: Su et al. (2021), §3.3.
    """
    even = torch.arange(0, dim, 2, device=device, dtype=torch.float32)
    return 1.0 / base ** (even / dim)


@dataclass(frozen=True)
class RotaryScaling:
    """A choice of frequencies, as a value. ``to_dict`` and ``from_dict`` turn it into JSON."""

    kind: ClassVar[str]
    _kinds: ClassVar[dict[str, type["RotaryScaling"]]] = {}

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        RotaryScaling._kinds[kind] = cls

    def frequencies(
        self, dim: int, base: float, device: torch.device | str | None = None
    ) -> Frequencies:
        """The frequencies for ``dim`` rotated dimensions."""
        raise NotImplementedError

    @property
    def magnitude(self) -> float:
        """What cosines and sines, and so queries and keys, are multiplied by."""
        return 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"kind": self.kind, **dataclasses.asdict(self)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "RotaryScaling":
        """From what ``to_dict`` gave.

        Raises:
            ValueError: for an unknown kind or unknown keys.
        """
        values = dict(values)
        kind = values.pop("kind", None)
        if kind not in cls._kinds:
            raise ValueError(f"unknown rotary scaling {kind!r}; known: {', '.join(cls._kinds)}")
        return cls._kinds[kind](**check_keys(cls._kinds[kind], values))


def _check_factor(factor: float) -> None:
    if factor < 1:
        raise ValueError(f"factor stretches the trained length and is at least 1, got {factor}")


@dataclass(frozen=True)
class Interpolation(RotaryScaling, kind="interpolation"):
    """Position interpolation: position p is treated as p / ``factor``.

    Source: Chen et al. (2023), equation 4.
    """

    factor: float

    def __post_init__(self) -> None:
        _check_factor(self.factor)

    def frequencies(
        self, dim: int, base: float, device: torch.device | str | None = None
    ) -> Frequencies:
        return inverse_frequencies(dim, base, device) / self.factor


@dataclass(frozen=True)
class NTKAware(RotaryScaling, kind="ntk"):
    """A larger base, chosen so that the slowest pair is interpolated by exactly ``factor``.

    base' = base · factor^(d/(d-2)). The fastest pair, which tells neighbours apart, stays as it is.

    Source: bloc97 (2023); written up in Peng et al. (2023), YaRN, definition 1.
    """

    factor: float

    def __post_init__(self) -> None:
        _check_factor(self.factor)

    def frequencies(
        self, dim: int, base: float, device: torch.device | str | None = None
    ) -> Frequencies:
        if dim == 2:  # a single pair is fastest and slowest at once; it stays as it is
            return inverse_frequencies(dim, base, device)
        return inverse_frequencies(dim, base * self.factor ** (dim / (dim - 2)), device)


@dataclass(frozen=True)
class YaRN(RotaryScaling, kind="yarn"):
    """Fast pairs keep their frequency, slow ones are interpolated, with a ramp between.

    Scores are sharpened by a temperature t: queries and keys are multiplied by √(1/t) = 0.1 ·
    ln(factor) + 1 each. That happens once, through :attr:`magnitude`, and nowhere else.

    Args:
        factor: how much longer than ``original_max_seq_len`` texts may be.
        original_max_seq_len: the length that the model was trained at.
        beta_fast, beta_slow: turns over the trained length; pairs above ``beta_fast`` keep their
            frequency, pairs below ``beta_slow`` are interpolated.
        attention_factor: replaces √(1/t) when given.
        truncate: round the ends of the ramp outward to whole pairs, as the released code does.

    Source: Peng et al. (2023), YaRN, §3.2 and §3.4, and the released code.
    """

    factor: float
    original_max_seq_len: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    attention_factor: float | None = None
    truncate: bool = True

    def __post_init__(self) -> None:
        _check_factor(self.factor)
        if self.beta_fast < self.beta_slow:
            raise ValueError(
                f"beta_fast={self.beta_fast} turns cannot be fewer than beta_slow={self.beta_slow}"
            )

    def frequencies(
        self, dim: int, base: float, device: torch.device | str | None = None
    ) -> Frequencies:
        plain = inverse_frequencies(dim, base, device)
        low, high = self._pair(self.beta_fast, dim, base), self._pair(self.beta_slow, dim, base)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, dim - 1)
        pair = torch.arange(dim // 2, device=device, dtype=torch.float32)
        ramp = ((pair - low) / max(high - low, 0.001)).clamp(0, 1)
        return plain / self.factor * ramp + plain * (1 - ramp)

    def _pair(self, turns: float, dim: int, base: float) -> float:
        """The (fractional) pair that turns this often over the trained length."""
        wavelength = self.original_max_seq_len / turns
        return dim * math.log(wavelength / (2 * math.pi)) / (2 * math.log(base))

    @property
    def magnitude(self) -> float:
        if self.attention_factor is not None:
            return self.attention_factor
        return 0.1 * math.log(self.factor) + 1.0


@dataclass(frozen=True)
class Llama3Scaling(RotaryScaling, kind="llama3"):
    """Frequencies cut by wavelength: short ones kept, long ones divided by ``factor``.

    Between ``original_max_seq_len / high_freq_factor`` and ``… / low_freq_factor`` the two are
    blended. The defaults are those of Llama 3.1.

    Source: Llama 3.1's released code (2024), ``apply_scaling``.
    """

    factor: float = 8.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_max_seq_len: int = 8192

    def __post_init__(self) -> None:
        _check_factor(self.factor)
        if not self.low_freq_factor < self.high_freq_factor:
            raise ValueError(
                f"low_freq_factor={self.low_freq_factor} must be below "
                f"high_freq_factor={self.high_freq_factor}"
            )

    def frequencies(
        self, dim: int, base: float, device: torch.device | str | None = None
    ) -> Frequencies:
        plain = inverse_frequencies(dim, base, device)
        # Turns over the trained length, and where they lie between the two limits.
        turns = self.original_max_seq_len * plain / (2 * math.pi)
        kept = (turns - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor)
        kept = kept.clamp(0, 1)
        return (1 - kept) * plain / self.factor + kept * plain
