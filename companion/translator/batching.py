"""Batches of about equal cost: sentences of like length together, at most so many tokens at once.

An epoch's order follows from the seed and the epoch's number alone, so a position is two numbers
and an interrupted training goes on with exactly the batch that comes next.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from companion.objectives import teacher_forcing_shift
from companion.translator.tokenizer import Tokenizer

# Sentences sorted by length together. Large: little padding. Small: more mixing between epochs.
POOL = 4096


class Example(NamedTuple):
    """One sentence pair as token ids, without control tokens."""

    source: tuple[int, ...]
    target: tuple[int, ...]

    @property
    def cost(self) -> int:
        """Positions that the pair takes in the encoder and the decoder (with one control token)."""
        return len(self.source) + len(self.target) + 1


class Batch(NamedTuple):
    """Padded on the right: what the encoder reads, what the decoder reads, what it must say."""

    source: Int[Tensor, "batch source_time"]
    decoder_input: Int[Tensor, "batch target_time"]
    labels: Int[Tensor, "batch target_time"]

    def to(self, device: torch.device) -> "Batch":
        """The same batch on `device`."""
        return Batch(*(tensor.to(device, non_blocking=True) for tensor in self))


def encode_pairs(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Example]:
    """Token ids of `(source, target)` texts."""
    return [
        Example(tuple(tokenizer.encode(source)), tuple(tokenizer.encode(target)))
        for source, target in pairs
    ]


def pad(rows: Sequence[Sequence[int]], pad_id: int = Tokenizer.pad_id) -> Int[Tensor, "batch time"]:
    """One tensor of token ids, padded on the right to the longest row."""
    longest = max((len(row) for row in rows), default=0)
    padded = [[*row, *[pad_id] * (longest - len(row))] for row in rows]
    return torch.tensor(padded, dtype=torch.long).reshape(len(rows), longest)


def collate(examples: Sequence[Example]) -> Batch:
    """Pad and shift: decoder input `bos + y`, labels `y + eos`."""
    decoder_input, labels = teacher_forcing_shift(
        pad([example.target for example in examples]),
        bos_id=Tokenizer.bos_id,
        eos_id=Tokenizer.eos_id,
        pad_id=Tokenizer.pad_id,
    )
    return Batch(pad([example.source for example in examples]), decoder_input, labels)


def plan_epoch(
    examples: Sequence[Example], *, max_tokens: int, seed: int, epoch: int
) -> list[list[int]]:
    """Indices of each batch of one epoch; every example stands in exactly one batch.

    A batch's padded size, `rows · (longest source + longest target + 1)`, is at most `max_tokens`.
    Raises ValueError when a single pair is larger than that.
    """
    order = random.Random(f"{seed}/{epoch}")
    indices = list(range(len(examples)))
    order.shuffle(indices)
    batches = []
    for start in range(0, len(indices), POOL):
        pool = sorted(indices[start : start + POOL], key=lambda index: _lengths(examples[index]))
        batches.extend(cut(examples, pool, max_tokens))
    order.shuffle(batches)
    return batches


def _lengths(example: Example) -> tuple[int, int]:
    return len(example.target), len(example.source)


def cut(examples: Sequence[Example], indices: Sequence[int], max_tokens: int) -> list[list[int]]:
    """Consecutive batches of the examples at `indices`, each as large as the budget allows.

    Raises ValueError when a single pair is larger than that.
    """
    batches: list[list[int]] = []
    current: list[int] = []
    longest_source = longest_target = 0
    for index in indices:
        source, target = examples[index]
        if examples[index].cost > max_tokens:
            raise ValueError(
                f"pair {index} takes {examples[index].cost} tokens, more than "
                f"max_tokens={max_tokens}: raise the budget or leave the pair out"
            )
        new_source = max(longest_source, len(source))
        new_target = max(longest_target, len(target) + 1)
        if (len(current) + 1) * (new_source + new_target) > max_tokens:
            batches.append(current)
            current, new_source, new_target = [], len(source), len(target) + 1
        current.append(index)
        longest_source, longest_target = new_source, new_target
    return [*batches, current] if current else batches


class BatchStream(Iterator[Batch]):
    """Batches without end, epoch after epoch, from a position that can be stored.

    Raises ValueError for an empty corpus.
    """

    def __init__(self, examples: Sequence[Example], *, max_tokens: int, seed: int = 0) -> None:
        if not examples:
            raise ValueError("there are no sentence pairs to make batches of")
        self.examples = examples
        self.max_tokens = max_tokens
        self.seed = seed
        self.epoch = 0
        self.position = 0
        self._plan = self._plan_for(0)
        self._corpus = _fingerprint(examples)

    def _plan_for(self, epoch: int) -> list[list[int]]:
        return plan_epoch(self.examples, max_tokens=self.max_tokens, seed=self.seed, epoch=epoch)

    def __next__(self) -> Batch:
        if self.position == len(self._plan):
            self.epoch, self.position = self.epoch + 1, 0
            self._plan = self._plan_for(self.epoch)
        batch = [self.examples[index] for index in self._plan[self.position]]
        self.position += 1
        return collate(batch)

    @property
    def batches_per_epoch(self) -> int:
        """Batches in the current epoch (the number differs a little between epochs)."""
        return len(self._plan)

    def state_dict(self) -> dict[str, Any]:
        """Where the stream stands, as plain JSON data."""
        return {
            "epoch": self.epoch,
            "position": self.position,
            "order": [self.seed, self.max_tokens],
            "corpus": self._corpus,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go to a stored position. Raises ValueError when corpus, seed or budget are others."""
        if state["corpus"] != self._corpus:
            raise ValueError("the corpus (or its tokenizer) is not the one this run was started on")
        if list(state["order"]) != [self.seed, self.max_tokens]:
            raise ValueError(
                f"the run was started with [seed, max_tokens] = {state['order']}, "
                f"not {[self.seed, self.max_tokens]}: the order of sentences would differ"
            )
        self.epoch, self.position = state["epoch"], state["position"]
        self._plan = self._plan_for(self.epoch)


def _fingerprint(examples: Sequence[Example]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        digest.update(f"{example.source}{example.target}".encode())
    return digest.hexdigest()
