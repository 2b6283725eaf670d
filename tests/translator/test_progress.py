"""Progress is seen on a terminal and off it, and TensorBoard gets its curves."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from companion.translator.progress import (
    CurvesAtTheEnd,
    PlainLines,
    ProgressBar,
    TensorBoardLog,
    reporters,
)
from companion.translator.runs import JsonLog
from companion.translator.training import Report


def feed(reporter: object, steps: int = 4) -> None:
    reporter.start(0, steps)
    for step in range(1, steps + 1):
        dev = 7.5 if step == 3 else None
        reporter.report(Report(step, 5.0 - step, 1e-3, 1.0, 1200, 0.5, dev))
    reporter.close()


def test_plain_lines_off_a_terminal() -> None:
    text = io.StringIO()
    feed(PlainLines(Console(file=text), every_seconds=0.0))
    lines = text.getvalue().splitlines()
    assert lines[0] == "training: update 0 of 4"
    assert lines[1].startswith(
        "update 1/4  loss 4.000  held out –  2,400 tokens/s  lr 1.0e-03  0:0"
    )
    assert "held out 7.500" in lines[3]
    assert "held out 7.500" in lines[4]  # until it is looked at again
    assert lines[-1].endswith("0:00 left")
    assert "\x1b" not in text.getvalue()


def test_plain_lines_are_few() -> None:
    text = io.StringIO()
    feed(PlainLines(Console(file=text), every_seconds=60.0), steps=50)
    assert [line.split()[1] for line in text.getvalue().splitlines()] == ["update", "50/50"]


def test_a_bar_on_a_terminal() -> None:
    text = io.StringIO()
    feed(ProgressBar(Console(file=text, force_terminal=True, width=120)))
    shown = text.getvalue()
    assert "4/4" in shown
    assert "tokens/s" in shown
    assert "held out 7.500" in shown
    assert "loss 3.439" in shown  # ((4·0.9 + 3·0.1)·0.9 + 2·0.1)·0.9 + 1·0.1


def test_closing_before_starting_is_harmless(tmp_path: Path) -> None:
    shown = io.StringIO()
    for reporter in (ProgressBar(Console(file=shown)), TensorBoardLog(tmp_path)):
        reporter.close()
    assert shown.getvalue().strip() == ""
    assert not any(tmp_path.iterdir())


def test_who_reports(tmp_path: Path) -> None:
    plain = reporters(tmp_path, Console(file=io.StringIO()))
    bar = reporters(tmp_path, Console(file=io.StringIO(), force_terminal=True))
    # Closed from the last to the first.
    assert [type(reporter) for reporter in plain[:2]] == [CurvesAtTheEnd, JsonLog]
    assert isinstance(plain[-1], PlainLines)
    assert isinstance(bar[-1], ProgressBar)


@pytest.mark.filterwarnings("ignore")  # of TensorBoard's own imports
def test_tensorboard_gets_curves(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    feed(TensorBoardLog(tmp_path))
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [event.step for event in events.Scalars("training/loss")] == [1, 2, 3, 4]
    assert [event.value for event in events.Scalars("training/loss")] == [4.0, 3.0, 2.0, 1.0]
    assert events.Scalars("training/tokens_per_second")[0].value == 2400.0
    assert [(e.step, e.value) for e in events.Scalars("training/dev_loss")] == [(3, 7.5)]
