"""What the tests of distributed training run in several processes; started by torchrun.

torchrun --nproc-per-node=2 processes.py together FOLDER    trains, writes FOLDER/found.json
torchrun --nproc-per-node=2 processes.py command ACCIDENT OPTIONS     trains on six sentences
"""

import json
import math
import os
import signal
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent))
from conftest import PAIRS, tiny_corpus

from companion import _files as files
from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig, tiny_translator
from companion.translator import checkpoint, corpora, progress, train
from companion.translator import runs as runs_module
from companion.translator.architectures import Config, build, peer_of
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import unique_weights
from companion.translator.distributed import (
    DifferentProcessesError,
    DistributedTrainer,
    Group,
    SharedRun,
    joined,
)
from companion.translator.held_out import HeldOut
from companion.translator.recipes import RECIPES, Recipe
from companion.translator.runs import JsonLog, Run, Stopped
from companion.translator.runs import train as go
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Report, Trainer

TOKENIZER = Tokenizer.train([text for pair in PAIRS for text in pair], vocab_size=300)


def config(dropout: float = 0.0) -> TransformerConfig:
    return tiny_translator(
        TOKENIZER.vocab_size,
        d_model=16,
        n_encoder_layers=1,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=2),
        feed_forward=FeedForwardSpec(d_ff=24),
        dropout=dropout,
    )


def make(
    model: Config, *, group: Group | None = None, double: bool = False, **values: Any
) -> Trainer:
    settings = TrainingSettings(
        **{"steps": 8, "max_tokens": 40, "checkpoint_every": 3, "average": 0.9, **values}
    )
    batches = BatchStream(encode_pairs(TOKENIZER, PAIRS), max_tokens=settings.max_tokens)
    torch.manual_seed(0)
    built = build(model)
    if double:
        built.double()
    kind = Trainer if group is None else partial(DistributedTrainer, group=group)
    held_out = HeldOut(encode_pairs(TOKENIZER, PAIRS[2:]), max_tokens=40)
    return kind(built, batches, settings, held_out=held_out)


# Batches of 40 tokens hold one to three pairs, so that one of two processes is often left without.
VARIANTS: dict[str, dict[str, Any]] = {
    "small batches": {},
    "one large batch": {"max_tokens": 200},
    "accumulated": {"accumulate": 3, "average": 0.0},
    "single precision": {"double": False},
    "R-Drop": {"consistency": 2.0},
    "nn.Transformer": {"peer": "torch"},
    "recurrent": {"peer": "recurrent"},
}


def compare(group: Group, *, peer: Any = None, double: bool = True, **values: Any) -> list[float]:
    """After each of twenty updates the largest distance from what one process has.

    Adam divides a gradient by its own size. The bias of the keys has none in theory (a softmax does
    not see it), so in single precision its updates are rounding, blown up: it is left out there.
    """
    model = config() if peer is None else peer_of(config(), peer)
    alone = make(model, double=double, **values)
    expected = [snapshot(alone, alone.update()) for _ in range(20)]
    together = make(model, double=double, group=group, **values)
    found = [snapshot(together, together.update()) for _ in range(20)]
    return [
        max(
            (tensor - wanted[name]).abs().max().item()
            for name, tensor in tensors.items()
            if double or not name.endswith("k_proj.bias")
        )
        for tensors, wanted in zip(found, expected, strict=True)
    ]


def snapshot(trainer: Trainer, report: Report) -> dict[str, torch.Tensor]:
    """The weights, their average, and what is reported of an update."""
    own = {f"model.{name}": w.clone() for name, w in unique_weights(trainer.model).items()}
    used = {f"used.{name}": w.clone() for name, w in trainer.weights().items()}
    told = [report.loss, report.gradient_norm, report.tokens, trainer.check() or 0.0]
    return own | used | {"report": torch.tensor(told, dtype=torch.float64)}


class Signal:
    """Sends this process a signal after an update."""

    def __init__(self, step: int) -> None:
        self.step = step

    def start(self, step: int, steps: int) -> None:
        pass

    def report(self, report: Report) -> None:
        if report.step == self.step:
            signal.raise_signal(signal.SIGTERM)

    def close(self) -> None:
        pass


def run(group: Group, folder: Path, *, dropout: float = 0.1, reporters: Any = ()) -> None:
    """Train in `folder`, or go on there. Only the first process may write."""
    run = SharedRun(folder, group=group)
    trainer = make(config(dropout), group=group, patience=0)
    if run.has_state:
        run.restore(trainer)
    go(trainer, run, TOKENIZER, {}, [*reporters, *([JsonLog(folder)] if group.is_first else [])])


def runs(group: Group, folder: Path) -> dict[str, Any]:
    """Whole, stopped and resumed, and begun by one process alone."""
    run(group, folder / "whole")
    try:
        run(group, folder / "broken", reporters=[Signal(4)] if group.rank == 1 else [])
    except Stopped as stopped:
        said = str(stopped)
    at = Run(folder / "broken").facts()["step"]
    run(group, folder / "broken")
    if group.is_first:
        for name, stop in (("alone", 8), ("begun alone", 3)):
            trainer = make(config())
            for _ in range(stop):
                trainer.update()
            Run(folder / name).create()
            Run(folder / name).save(trainer, TOKENIZER, {})
    group.sum(0.0)
    run(group, folder / "begun alone", dropout=0.0)
    return {"said": said, "stopped at": at}


def together(folder: Path) -> None:
    """Everything that ends well, in one start: `found.json` says what was found."""
    with joined("cpu") as group:
        if not group.is_first:
            files.write_bytes = checkpoint.write_bytes = runs_module.write_text = refuse
        found: dict[str, Any] = {name: compare(group, **v) for name, v in VARIANTS.items()}
        found["runs"] = runs(group, folder)
        try:
            group.require_same({"rank": group.rank})
        except DifferentProcessesError as error:
            found["different"] = str(error)
        seeds = [make(config(), group=group)._own_seed() for _ in range(2)]
        found["same seed again"] = seeds[0] == seeds[1]
        if group.is_first:
            (folder / "found.json").write_text(json.dumps(found), encoding="utf-8")


def refuse(*_: Any) -> None:
    raise AssertionError("only the first process writes")


def command(accident: str, options: list[str]) -> None:
    """`companion.translator.train` on six sentences; in the second process something happens."""
    corpora._LOADERS["tiny"] = tiny_corpus
    settings = TrainingSettings(steps=400, max_tokens=40, checkpoint_every=5)
    RECIPES["demo"] = Recipe(
        name="demo",
        about="six sentences",
        corpus={"name": "tiny"},
        vocab_size=300,
        model=lambda size: replace(config(), source_vocab_size=size, target_vocab_size=size),
        settings=settings,
    )
    update = Trainer.update

    def slow(trainer: Trainer) -> Report:
        time.sleep(0.02)
        if trainer.step == 12 and os.environ["RANK"] == "1":
            if accident == "nan":
                trainer.model.encoder.layers[0].feed_forward.up_proj.weight.data[:] = math.nan
            if accident == "bug":
                raise RuntimeError("a mistake in the second process")
            if accident == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
        return update(trainer)

    Trainer.update = slow  # type: ignore[method-assign]
    # Other tests are about these; they take longer than torchrun waits on a busy machine.
    for reporter in (progress.CurvesAtTheEnd, progress.TensorBoardLog):
        for method in ("start", "report", "close"):
            setattr(reporter, method, lambda *_: None)
    train.main(options)


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1] == "together":
        together(Path(sys.argv[2]))
    else:
        command(sys.argv[2], sys.argv[3:])
