"""A model explained on one input: shapes, norms and entropies, layer by layer.

>>> print(explain(model, tokens))          # doctest: +SKIP

What to look for: norms that explode or vanish with depth, attention that is spread over all keys or
stuck on one, and the first place where numbers are not finite.

Taught in the chapter on training.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from companion._tables import aligned_table, markdown_table
from companion.capture import Capture

_HEADER = ("tensor", "shape", "norm", "keys attended to, by head", "remark")
# A norm that changes by more than this from one layer to the next is worth a remark.
_JUMP = 10.0


@dataclass(frozen=True)
class Line:
    """One tensor of the forward pass.

    Attributes:
        name: dotted name, as in a capture.
        shape: its shape.
        norm: mean length of the vectors at real positions; None for attention weights.
        entropy: mean entropy in nats of each head's rows; empty for hidden states. Its exponential
            is the effective number of keys that a query attends to.
        remark: what is out of the ordinary, or nothing.
    """

    name: str
    shape: tuple[int, ...]
    norm: float | None = None
    entropy: tuple[float, ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class Explanation:
    """All lines, in the order of the forward pass. Prints as a table."""

    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return aligned_table(_HEADER, self._cells())

    def to_markdown(self) -> str:
        """The table as Markdown."""
        return markdown_table(_HEADER, self._cells())

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                line.name,
                str(line.shape),
                "" if line.norm is None else f"{line.norm:.4g}",
                " ".join(f"{math.exp(e):.1f}" for e in line.entropy)
                + (f" of {line.shape[-1]}" if line.entropy else ""),
                line.remark,
            )
            for line in self.lines
        ]


def explain(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> Explanation:
    """Run ``model(*inputs, capture=…)`` once, in eval mode, and describe what it recorded.

    For every model of this package whose forward takes a ``capture``. Positions that hold the
    model's ``config.pad_id``, or that ``valid`` marks as padding, are left out of the averages.

    Args:
        inputs: token ids: source and target for an encoder-decoder, else one tensor.
        kwargs: handed to the forward.
    """
    capture = Capture()
    modes = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            output = model(*inputs, capture=capture, **kwargs)
    finally:
        for module, training in modes:
            module.training = training
    tensors = dict(capture.items())
    if isinstance(output, Tensor) and all(output is not t for t in tensors.values()):
        tensors["logits"] = output
    lines: list[Line] = []
    for name, tensor in tensors.items():
        real = _real_positions(model, inputs, kwargs, name)
        lines.append(_line(name, tensor, real, lines))
    return Explanation(tuple(lines))


def _real_positions(model: nn.Module, inputs: Any, kwargs: Any, name: str) -> Tensor:
    """``(batch, time)``, True at the tokens that belong to the tensor ``name`` and are no padding.

    In an encoder-decoder everything but the encoder belongs to the last input, the target.
    """
    tokens = inputs[0] if name.startswith("encoder.") else inputs[-1]
    if kwargs.get("valid") is not None:
        return kwargs["valid"]
    pad_id = getattr(getattr(model, "config", None), "pad_id", None)
    return torch.ones_like(tokens, dtype=torch.bool) if pad_id is None else tokens != pad_id


def _line(name: str, tensor: Tensor, real: Tensor, before: list[Line]) -> Line:
    shape, values = tuple(tensor.shape), tensor.double()
    if not bool(values.isfinite().all()):
        first = all("not finite" not in line.remark for line in before)
        return Line(name, shape, remark="not finite" + (": first seen here" if first else ""))
    if name.endswith("weights"):
        entropy = torch.special.entr(values).sum(dim=-1).transpose(0, 1)[:, real].mean(dim=-1)
        stuck = [h for h, e in enumerate(entropy.tolist()) if e < 0.01 and shape[-1] > 2]
        remark = f"stuck on one key: head {', '.join(map(str, stuck))}" if stuck else ""
        return Line(name, shape, entropy=tuple(entropy.tolist()), remark=remark)
    lengths = values.norm(dim=-1)
    norm = float((lengths[real] if lengths.shape == real.shape else lengths).mean())
    return Line(name, shape, norm=norm, remark=_jump(name, norm, before))


def _jump(name: str, norm: float, before: list[Line]) -> str:
    """A remark on a layer's output whose norm is far from that of the one before."""
    earlier = [line.norm for line in before if line.norm]
    if not earlier or not norm or "layers." not in name:
        return ""
    ratio = norm / earlier[-1]
    return "" if 1 / _JUMP < ratio < _JUMP else f"norm × {ratio:.3g} since the layer before"
