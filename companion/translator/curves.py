"""A training in four pictures: losses, learning rate, length of the gradient, speed.

Drawn from `log.jsonl` at the end of a training, however it ended, and by `companion curves`.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from companion._files import write_bytes
from companion.translator.errors import UserError
from companion.translator.runs import LOG, read_log

CURVES = "curves.png"
# Of Okabe and Ito's palette: told apart with every kind of colour vision, and by their lightness.
_BLUE, _ORANGE = "#0072B2", "#D55E00"

Entry = dict[str, Any]


class NothingToDrawError(UserError, ValueError):
    """The folder has no log of a training, or one without updates."""


def draw_curves(folder: str | Path, path: Path | None = None) -> Path:
    """Draw the log of the run in `folder` into `path`, by default its `curves.png`.

    The file is replaced whole. Raises NothingToDrawError and OSError.
    """
    folder = Path(folder)
    entries = read_log(folder / LOG)
    if not entries:
        raise NothingToDrawError(f"there are no updates to draw in {folder / LOG}")
    figure = _figure(entries)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=150)
    path = folder / CURVES if path is None else path
    write_bytes(path, content.getvalue())
    return path


def _figure(entries: Sequence[Entry]) -> Figure:
    figure = Figure(figsize=(11, 7), layout="constrained")
    FigureCanvasAgg(figure)
    panels: Sequence[tuple[str, Callable[[Axes, Sequence[Entry]], None]]] = (
        ("loss (nats a target token)", _losses),
        ("learning rate", _learning_rate),
        ("gradient norm before clipping", _gradient_norm),
        ("tokens a second", _speed),
    )
    grid = figure.subplots(2, 2, sharex=True)
    for axes, (label, draw) in zip(grid.flat, panels, strict=True):
        draw(axes, entries)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[1]:
        axes.set_xlabel("updates")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    figure.align_ylabels()
    return figure


def _losses(axes: Axes, entries: Sequence[Entry]) -> None:
    _noisy(axes, entries, [entry["loss"] for entry in entries], "training (smoothed labels)")
    looks = [entry for entry in entries if "dev_loss" in entry]
    if looks:
        steps, losses = _steps(looks), [entry["dev_loss"] for entry in looks]
        axes.plot(steps, losses, "o-", color=_ORANGE, markersize=3, label="held out")
        best = int(np.nanargmin(losses)) if np.isfinite(losses).any() else 0
        axes.plot(
            *(steps[best], losses[best]),
            *("o",),
            markersize=11,
            markerfacecolor="none",
            markeredgecolor=_ORANGE,
            label=f"lowest: {losses[best]:.3f} at update {steps[best]:,}",
        )
    axes.legend(frameon=False)


def _learning_rate(axes: Axes, entries: Sequence[Entry]) -> None:
    axes.plot(_steps(entries), [entry["learning_rate"] for entry in entries], color=_BLUE)
    axes.set_ylim(bottom=0)


def _gradient_norm(axes: Axes, entries: Sequence[Entry]) -> None:
    _noisy(axes, entries, [entry["gradient_norm"] for entry in entries], "")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _speed(axes: Axes, entries: Sequence[Entry]) -> None:
    speeds = [entry["tokens"] / max(entry["seconds"], 1e-9) for entry in entries]
    _noisy(axes, entries, speeds, "")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _noisy(axes: Axes, entries: Sequence[Entry], values: Sequence[float], label: str) -> None:
    """Every value faintly, and over it the mean of the hundredth of the training around it."""
    steps, every = _steps(entries), np.asarray(values, dtype=float)
    axes.plot(steps, every, color=_BLUE, alpha=0.25, linewidth=0.7)
    axes.plot(steps, _around(every, len(every) // 200), color=_BLUE, linewidth=1.6, label=label)


def _around(values: np.ndarray, reach: int) -> np.ndarray:
    """At each place the mean of what lies within `reach` of it; fewer values at the ends."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    first, last = np.maximum(places - reach, 0), np.minimum(places + reach + 1, len(values))
    return (sums[last] - sums[first]) / (last - first)


def _steps(entries: Sequence[Entry]) -> list[int]:
    return [entry["step"] for entry in entries]
