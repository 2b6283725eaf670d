"""A training as a folder on disk: started, watched, stopped at any time, taken up again.

    runs/demo/
        model.safetensors, config.json, tokenizer.json   the model so far, ready for use
        training_state.safetensors                       all that the next update depends on
        log.jsonl                                        one line an update
        curves.png                                       the log as a picture, when training ends
        tensorboard/                                     the same, where TensorBoard is installed

The training state is one file that is replaced in one step, so whatever happens (Ctrl-C, SIGKILL, a
full disk) the folder holds a state that was whole at some update, and training goes on from there.
"""

import contextlib
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, runtime_checkable

from companion._files import write_text
from companion.translator.checkpoint import load_tensors, save_checkpoint, save_tensors
from companion.translator.errors import UserError
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import DivergedError, Report, Trainer

STATE, LOG = "training_state.safetensors", "log.jsonl"


class TrainingError(UserError, RuntimeError):
    """The training cannot go on; the message says why, what is intact, and what to do."""


class Stopped(Exception):  # noqa: N818 (asked for by the user, not an error)
    """The user stopped the training; a checkpoint of this very update has been written."""


@runtime_checkable
class Reporter(Protocol):
    """Somebody who wants to hear of every update: a progress bar, a log."""

    def start(self, step: int, steps: int) -> None:
        """Training begins (or goes on) after `step` of `steps` updates."""

    def report(self, report: Report) -> None:
        """One more update is done."""

    def close(self) -> None:
        """Training has ended, for whatever reason."""


class Run:
    """The folder of one training."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def create(self) -> None:
        """Make the folder and try to write in it. Raises TrainingError when that is impossible.

        What a killed process has left half written is removed.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for litter in self.folder.glob(".*.tmp"):
                litter.unlink()
            write_text(self.folder / ".writable", "")
            (self.folder / ".writable").unlink()
        except OSError as error:
            raise TrainingError(
                f"cannot write to the folder {self.folder}: {error}. Choose another with --out, or "
                "make room and give yourself the right to write there."
            ) from error

    @property
    def has_state(self) -> bool:
        """Whether there is something to go on from."""
        return (self.folder / STATE).exists()

    def facts(self) -> dict[str, Any]:
        """What the stored training state says about itself. Raises CheckpointError."""
        return load_tensors(self.folder / STATE)[1]

    @property
    def is_finished(self) -> bool:
        """Whether there is no update left to make. Raises CheckpointError."""
        facts = self.facts()
        return bool(facts.get("finished", facts["step"] >= facts["settings"]["steps"]))

    def save(self, trainer: Trainer, tokenizer: Tokenizer, facts: dict[str, Any]) -> None:
        """Write the usable model and the training state. Raises OSError; old files then stay.

        The state comes last: one that says "finished" never stands beside an unfinished model.
        """
        tensors, state = trainer.state()
        told = {key: value for key, value in state.items() if key != "batches"}
        save_checkpoint(
            self.folder, trainer.model, tokenizer, {**facts, **told}, weights=trainer.weights()
        )
        save_tensors(self.folder / STATE, tensors, {**facts, **state})

    def restore(self, trainer: Trainer) -> None:
        """Set `trainer` to the stored state. Raises CheckpointError or ValueError."""
        trainer.restore(*load_tensors(self.folder / STATE))


class JsonLog:
    """`log.jsonl`: one JSON object an update, with `dev_loss` where that was looked at.

    Going on from an earlier update cuts later lines.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG

    def start(self, step: int, steps: int) -> None:  # noqa: ARG002
        """Keep the lines of the updates that stay done."""
        kept = [entry for entry in read_log(self.path) if entry["step"] <= step]
        write_text(self.path, "".join(json.dumps(entry) + "\n" for entry in kept))

    def report(self, report: Report) -> None:
        """Append one line; it is on its way to the disk when this returns."""
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            values = {name: v for name, v in report._asdict().items() if v is not None}
            file.write(json.dumps(values) + "\n")

    def close(self) -> None:
        """Nothing is held open."""


def read_log(path: Path) -> list[dict[str, Any]]:
    """The entries of a log; a last line that a kill cut short is left out."""
    entries = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                entries.append(json.loads(line))
    return entries


def train(
    trainer: Trainer,
    run: Run,
    tokenizer: Tokenizer,
    facts: dict[str, Any],
    reporters: list[Reporter],
) -> None:
    """Update until the training is finished, with a checkpoint every so often and at the end.

    With every checkpoint that the settings ask for, the held-out loss is looked at.

    Ctrl-C (or SIGTERM) finishes the update at hand, writes a checkpoint and raises Stopped; a
    second one interrupts at once. Raises TrainingError when the loss is no number or the disk
    does not take the checkpoint; the last good one is intact then.
    """
    settings = trainer.settings
    run.create()
    with _requests_to_stop() as stop, contextlib.ExitStack() as closing, _clear_errors(run):
        for reporter in reporters:
            closing.callback(reporter.close)
            reporter.start(trainer.step, settings.steps)
        if trainer.step == 0:
            run.save(trainer, tokenizer, facts)
        while not trainer.finished:
            report = trainer.update()
            due = trainer.step % settings.checkpoint_every == 0 or trainer.finished
            if due:
                report = report._replace(dev_loss=trainer.check())
            for reporter in reporters:
                reporter.report(report)
            stopping = trainer.any_process(stop.is_set())
            if due or stopping:
                run.save(trainer, tokenizer, facts)
            if stopping and not trainer.finished:
                raise Stopped(f"stopped after update {trainer.step} of {settings.steps}")


@contextlib.contextmanager
def _clear_errors(run: Run) -> Iterator[None]:
    """Say what went wrong inside, what is left, and what to do."""
    try:
        yield
    except DivergedError as error:
        raise TrainingError(
            f"{error}. {_intact(run)} Start anew with a lower learning rate, a longer warm-up or "
            "another seed."
        ) from error
    except OSError as error:
        raise TrainingError(
            f"cannot write to {run.folder}: {error}. {_intact(run)} Make room there, then resume."
        ) from error


def _intact(run: Run) -> str:
    if not run.has_state:
        return "There is no checkpoint yet."
    return f"The last good checkpoint (update {run.facts()['step']}) is intact in {run.folder}."


@contextlib.contextmanager
def _requests_to_stop() -> Iterator[threading.Event]:
    """Set when SIGINT or SIGTERM arrives; the second one acts as it would have without us."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread may handle signals
        return
    previous: dict[int, Any] = {}

    def on_signal(number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, previous[number])

    for number in (int(signal.SIGINT), int(signal.SIGTERM)):
        previous[number] = signal.signal(number, on_signal)
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
