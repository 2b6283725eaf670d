"""How well a model predicts sentences that it is not trained on, while it is being trained.

The training loss falls for as long as a model can learn its sentences by heart. The loss on others
turns when that begins, which is where early stopping ends (Prechelt, 1998, "Early Stopping - But
When?"). These sentences decide about the training, so no score on them may be reported as a result.
"""

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from companion.objectives import label_smoothed_cross_entropy
from companion.translator.batching import Batch, Example, collate, cut
from companion.translator.checkpoint import unique_weights
from companion.translator.tokenizer import Tokenizer

# Looking at 400 sentences takes as long as 1.8% of the updates between two looks of the demo, and
# 0.4% of those of the Tatoeba recipe, in CPU seconds.
SENTENCES = 400


class HeldOut:
    """At most `SENTENCES` of the given pairs, spread evenly over them, in batches.

    Pairs that no model of `max_seq_len` positions or no batch of `max_tokens` takes are left out.
    """

    def __init__(
        self, examples: Sequence[Example], *, max_tokens: int, max_seq_len: int | None = None
    ) -> None:
        longest = math.inf if max_seq_len is None else max_seq_len
        fitting = [
            example
            for example in examples
            if example.cost <= max_tokens
            and max(len(example.source), len(example.target) + 1) <= longest
        ]
        number = min(len(fitting), SENTENCES)
        self.examples = [fitting[index * len(fitting) // number] for index in range(number)]
        order = sorted(range(number), key=lambda index: self.examples[index].cost)
        self.batches: list[Batch] = [
            collate([self.examples[index] for index in batch])
            for batch in cut(self.examples, order, max_tokens)
        ]

    def loss(self, model: nn.Module, device: torch.device, precision: torch.autocast) -> float:
        """Mean cross-entropy in nats a target token: true history, no smoothing, no dropout.

        Draws no random numbers, so that a training goes on as if nobody had looked.
        """
        training = model.training
        model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for batch in self.batches:
                here = batch.to(device)
                with precision:
                    logits = model(here.source, here.decoder_input)
                total += label_smoothed_cross_entropy(
                    logits, here.labels, ignore_index=Tokenizer.pad_id, reduction="sum"
                ).item()
                count += int((batch.labels != Tokenizer.pad_id).sum())
        model.train(training)
        return total / count


@contextlib.contextmanager
def lent_weights(model: nn.Module, weights: dict[str, Tensor]) -> Iterator[None]:
    """`model` with other weights, by name; afterwards it has its own again, to the bit."""
    own = unique_weights(model)
    kept = {name: weight.clone() for name, weight in own.items()}
    try:
        for name, weight in own.items():
            weight.copy_(weights[name])
        yield
    finally:
        for name, weight in own.items():
            weight.copy_(kept[name])


class Best:
    """The lowest held-out loss so far, the update it belongs to, and its weights if they count."""

    def __init__(self) -> None:
        self.step = 0
        self.loss = math.inf
        self.misses = 0
        """Checks since then, none of which was better."""
        self.weights: dict[str, Tensor] = {}

    def see(self, step: int, loss: float, weights: dict[str, Tensor]) -> None:
        """One more check. A loss that is no number is no better than any other."""
        if loss < self.loss:
            self.step, self.loss, self.misses = step, loss, 0
            self.weights = {name: weight.clone() for name, weight in weights.items()}
        else:
            self.misses += 1

    def to_dict(self) -> dict[str, Any] | None:
        """Plain JSON data without the weights; None before the first check."""
        if self.step == 0:
            return None
        return {"step": self.step, "dev_loss": self.loss, "misses": self.misses}

    @classmethod
    def stored(cls, values: dict[str, Any] | None, weights: dict[str, Tensor]) -> "Best":
        """The inverse of `to_dict`, with the weights."""
        best = cls()
        if values is not None:
            best.step, best.loss = values["step"], values["dev_loss"]
            best.misses, best.weights = values["misses"], weights
        return best
