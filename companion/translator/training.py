"""One update after another: forward, loss, backward, clip, AdamW, running average.

A `Trainer` holds everything that the next update depends on, and `state` is all of it: weights,
their average, the optimiser's moments, the random generators, the place in the corpus, the best
weights so far. A run that is stored, killed and restored therefore reaches bit-identical weights on
a CPU.
"""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from companion.objectives import label_smoothed_cross_entropy, symmetric_divergence
from companion.translator.architectures import Model
from companion.translator.batching import Batch, BatchStream
from companion.translator.checkpoint import CheckpointError, unique_weights
from companion.translator.held_out import Best, HeldOut, lent_weights
from companion.translator.schedule import adamw, learning_rate
from companion.translator.settings import TrainingSettings


class DivergedError(ArithmeticError):
    """The loss or its gradient stopped being a finite number; no weight was changed by it."""


class Report(NamedTuple):
    """What one update did."""

    step: int
    """Number of updates done, this one included."""
    loss: float
    """Cross-entropy with label smoothing, in nats a target token."""
    learning_rate: float
    gradient_norm: float
    """Before clipping."""
    tokens: int
    """Source and target tokens read, padding not counted."""
    seconds: float
    dev_loss: float | None = None
    """Cross-entropy on held-out sentences, without smoothing, after the updates that look at it."""


class WeightAverage:
    """An exponential moving average of the weights (Polyak averaging), often a better model.

    Early on it forgets faster, so that the first random weights leave no trace: the decay is
    `min(decay, (1 + n) / (10 + n))` at update n.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.updates = 0
        self.weights = {name: w.clone() for name, w in unique_weights(model).items()}

    def update(self, model: nn.Module) -> None:
        """Move a little towards the model's present weights."""
        self.updates += 1
        keep = min(self.decay, (1 + self.updates) / (10 + self.updates))
        current = unique_weights(model)
        for name, average in self.weights.items():
            average.lerp_(current[name], 1 - keep)


