"""Seeing a training run: a bar on a terminal, plain lines elsewhere, TensorBoard, curves."""

import importlib.util
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.translator.console import make_console
from companion.translator.devices import describe_device
from companion.translator.runs import JsonLog, Reporter
from companion.translator.training import Report, Trainer
from companion.translator.trainings import Training

# Of the loss and the speed that are shown: a share of the newest value, the rest from before.
_NEW = 0.1


class _Smooth:
    """Loss and speed as they are shown: without the jitter of single batches."""

    def __init__(self) -> None:
        self.loss = self.speed = float("nan")
        self.dev = "–"

    def add(self, report: Report) -> None:
        speed = report.tokens / max(report.seconds, 1e-9)
        first = self.loss != self.loss
        self.loss = report.loss if first else (1 - _NEW) * self.loss + _NEW * report.loss
        self.speed = speed if first else (1 - _NEW) * self.speed + _NEW * speed
        if report.dev_loss is not None:
            self.dev = f"{report.dev_loss:.3f}"


class ProgressBar:
    """A live bar: updates done, loss, held-out loss, tokens a second, time left. For a terminal."""

    def __init__(self, console: Console) -> None:
        self._smooth = _Smooth()
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("loss {task.fields[loss]} · held out {task.fields[dev]}"),
            TextColumn("{task.fields[speed]} tokens/s"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
        )

    def start(self, step: int, steps: int) -> None:
        """Draw the bar."""
        self._task = self._progress.add_task(
            "training", total=steps, completed=step, loss="–", dev="–", speed="–"
        )
        self._progress.start()

    def report(self, report: Report) -> None:
        """Move the bar on."""
        self._smooth.add(report)
        self._progress.update(
            self._task,
            completed=report.step,
            loss=f"{self._smooth.loss:.3f}",
            dev=self._smooth.dev,
            speed=f"{self._smooth.speed:,.0f}",
        )

    def close(self) -> None:
        """Leave the bar as it stands."""
        self._progress.stop()


class PlainLines:
    """The same facts, a line every few seconds: for files, pipes, notebooks and CI."""

    def __init__(self, console: Console, *, every_seconds: float = 5.0) -> None:
        self._console = console
        self._every = every_seconds
        self._smooth = _Smooth()

    def start(self, step: int, steps: int) -> None:
        """Say where the training starts."""
        self._first, self._steps = step, steps
        self._began = self._said = time.monotonic()
        self._say(f"training: update {step} of {steps}")

    def report(self, report: Report) -> None:
        """Say something when it is time, and at the end."""
        self._smooth.add(report)
        now = time.monotonic()
        if now - self._said < self._every and report.step < self._steps:
            return
        self._said = now
        left = (now - self._began) / (report.step - self._first) * (self._steps - report.step)
        self._say(
            f"update {report.step}/{self._steps}  loss {self._smooth.loss:.3f}  "
            f"held out {self._smooth.dev}  {self._smooth.speed:,.0f} tokens/s  "
            f"lr {report.learning_rate:.1e}  {_clock(left)} left"
        )

    def close(self) -> None:
        """Nothing is held open."""

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)


class TensorBoardLog:
    """Curves for TensorBoard in the run's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None

    def start(self, step: int, steps: int) -> None:  # noqa: ARG002
        """Open the log; curves beyond `step`, of an interrupted run, are dropped."""
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(self._folder / "tensorboard", purge_step=step + 1)

    def report(self, report: Report) -> None:
        """One point on every curve."""
        values = {
            "loss": report.loss,
            "learning_rate": report.learning_rate,
            "gradient_norm": report.gradient_norm,
            "tokens_per_second": report.tokens / max(report.seconds, 1e-9),
        }
        if report.dev_loss is not None:
            values["dev_loss"] = report.dev_loss
        for name, value in values.items():
            self._writer.add_scalar(f"training/{name}", value, report.step)

    def close(self) -> None:
        """Write what is buffered."""
        if self._writer is not None:
            self._writer.close()


class CurvesAtTheEnd:
    """Draws `curves.png` when the training ends, for whatever reason."""

    def __init__(self, folder: Path, console: Console) -> None:
        self._folder, self._console = folder, console

    def start(self, step: int, steps: int) -> None:
        """Nothing to draw yet."""

    def report(self, report: Report) -> None:
        """What is drawn is read from the log."""

    def close(self) -> None:
        """Draw; where that fails (a full disk, say) the training counts, not its picture."""
        from companion.translator.curves import NothingToDrawError, draw_curves

        try:
            draw_curves(self._folder)
        except NothingToDrawError:
            pass
        except OSError as error:
            self._console.print(f"The curves could not be drawn: {error}", soft_wrap=True)


def reporters(folder: Path, console: Console) -> list[Reporter]:
    """Everybody who should hear of a run's updates on this machine."""
    # Closed in reverse order: the bar first, so that what follows is printed below it, and the
    # curves when their log is whole.
    found: list[Reporter] = [CurvesAtTheEnd(folder, console), JsonLog(folder)]
    if importlib.util.find_spec("tensorboard") is not None:
        found.append(TensorBoardLog(folder))
    return [*found, ProgressBar(console) if console.is_terminal else PlainLines(console)]


def run_training(training: Training) -> None:
    """Train to the end with everything that shows it: bar or lines, logs."""
    console = make_console()
    facts, settings = training.facts, training.trainer.settings
    console.print(
        f"{facts['sentences']:,} sentence pairs, {facts['parameters']:,} parameters, "
        f"{settings.steps:,} updates on {describe_device(training.trainer.device)}"
    )
    training.go(reporters(training.run.folder, console))
    console.print(ending(training.trainer))


def ending(trainer: Trainer) -> str:
    """How a finished training ended, in a sentence or two."""
    best, patience = trainer.best, trainer.settings.patience
    if best.step == 0:
        return f"{trainer.step:,} updates made; the corpus has no held-out sentences."
    early = ""
    if trainer.step < trainer.settings.steps:
        early = f"Stopped early: {patience} looks without a better held-out loss. "
    model = f"update {best.step:,}" if patience else f"the last update, {trainer.step:,}"
    return (
        f"{early}The held-out loss was lowest after update {best.step:,}: {best.loss:.3f} nats a "
        f"token. The model is that of {model}."
    )


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
