"""The curves of a run show what its log says, however the run ended."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.image import imread
from rich.console import Console

from companion.translator import command_training, curves
from companion.translator.curves import CURVES, NothingToDrawError, draw_curves
from companion.translator.progress import CurvesAtTheEnd, reporters
from companion.translator.runs import LOG, JsonLog
from companion.translator.training import Report


def write_log(folder: Path, steps: int = 400) -> None:
    log = JsonLog(folder)
    log.start(0, steps)
    for step in range(1, steps + 1):
        dev = 2.0 + (step - 200) ** 2 / 1e4 if step % 100 == 0 else None
        log.report(Report(step, 9.0 - step / 100, step * 1e-5, 0.5 + step, 300, 0.1, dev))


def lines(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in axes.get_lines()}


def test_the_figure_holds_the_log(tmp_path: Path) -> None:
    write_log(tmp_path)
    entries = [json.loads(line) for line in (tmp_path / LOG).read_text("utf-8").splitlines()]
    loss, rate, norm, speed = curves._figure(entries).axes
    held_out = lines(loss)["held out"]
    assert list(held_out.get_xdata()) == [100, 200, 300, 400]
    assert list(held_out.get_ydata()) == [3.0, 2.0, 3.0, 6.0]
    assert lines(loss)["lowest: 2.000 at update 200"].get_xdata() == [200]
    # A straight line is its own running mean, away from the ends.
    smooth = lines(loss)["training (smoothed labels)"].get_ydata()
    np.testing.assert_allclose(smooth[2:-2], 9.0 - np.arange(3, 399) / 100)
    assert list(rate.get_lines()[0].get_ydata()) == [entry["learning_rate"] for entry in entries]
    assert norm.get_yscale() == "log"
    assert list(norm.get_lines()[0].get_ydata()) == [0.5 + step for step in range(1, 401)]
    np.testing.assert_allclose(speed.get_lines()[0].get_ydata(), 3000.0)
    assert [axes.get_ylabel() for axes in (loss, rate, norm, speed)] == [
        "loss (nats a target token)",
        "learning rate",
        "gradient norm before clipping",
        "tokens a second",
    ]
    assert norm.get_xlabel() == speed.get_xlabel() == "updates"


def test_a_mean_is_taken_over_what_is_there() -> None:
    np.testing.assert_allclose(curves._around(np.array([1.0, 2.0, 6.0]), 1), [1.5, 3.0, 4.0])


def test_the_picture_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_log(tmp_path, 3)
    assert draw_curves(tmp_path) == tmp_path / CURVES
    height, width = imread(tmp_path / CURVES).shape[:2]
    assert width > height > 600
    before = (tmp_path / CURVES).read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    text = io.StringIO()
    CurvesAtTheEnd(tmp_path, Console(file=text)).close()
    assert "The curves could not be drawn" in text.getvalue()
    assert (tmp_path / CURVES).read_bytes() == before


def test_one_update_and_losses_that_are_no_numbers_can_be_drawn(tmp_path: Path) -> None:
    log = JsonLog(tmp_path)
    log.report(Report(1, 9.0, 1e-3, 1.0, 300, 0.1, float("nan")))
    draw_curves(tmp_path, tmp_path / "other.png")
    assert (tmp_path / "other.png").exists()
    assert not (tmp_path / CURVES).exists()


def test_without_updates_there_is_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(NothingToDrawError, match=r"no updates to draw in .*log\.jsonl"):
        draw_curves(tmp_path)
    CurvesAtTheEnd(tmp_path, Console(file=io.StringIO())).close()
    assert not (tmp_path / CURVES).exists()


def test_every_training_ends_with_its_curves(tmp_path: Path) -> None:
    everybody = reporters(tmp_path, Console(file=io.StringIO()))
    for reporter in everybody:
        reporter.start(0, 2)
    for reporter in everybody:
        reporter.report(Report(1, 9.0, 1e-3, 1.0, 300, 0.1))
    for reporter in reversed(everybody):  # as an ExitStack closes them
        reporter.close()
    assert (tmp_path / CURVES).exists()


def test_the_command_draws(tmp_path: Path) -> None:
    write_log(tmp_path, 3)
    done = CliRunner().invoke(command_training.curves, [str(tmp_path)])
    assert f"curves are in {tmp_path / CURVES}" in done.stdout
    assert (tmp_path / CURVES).exists()
    (tmp_path / "empty").mkdir()
    refused = CliRunner().invoke(command_training.curves, [str(tmp_path / "empty")])
    assert refused.exit_code == 2
    assert "no updates to draw" in refused.stderr