class Trainer:
    """A model, its optimiser and its stream of batches, `step` updates into the training.

    Args:
        held_out: what `check` looks at. Required with `patience`, else ValueError.
        compiled: run the forward through `torch.compile`. The weights keep their plain names.
    """

    def __init__(
        self,
        model: Model,
        batches: BatchStream,
        settings: TrainingSettings,
        *,
        held_out: HeldOut | None = None,
        device: torch.device | str = "cpu",
        compiled: bool = False,
    ) -> None:
        if settings.patience and held_out is None:
            raise ValueError(
                f"patience={settings.patience} needs held-out sentences, and this corpus has none: "
                "set it to 0"
            )
        self.device = torch.device(device)
        self.model = model.to(self.device)
        self.batches = batches
        self.settings = settings
        self.held_out = held_out
        self.best = Best()
        self.optimizer = adamw(self.model, settings)
        self.average = WeightAverage(self.model, settings.average) if settings.average else None
        self.step = 0
        self.tokens = 0
        self.seconds = 0.0
        self.processor_seconds = 0.0
        self._forward: Callable[[Tensor, Tensor], Tensor] = (
            torch.compile(self.model, dynamic=True) if compiled else self.model
        )

    def update(self) -> Report:
        """Change the weights once. Raises DivergedError, with them untouched, when not finite."""
        started, processor = time.perf_counter(), time.process_time()
        batches = [next(self.batches) for _ in range(self.settings.accumulate)]
        rate = learning_rate(self.step, self.settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._backward(batches)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip_norm).item()
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise DivergedError(
                f"the loss is {loss} with a gradient of length {norm} at update {self.step + 1}"
            )
        self.optimizer.step()
        if self.average is not None:
            self.average.update(self.model)
        self.step += 1
        tokens = sum(_real_tokens(batch, self.model.config.pad_id) for batch in batches)
        seconds = time.perf_counter() - started
        self.tokens, self.seconds = self.tokens + tokens, self.seconds + seconds
        self.processor_seconds += time.process_time() - processor
        return Report(self.step, loss, rate, norm, tokens, seconds)

    def _backward(self, batches: list[Batch]) -> float:
        """Add up the gradients of the mean loss over all target tokens of `batches`."""
        pad_id = self.model.config.pad_id
        # Divided by the tokens of all parts: the parts together equal one large batch exactly.
        count = sum(int((batch.labels != pad_id).sum()) for batch in batches)
        total = torch.zeros((), device=self.device)
        for batch in batches:
            total += self._add_gradient(batch, count)
        return total.item()

    def _add_gradient(self, batch: Batch, count: float | int) -> Tensor:
        """Add the gradient of the loss on `batch`, divided by `count`; returns that loss."""
        here = batch.to(self.device)
        if self.settings.consistency:
            loss = self._twice(here) / (2 * count)
        else:
            loss = self._cross_entropy(self._logits(here), here) / count
        loss.backward()
        return loss.detach()

    def _twice(self, batch: Batch) -> Tensor:
        """R-Drop (Liang et al., 2021, section 2.1), summed over both passes."""
        both = Batch(*(torch.cat([part, part]) for part in batch))
        logits = self._logits(both)
        first, second = logits.chunk(2)
        apart = symmetric_divergence(first, second, batch.labels != self.model.config.pad_id)
        return self._cross_entropy(logits, both) + self.settings.consistency * apart

    def _logits(self, batch: Batch) -> Tensor:
        with self._precision():
            return self._forward(batch.source, batch.decoder_input)

    def _cross_entropy(self, logits: Tensor, batch: Batch) -> Tensor:
        return label_smoothed_cross_entropy(
            logits,
            batch.labels,
            ignore_index=self.model.config.pad_id,
            smoothing=self.settings.label_smoothing,
            reduction="sum",
        )

    def _precision(self) -> torch.autocast:
        asked = self.settings.precision
        half = asked == "bfloat16" or (asked == "auto" and self.device.type == "cuda")
        return torch.autocast(self.device.type, torch.bfloat16, enabled=half)

    def check(self) -> float | None:
        """The held-out loss of the weights as they are now, or their average; the best is kept.

        None where there are no held-out sentences.
        """
        if self.held_out is None:
            return None
        loss = self._look(self.held_out)
        self.best.see(self.step, loss, self._weights_now() if self.settings.patience else {})
        return loss

    def _look(self, held_out: HeldOut) -> float:
        with lent_weights(self.model, self._weights_now()):
            return held_out.loss(self.model, self.device, self._precision())

    def any_process(self, asked: bool) -> bool:
        """Whether any process of this training was asked for something; here there is only one."""
        return asked

    @property
    def finished(self) -> bool:
        """Whether the last update has been made, or patience is at an end."""
        return self.step >= self.settings.steps or 0 < self.settings.patience <= self.best.misses

    def weights(self) -> dict[str, Tensor]:
        """The weights to use: with patience the best so far, else the average where one is kept."""
        return self.best.weights or self._weights_now()

    def _weights_now(self) -> dict[str, Tensor]:
        return unique_weights(self.model) if self.average is None else self.average.weights

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything that the next update depends on: tensors by name, and JSON data."""
        tensors = {f"model.{name}": w for name, w in unique_weights(self.model).items()}
        if self.average is not None:
            tensors |= {f"average.{name}": w for name, w in self.average.weights.items()}
        tensors |= {f"best.{name}": w for name, w in self.best.weights.items()}
        moments = self.optimizer.state_dict()["state"]
        for index, values in moments.items():
            tensors |= {f"optimizer.{index}.{key}": value for key, value in values.items()}
        tensors |= {f"random.{kind}": state for kind, state in _random_states(self.device).items()}
        facts = {
            "step": self.step,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "settings": self.settings.to_dict(),
            "batches": self.batches.state_dict(),
            "best": self.best.to_dict(),
            "finished": self.finished,
        }
        return tensors, facts

    def restore(self, tensors: dict[str, Tensor], facts: dict[str, Any]) -> None:
        """Go on from a stored `state`. Raises ValueError when it is not of this training."""
        if TrainingSettings.from_dict(facts["settings"]) != self.settings:
            raise ValueError("the stored run was started with other training settings")
        self.batches.load_state_dict(facts["batches"])
        _fill(unique_weights(self.model), _part(tensors, "model."))
        if self.average is not None:
            _fill(self.average.weights, _part(tensors, "average."))
            self.average.updates = facts["step"]
        self.best = Best.stored(facts.get("best"), _part(tensors, "best."))
        self._restore_optimizer(_part(tensors, "optimizer."))
        _set_random_states(self.device, _part(tensors, "random."))
        self.step, self.tokens = facts["step"], facts["tokens"]
        self.seconds, self.processor_seconds = facts["seconds"], facts["processor_seconds"]

    def _restore_optimizer(self, stored: dict[str, Tensor]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for name, tensor in stored.items():
            index, key = name.split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def _real_tokens(batch: Batch, pad_id: int) -> int:
    return int((batch.source != pad_id).sum()) + int((batch.labels != pad_id).sum())


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}


def _fill(targets: dict[str, Tensor], stored: dict[str, Tensor]) -> None:
    if targets.keys() != stored.keys():
        raise CheckpointError("the stored training state belongs to another model")
    for name, target in targets.items():
        target.copy_(stored[name])


def _random_states(device: torch.device) -> dict[str, Tensor]:
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    if device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return states


def _set_random_states(device: torch.device, states: dict[str, Tensor]) -> None:
    torch.set_rng_state(states["cpu"])
    # A run may go on on another kind of device; its generator then starts from the seed.
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)
    if device.type == "mps" and "mps" in states:
        torch.mps.set_rng_state(states["mps"])
