"""Training in several processes, on one machine or many: torchrun, DistributedDataParallel.

Every process has the whole model and makes the same batches. Of each batch it takes every n-th
pair and computes its gradient; the gradients are added up, divided by the target tokens of the
*whole* batch, so that n processes make the update that one would make. The settings therefore mean
what they mean with one process, `max_tokens` among them, and a run may change the number of its
processes when it is resumed.

Dropout differs, as every process draws its own. The first process keeps the random state that is
stored with the run, as one process alone does; each of the others starts its generator anew with
every update, from seed, update and rank, and so has no state to store.

Only the first process writes, logs and speaks.
"""

import contextlib
import hashlib
import json
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel

from companion.translator.batching import Batch
from companion.translator.devices import UnusableDeviceError, choose_device
from companion.translator.errors import UserError
from companion.translator.held_out import HeldOut
from companion.translator.runs import Run
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer

_LOST = (
    "another process of this training has ended (killed, or out of memory?): go on from the last "
    "checkpoint with --resume"
)


class LostProcessError(UserError, RuntimeError):
    """Another process of this training has ended, so that this one cannot go on."""


class DifferentProcessesError(UserError, ValueError):
    """The processes were not started on the same training."""


class Group(NamedTuple):
    """The processes that train together, and this one's place among them."""

    rank: int
    size: int
    device: torch.device
    store: Any

    @property
    def is_first(self) -> bool:
        """Whether this process writes and speaks."""
        return self.rank == 0

    def sum(self, value: float) -> float:
        """The sum of every process' `value`, the same everywhere; waits for all of them."""
        total = torch.tensor([value], dtype=torch.float64)
        with loss_of_others():
            dist.all_reduce(total)
        return total.item()

    def of_the_first(self, value: float) -> float:
        """The first process' `value`, everywhere."""
        return self.sum(value if self.is_first else 0.0)

    def require_same(self, facts: Any) -> None:
        """Raise DifferentProcessesError where the processes do not hold the same JSON data."""
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).digest()
        mine = torch.tensor(list(digest), dtype=torch.int64)
        low, high = mine.clone(), mine.clone()
        with loss_of_others():
            dist.all_reduce(low, dist.ReduceOp.MIN)
            dist.all_reduce(high, dist.ReduceOp.MAX)
        if not torch.equal(low, high):
            raise DifferentProcessesError(
                "the processes differ in corpus, vocabulary, settings or update: give them the "
                "same options, the same data and, to resume, the same folder"
            )


def launched() -> bool:
    """Whether torchrun (or something that speaks as it does) has started this process."""
    return {"RANK", "WORLD_SIZE", "MASTER_ADDR"} <= os.environ.keys()


@contextlib.contextmanager
def joined(device: str = "auto") -> Iterator[Group]:
    """Join the processes that torchrun has started: gloo between CPUs, NCCL between GPUs.

    Each takes the GPU of its number on its machine. Raises UnusableDeviceError.
    """
    target = _own_device(device, int(os.environ.get("LOCAL_RANK", "0")))
    store, rank, size = next(iter(dist.rendezvous("env://")))
    # Numbers that all must agree on go between the CPUs, so that no GPU is waited for.
    backend = "cpu:gloo,cuda:nccl" if target.type == "cuda" else "gloo"
    dist.init_process_group(
        backend, store=dist.PrefixStore("data", store), rank=rank, world_size=size
    )
    yield Group(rank, size, target, dist.PrefixStore("words", store))
    # After an error the others may never answer again: the end of the process closes the rest.
    dist.destroy_process_group()


def _own_device(name: str, local_rank: int) -> torch.device:
    if name == "mps":
        raise UnusableDeviceError("device 'mps' works for one process only: try --device cpu")
    gpus = torch.cuda.device_count()
    if name == "cpu" or (name == "auto" and gpus == 0):
        return torch.device("cpu")
    if 0 < gpus <= local_rank:
        raise UnusableDeviceError(
            f"this machine has {gpus} GPU(s), too few for process number {local_rank} on it: "
            f"start torchrun with --nproc-per-node={gpus}, or with --device cpu"
        )
    if gpus:
        torch.cuda.set_device(local_rank)
    kind = choose_device(name).type
    return torch.device("cuda", local_rank) if kind == "cuda" else torch.device("cpu")


