"""Rotary position embeddings (RoPE): queries and keys are turned by angles that grow with position.

    (x₁, x₂) → (x₁ cos mθ - x₂ sin mθ, x₂ cos mθ + x₁ sin mθ)      Su et al. (2021), equation 34

The dot product of a query turned by mθ and a key turned by nθ depends on m - n only.

Which two dimensions form a pair is a convention, called *layout* here. Weights trained under one
are nonsense under the other until their rows are reordered (:func:`convert_layout`):

* ``"interleaved"``: (0, 1), (2, 3), …: the paper, GPT-J, Meta's own LLaMA files;
* ``"half"``: (0, d/2), (1, d/2 + 1), …: GPT-NeoX, and LLaMA as Hugging Face stores it.

Taught in the chapter on positions.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from companion._checks import check_choice
from companion.positions import Positions, PositionScheme, PositionSpec
from companion.rotary_scaling import RotaryScaling, inverse_frequencies

Layout = Literal["half", "interleaved"]
LAYOUTS = ("half", "interleaved")


@dataclass(frozen=True)
class Rotary(PositionSpec, kind="rotary"):
    """Rotary positions.

    Defined at every position. Past the trained length the slow pairs reach angles that training has
    never shown, and quality falls quickly; ``scaling`` stretches the known range. Give
    ``max_seq_len`` to make a longer sequence an error instead.

    Args:
        base: θ in the papers; wavelengths run from 2π to 2π·base.
        layout: which dimensions form a pair, see the module's text.
        fraction: the share of each head that is turned, from the front; the rest passes unturned
            (GPT-NeoX: 0.25).
        scaling: a scheme of :mod:`companion.rotary_scaling`.

    Raises:
        ValueError: if a value is out of range, or (while building) if the number of turned
            dimensions is odd.

    Source: Su et al. (2021), RoFormer.
    """

    base: float = 10_000.0
    layout: Layout = "half"
    fraction: float = 1.0
    scaling: RotaryScaling | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("layout", self.layout, LAYOUTS)
        if self.base <= 1:
            raise ValueError(f"base must be above 1 for the pairs to slow down, got {self.base}")
        if not 0 < self.fraction <= 1:
            raise ValueError(f"fraction of a head lies in (0, 1], got {self.fraction}")

    def build(self, d_model: int, n_heads: int, d_head: int) -> PositionScheme:  # noqa: ARG002
        return RotaryPositions(d_head, self)

    def to_dict(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        scaling = None if self.scaling is None else self.scaling.to_dict()
        return {"kind": self.kind, **values, "scaling": scaling}

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> "Rotary":
        if values.get("scaling") is not None:
            values = values | {"scaling": RotaryScaling.from_dict(values["scaling"])}
        return cls(**values)


class RotaryPositions(PositionScheme):
    """Turns queries and keys. No parameters, and no table: that would follow the model into half
    precision, where neighbouring positions fall together."""

    def __init__(self, d_head: int, spec: Rotary) -> None:
        super().__init__(spec.max_seq_len)
        self.dim = int(d_head * spec.fraction)
        if self.dim < 2 or self.dim % 2:
            raise ValueError(
                f"rotary positions turn pairs, but fraction={spec.fraction} of d_head={d_head} is "
                f"{self.dim} dimensions: make it an even number"
            )
        self.spec = spec

    def rotation(self, positions: Positions) -> Callable[[Tensor], Tensor]:
        cos, sin = self.tables(positions)

        def rotate(heads: Tensor) -> Tensor:
            return apply_rotation(heads, cos, sin, layout=self.spec.layout)

        return rotate

    def tables(
        self, positions: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch 1 time pairs"], Float[Tensor, "batch 1 time pairs"]]:
        """Cosines and sines for every position and pair, in float32 whatever the model's dtype."""
        scaling, base = self.spec.scaling, self.spec.base
        if scaling is None:
            frequencies, magnitude = inverse_frequencies(self.dim, base, positions.device), 1.0
        else:
            frequencies = scaling.frequencies(self.dim, base, positions.device)
            magnitude = scaling.magnitude
        angles = (positions[..., None].float() * frequencies)[:, None]
        return angles.cos() * magnitude, angles.sin() * magnitude


def apply_rotation(
    heads: Float[Tensor, "batch heads time d_head"],
    cos: Float[Tensor, "batch 1 time pairs"],
    sin: Float[Tensor, "batch 1 time pairs"],
    *,
    layout: Layout = "half",
) -> Float[Tensor, "batch heads time d_head"]:
    """Turn the first ``2·pairs`` dimensions of every head; the others pass unturned.

    The tables are cast to the heads' dtype here, last.

    Source: Su et al. (2021), equation 34.
    """
    cos, sin = cos.to(heads.dtype), sin.to(heads.dtype)
    turned, passed = heads.split((2 * cos.shape[-1], heads.shape[-1] - 2 * cos.shape[-1]), dim=-1)
    if layout == "half":
        first, second = turned.chunk(2, dim=-1)
    else:
        first, second = turned[..., 0::2], turned[..., 1::2]
    pair = first * cos - second * sin, second * cos + first * sin
    if layout == "half":
        return torch.cat((*pair, passed), dim=-1)
    return torch.cat((torch.stack(pair, dim=-1).flatten(-2), passed), dim=-1)


def convert_layout(
    projection: Float[Tensor, "features *d_model"],
    *,
    d_head: int,
    to: Layout,
    dim: int | None = None,
) -> Float[Tensor, "features *d_model"]:
    """Reorder a query or key projection so that the other layout gives the same scores.

    Args:
        projection: weight ``(heads·d_head, d_model)`` or bias ``(heads·d_head,)``, made for the
            layout that ``to`` is not.
        to: the layout under which the result is to be used.
        dim: how many dimensions of a head are turned, from the front; by default all of them.

    Values and output projections stay as they are: only the dot product of queries and keys sees
    the order of a head's dimensions, and it is the same for any order that both share.

    Raises:
        ValueError: if the rows are no whole number of heads, or ``dim`` is odd or too large.
    """
    check_choice("to", to, LAYOUTS)
    dim = d_head if dim is None else dim
    if projection.shape[0] % d_head or dim % 2 or not 0 < dim <= d_head:
        raise ValueError(
            f"{projection.shape[0]} rows do not split into heads of d_head={d_head} with "
            f"dim={dim} turned dimensions, an even number of them"
        )
    order = torch.arange(d_head, device=projection.device)
    if to == "half":  # the even ones to the front, the odd ones behind them
        order[:dim] = order[:dim].unflatten(0, (dim // 2, 2)).T.flatten()
    else:
        order[:dim] = order[:dim].unflatten(0, (2, dim // 2)).T.flatten()
    heads = projection.unflatten(0, (-1, d_head))
    return heads[:, order].flatten(0, 1)
