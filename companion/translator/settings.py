"""Everything that decides how a training goes, as plain values that are stored with the run."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

Schedule = Literal["inverse_sqrt", "cosine", "constant"]
Precision = Literal["auto", "float32", "bfloat16"]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How long, how fast, how regular. Raises ValueError for values out of range.

    Args:
        steps: number of weight updates.
        max_tokens: padded tokens (source and target) in one batch.
        accumulate: batches that share one update.
        learning_rate: the highest one, reached at the end of the warm-up.
        schedule: what follows the warm-up: `inverse_sqrt`, `cosine` (down to zero) or `constant`.
        warmup: updates over which the learning rate rises.
        betas, weight_decay: of AdamW; biases and norms are not decayed.
        clip_norm: gradients longer than this are shortened to it.
        label_smoothing: share of the probability spread evenly over the vocabulary.
        consistency: weight of R-Drop: every sentence is read twice, with different dropout, and the
            two predictions are drawn together. Twice the cost of an update; 0 leaves it out.
        precision: of the matrix products in the forward and backward pass; the weights, the loss
            and the optimiser stay in float32. `auto` is bfloat16 on CUDA and float32 elsewhere.
            Recent CPUs multiply bfloat16 matrices several times faster than float32 ones.
        average: decay of the running average of weights that is kept for use; 0 keeps the last.
        seed: of the initial weights, the dropout and the order of sentences.
        checkpoint_every: updates between two checkpoints, each with a look at the held-out loss.
        patience: end the training after so many looks in a row without a better held-out loss, and
            use the weights of the best one; 0 never does. It suits `constant` and `inverse_sqrt`: a
            cosine that is cut short has not come down yet.
    """

    steps: int
    max_tokens: int
    accumulate: int = 1
    learning_rate: float = 1e-3
    schedule: Schedule = "inverse_sqrt"
    warmup: int = 100
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.01
    clip_norm: float = 1.0
    label_smoothing: float = 0.1
    consistency: float = 0.0
    precision: Precision = "auto"
    average: float = 0.0
    seed: int = 0
    checkpoint_every: int = 100
    patience: int = 0

    def __post_init__(self) -> None:
        for name in ("steps", "max_tokens", "accumulate", "checkpoint_every"):
            _require(self, name, getattr(self, name) >= 1, "at least 1")
        for name in ("label_smoothing", "average"):
            _require(self, name, 0 <= getattr(self, name) < 1, "in [0, 1)")
        _require(self, "betas", all(0 <= beta < 1 for beta in self.betas), "in [0, 1)")
        _require(self, "learning_rate", self.learning_rate > 0, "positive")
        _require(self, "clip_norm", self.clip_norm > 0, "positive")
        for name in ("warmup", "patience", "weight_decay", "consistency"):
            _require(self, name, getattr(self, name) >= 0, "0 or more")
        for name, known in (("schedule", get_args(Schedule)), ("precision", get_args(Precision))):
            _require(self, name, getattr(self, name) in known, f"one of {', '.join(known)}")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TrainingSettings":
        """The inverse of `to_dict`. Raises ValueError naming keys that are not known."""
        unknown = set(values) - {field.name for field in dataclasses.fields(cls)}
        if unknown:
            raise ValueError(f"unknown training settings: {', '.join(sorted(unknown))}")
        return cls(**{**values, "betas": tuple(values.get("betas", (0.9, 0.98)))})


def _require(settings: TrainingSettings, name: str, holds: bool, wanted: str) -> None:
    if not holds:
        raise ValueError(f"{name} must be {wanted}, got {getattr(settings, name)!r}")
