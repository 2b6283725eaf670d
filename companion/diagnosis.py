"""What is wrong with my attention? A report on its weights.

:func:`attention_report` looks at attention weights, from whatever library, and says in words what
is amiss: the softmax over the wrong axis, an inverted mask, a look ahead, dead rows. For a whole
model, layer by layer, see :mod:`companion.explanation`.

Taught in the self-attention chapter.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from companion._tables import aligned_table
from companion.masks import check_mask

Weights = Float[Tensor, "batch heads query key"]

# Everything that a report can say, in one place.
MESSAGES = {
    "not finite": "{count} of {rows} rows hold NaN or infinity: a fully masked row went through a "
    "softmax over -inf, or the scores overflowed",
    "negative": "there are negative weights, down to {value:.3g}: these are scores, not weights; "
    "apply the softmax",
    "wrong axis": "the weights sum to 1 over the queries; they must over the keys: softmax(dim=-1)",
    "row sums": "rows sum to {low:.3g} … {high:.3g} instead of 1: dropout was on, hidden weights "
    "were set to zero after the softmax, or this is no softmax",
    "inverted": "all the mass lies on keys that the mask hides: the mask looks inverted (True must "
    "mean 'may attend')",
    "leak": "up to {value:.3g} of a row's mass lies on keys that the mask hides",
    "padding": "up to {value:.3g} of a row's mass lies on padding",
    "future": "up to {value:.3g} of a row's mass lies on the future: position i sees what it has "
    "to predict",
    "dead": "{count} of {rows} rows are all zeros although the mask allows them keys",
    "not zero": "{count} of {rows} rows may attend to nothing and hold weights all the same (a "
    "mask of -1e9 gives a uniform average): they must be zeros",
    "hidden": "{count} of {rows} rows may attend to nothing (padding in the queries, or a mask too "
    "strict); they are zeros, as they should be",
    "uniform": "head{s} {heads} spread{verb} evenly over all allowed keys: untrained, or scores "
    "that are too small",
    "saturated": "head{s} {heads} put{verb} everything on one key: scores that are too large "
    "(scaled by 1/√d_head?), or a head that is very sure",
    "fine": "every row sums to 1 over the keys and nothing lies where it should not",
}
# Findings that are remarks, not faults.
_REMARKS = ("hidden", "uniform", "saturated", "fine")


@dataclass(frozen=True)
class AttentionReport:
    """Figures about attention weights, and a verdict.

    Attributes:
        row_sums: smallest and largest sum of a row's weights; rows that may attend to nothing are
            left out.
        padding_mass: largest share of a row on keys that no query of its sentence may see.
        future_mass: largest share of a row on later positions (queries are the last positions of
            the keys); None for cross-attention, that is for more queries than keys or a mask that
            allows the future.
        hidden_mass: largest share of a row on keys that the mask hides from it.
        entropy: mean entropy of each head's rows over the allowed keys, in nats.
        relative_entropy: the same as a share of the largest possible one; 1 is uniform.
        dead_rows: rows of zeros that were allowed to attend.
        findings: what was found, by the names in ``MESSAGES``, each with its sentence.
    """

    row_sums: tuple[float, float]
    padding_mass: float
    future_mass: float | None
    hidden_mass: float
    entropy: tuple[float, ...]
    relative_entropy: tuple[float, ...]
    dead_rows: int
    findings: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """No fault was found; remarks may have been."""
        return all(name in _REMARKS for name in self.findings)

    @property
    def verdict(self) -> str:
        """The findings, one sentence a line."""
        return "\n".join(self.findings.values())

    def __str__(self) -> str:
        future = "-" if self.future_mass is None else f"{self.future_mass:.4f}"
        entropies = ", ".join(
            f"{e:.3f} ({r:.0%})" for e, r in zip(self.entropy, self.relative_entropy, strict=True)
        )
        rows = [
            ("row sums", f"{self.row_sums[0]:.4f} … {self.row_sums[1]:.4f}"),
            ("mass on hidden keys", f"{self.hidden_mass:.4f}"),
            ("mass on padding", f"{self.padding_mass:.4f}"),
            ("mass on the future", future),
            ("dead rows", str(self.dead_rows)),
            ("entropy per head", f"{entropies}, in nats (of the largest possible)"),
        ]
        return f"{aligned_table(('measured', 'value'), rows)}\n\n{self.verdict}"


def attention_report(weights: Weights, mask: Bool[Tensor, "..."] | None = None) -> AttentionReport:
    """Examine attention weights, the output of a softmax over the keys.

    Args:
        weights: ``(batch, heads, query, key)``; other libraries' are welcome.
        mask: what was meant to be allowed, True = may attend, broadcastable to the weights.

    Raises:
        TypeError: if the mask is not boolean.
        ValueError: if the weights do not have four axes or the mask does not broadcast to them.
    """
    if weights.dim() != 4:
        raise ValueError(
            f"weights have shape {tuple(weights.shape)}; expected (batch, heads, query, key)"
        )
    return _Examination(weights, mask).report()


class _Examination:
    """The weights in float64, the mask in full, and the questions asked of them."""

    def __init__(self, weights: Tensor, mask: Tensor | None) -> None:
        if mask is None:
            mask = torch.ones(weights.shape[-1], dtype=torch.bool, device=weights.device)
        check_mask(mask)
        try:
            self.mask = mask.expand(weights.shape)
        except RuntimeError as error:
            raise ValueError(
                f"the mask's shape {tuple(mask.shape)} does not broadcast to the weights' "
                f"{tuple(weights.shape)}"
            ) from error
        self.tolerance = 2e-2 if weights.dtype in (torch.float16, torch.bfloat16) else 1e-4
        finite = weights.detach().isfinite().all(dim=-1)
        self.broken = int((~finite).sum())
        self.weights = weights.detach().double().masked_fill(~finite[..., None], 0.0)
        self.allowed = self.mask.any(dim=-1)  # rows that may attend to something
        self.judged = finite & self.allowed
        self.sums = self.weights.sum(dim=-1)
        self.dead = self.judged & (self.weights == 0).all(dim=-1)
        self.live = self.judged & ~self.dead

    def report(self) -> AttentionReport:
        sums = self.sums[self.live]
        entropy, relative = self._entropies()
        figures: dict[str, Any] = {
            "row_sums": (float(sums.min()), float(sums.max())) if len(sums) else (0.0, 0.0),
            "padding_mass": self._mass_on(~self.mask.any(dim=-2, keepdim=True)),
            "future_mass": self._future_mass(),
            "hidden_mass": self._mass_on(~self.mask),
            "entropy": entropy,
            "relative_entropy": relative,
            "dead_rows": int(self.dead.sum()),
        }
        faults = self._faults(**figures)
        named = {name: MESSAGES[name].format(**values) for name, values in faults.items()}
        if all(name in _REMARKS for name in named):
            named = {"fine": MESSAGES["fine"], **named}
        return AttentionReport(**figures, findings=named)

    def _mass_on(self, where: Tensor) -> float:
        """The largest mass that a row has there."""
        mass = self.weights.abs().masked_fill(~where, 0.0).sum(dim=-1)[self.allowed]
        return float(mass.max()) if mass.numel() else 0.0

    def _future_mass(self) -> float | None:
        """None where the mask lets anybody look ahead: then it is meant."""
        n_queries, n_keys = self.weights.shape[-2:]
        if n_queries > n_keys or n_queries < 2:
            return None
        key = torch.arange(n_keys, device=self.weights.device)
        future = key > key[n_keys - n_queries :, None]
        return None if bool((self.mask & future).any()) else self._mass_on(future)

    def _entropies(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Mean entropy of each head in nats, and as a share of log(number of allowed keys)."""
        seen = self.weights.clamp(min=0).masked_fill(~self.mask, 0.0)
        mass = seen.sum(dim=-1)
        entropy = torch.special.entr(seen / mass.clamp(min=1e-12)[..., None]).sum(dim=-1)
        choices = self.mask.sum(dim=-1)
        # A row with one allowed key has no choice: its entropy says nothing about the head.
        counted = (self.live & (mass > 0) & (choices > 1)).double()
        number = counted.sum(dim=(0, 2))
        self.silent = (number == 0).tolist()  # heads without such a row
        largest = choices.clamp(min=2).double().log()
        means = [
            ((values * counted).sum(dim=(0, 2)) / number.clamp(min=1)).tolist()
            for values in (entropy, entropy / largest)
        ]
        return tuple(means[0]), tuple(means[1])

    def _faults(
        self,
        *,
        row_sums: tuple[float, float],
        padding_mass: float,
        future_mass: float | None,
        hidden_mass: float,
        relative_entropy: tuple[float, ...],
        dead_rows: int,
        **_: Any,
    ) -> dict[str, dict[str, Any]]:
        rows = self.sums.numel()
        found: dict[str, dict[str, Any]] = {}
        if self.broken:
            found["not finite"] = {"count": self.broken, "rows": rows}
        if float(self.weights.min()) < -self.tolerance:
            found["negative"] = {"value": float(self.weights.min())}
        elif bool(self.live.any()) and not self._sums_are_one(self.sums[self.live]):
            over_queries = self.weights.sum(dim=-2)[self.mask.any(dim=-2)]
            name = "wrong axis" if self._sums_are_one(over_queries) else "row sums"
            found[name] = {"low": row_sums[0], "high": row_sums[1]}
        found |= self._misplaced(padding_mass, future_mass or 0.0, hidden_mass)
        if dead_rows:
            found["dead"] = {"count": dead_rows, "rows": rows}
        idle = ~self.allowed
        if bool(idle.any()):
            zeros = bool((self.weights[idle] == 0).all())
            found["hidden" if zeros else "not zero"] = {"count": int(idle.sum()), "rows": rows}
        return found | self._remarks(relative_entropy)

    def _misplaced(self, padding: float, future: float, hidden: float) -> dict[str, dict[str, Any]]:
        """Mass where the mask allows none, named as closely as can be."""
        seen = self.weights.masked_fill(~self.mask, 0.0).sum(dim=-1)[self.live]
        if len(seen) and float(seen.max()) <= self.tolerance:
            return {"inverted": {}}
        found = {"padding": padding, "future": future}
        found = {name: mass for name, mass in found.items() if mass > self.tolerance}
        if not found and hidden > self.tolerance:
            found["leak"] = hidden
        return {name: {"value": mass} for name, mass in found.items()}

    def _remarks(self, relative_entropy: tuple[float, ...]) -> dict[str, dict[str, Any]]:
        heard = {h: r for h, r in enumerate(relative_entropy) if not self.silent[h]}
        kinds = {
            "uniform": [h for h, r in heard.items() if r > 0.995],
            "saturated": [h for h, r in heard.items() if r < 0.005],
        }
        return {
            kind: {
                "heads": ", ".join(map(str, heads)),
                "s": "s" if len(heads) > 1 else "",
                "verb": "" if len(heads) > 1 else "s",
            }
            for kind, heads in kinds.items()
            if heads
        }

    def _sums_are_one(self, sums: Tensor) -> bool:
        return bool(((sums - 1).abs() <= self.tolerance).all())