@contextlib.contextmanager
def loss_of_others() -> Iterator[None]:
    """Name it when the others cannot be reached any more."""
    try:
        yield
    except RuntimeError as error:
        known = ("onnection", "gloo", "NCCL", "imed out")
        if isinstance(error, dist.DistError) or any(word in str(error) for word in known):
            raise LostProcessError(_LOST) from error
        raise


def share_of(batch: Batch, rank: int, size: int, pad_id: int = Tokenizer.pad_id) -> Batch:
    """Every `size`-th row from row `rank` on, without columns that are padding only.

    Where a batch has fewer rows than there are processes, the others get one row without a label:
    it adds nothing, but they take part in the exchange of gradients that all wait for.
    """
    share = Batch(*(tensor[rank::size] for tensor in batch))
    if len(share.source) == 0:
        source, decoder_input, labels = (tensor[:1] for tensor in batch)
        share = Batch(source, decoder_input, torch.full_like(labels, pad_id))
    source, decoder_input, labels = share
    read, written = _width(source, pad_id), _width(decoder_input, pad_id)
    return Batch(source[:, :read], decoder_input[:, :written], labels[:, :written])


def _width(tokens: Tensor, pad_id: int) -> int:
    """Columns up to the last one that is not padding in every row; one at least."""
    return max(int((tokens != pad_id).sum(dim=1).max()), 1)


class DistributedTrainer(Trainer):
    """A trainer that shares every batch out among the processes of `group`.

    All of them end an update with the same weights. Raises LostProcessError when one is gone.
    """

    def __init__(self, *args: Any, group: Group, compiled: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "device": group.device})
        self.group = group
        with loss_of_others():
            self._parallel = DistributedDataParallel(self.model)
        self._forward = torch.compile(self._parallel, dynamic=True) if compiled else self._parallel

    def _backward(self, batches: list[Batch]) -> float:
        pad_id = self.model.config.pad_id
        shares = [share_of(batch, self.group.rank, self.group.size, pad_id) for batch in batches]
        own = sum(int((share.labels != pad_id).sum()) for share in shares)
        # DistributedDataParallel takes the mean over the processes; a sum is wanted.
        count = self.group.sum(float(own)) / self.group.size
        if not self.group.is_first:
            torch.manual_seed(self._own_seed())
        total = torch.zeros((), device=self.device)
        with loss_of_others():
            for share in shares[:-1]:
                with self._parallel.no_sync():
                    total += self._add_gradient(share, count)
            total += self._add_gradient(shares[-1], count)
        return self.group.sum(total.item()) / self.group.size

    def _own_seed(self) -> int:
        return random.Random(f"{self.settings.seed}/{self.step}/{self.group.rank}").getrandbits(63)

    def _look(self, held_out: HeldOut) -> float:
        return self.group.of_the_first(super()._look(held_out) if self.group.is_first else 0.0)

    def any_process(self, asked: bool) -> bool:
        """Whether any process of this training was asked for something."""
        return self.group.sum(float(asked)) > 0


class SharedRun(Run):
    """A run's folder that the first process alone writes; the others wait until it has."""

    def __init__(self, folder: str | Path, *, group: Group) -> None:
        super().__init__(folder)
        self.group = group

    def create(self) -> None:
        """Make the folder, where this is the first process. Raises TrainingError."""
        if self.group.is_first:
            super().create()

    def save(self, trainer: Trainer, tokenizer: Tokenizer, facts: dict[str, Any]) -> None:
        """Write a checkpoint; no process goes on (or ends, and has the others ended) before."""
        if self.group.is_first:
            super().save(trainer, tokenizer, facts)
        self.group.sum(0.0)


@contextlib.contextmanager
def one_voice(group: Group, *, patience: float = 10.0) -> Iterator[None]:
    """Let one process say why the training ends; the others exit without a word.

    The first process tells its own errors, which the others mostly share. Another one tells an
    error that the first has not told within `patience` seconds. That a process is gone is told only
    where none has said why.
    """
    try:
        yield
    except BaseException as error:
        # torchrun ends the others as soon as one has failed: not before one of them has spoken.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if not _speaks(group, error, patience):
            raise SystemExit(1) from error
        raise


def _speaks(group: Group, error: BaseException, patience: float) -> bool:
    try:
        if isinstance(error, LostProcessError) or not group.is_first:
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline and not group.store.check(["told"]):
                time.sleep(0.1)
        return bool(group.store.add("told", 1) == 1)
    except RuntimeError:  # the store is gone, and torchrun with it
        return group.is_first
