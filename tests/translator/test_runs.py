"""A run can be stopped by anything and goes on; what goes wrong is said in one line."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from companion.transformer import Transformer
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import load_checkpoint, load_tensors, unique_weights
from companion.translator.runs import (
    LOG,
    STATE,
    JsonLog,
    Reporter,
    Run,
    Stopped,
    TrainingError,
    read_log,
    train,
)
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import DivergedError, Report, Trainer

MakeTrainer = Callable[..., Trainer]


@pytest.fixture
def make_trainer(
    make_model: Callable[..., Transformer], tokenizer: Tokenizer, pairs: list[tuple[str, str]]
) -> MakeTrainer:
    def make(**values: Any) -> Trainer:
        settings = TrainingSettings(
            **{"steps": 8, "max_tokens": 40, "checkpoint_every": 3, "average": 0.9, **values}
        )
        batches = BatchStream(encode_pairs(tokenizer, pairs), max_tokens=40)
        return Trainer(make_model(0), batches, settings)

    return make


def final_weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_tensors(folder / STATE)[0]


def test_a_finished_run_is_a_usable_checkpoint(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    run, trainer = Run(tmp_path / "run"), make_trainer()
    train(trainer, run, tokenizer, {"recipe": "tiny"}, [JsonLog(run.folder)])
    loaded = load_checkpoint(run.folder)
    for name, weight in unique_weights(loaded.model).items():
        assert torch.equal(weight, trainer.weights()[name])
    assert loaded.facts["recipe"] == "tiny"
    assert loaded.facts["step"] == 8
    log = read_log(run.folder / LOG)
    assert [entry["step"] for entry in log] == list(range(1, 9))
    assert {"loss", "learning_rate", "gradient_norm", "tokens", "seconds"} <= log[0].keys()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("stop", [1, 3, 7])
def test_stopped_and_resumed_equals_uninterrupted(
    make_trainer: MakeTrainer,
    tokenizer: Tokenizer,
    tmp_path: Path,
    stop_after: Callable[..., Reporter],
    stop: int,
    number: int,
) -> None:
    whole, broken = Run(tmp_path / "whole"), Run(tmp_path / "broken")
    train(make_trainer(), whole, tokenizer, {}, [])
    before = signal.getsignal(number)
    with pytest.raises(Stopped, match=f"after update {stop} of 8"):
        train(make_trainer(), broken, tokenizer, {}, [stop_after(stop, number)])
    assert signal.getsignal(number) is before
    assert broken.facts()["step"] == stop
    trainer = make_trainer()
    broken.restore(trainer)
    train(trainer, broken, tokenizer, {}, [])
    expected = final_weights(whole.folder)
    for name, tensor in final_weights(broken.folder).items():
        assert torch.equal(tensor, expected[name]), name


def test_stopping_on_the_last_update_is_finishing(
    make_trainer: MakeTrainer,
    tokenizer: Tokenizer,
    tmp_path: Path,
    stop_after: Callable[..., Reporter],
) -> None:
    run = Run(tmp_path)
    train(make_trainer(), run, tokenizer, {}, [stop_after(8)])
    assert run.facts()["step"] == 8


def test_a_second_ctrl_c_interrupts_at_once(
    make_trainer: MakeTrainer,
    tokenizer: Tokenizer,
    tmp_path: Path,
    stop_after: Callable[..., Reporter],
) -> None:
    # A test run that was started in the background ignores Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            train(make_trainer(), Run(tmp_path), tokenizer, {}, [stop_after(2), stop_after(2)])
    finally:
        signal.signal(signal.SIGINT, before)


# Trains twelve updates in argv[1]; each, and every file, takes at least argv[2] seconds.
PROGRAM = """
import os, sys, time, torch
sys.path.insert(0, {tests!r})
from conftest import PAIRS
from companion.config import tiny_translator
from companion.transformer import Transformer
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.held_out import HeldOut
from companion.translator.runs import JsonLog, Run, train
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer

class Slow(JsonLog):
    def report(self, report):
        super().report(report)
        time.sleep(float(sys.argv[2]))

os.fsync = lambda _: time.sleep(float(sys.argv[2]))
tokenizer = Tokenizer.train([text for pair in PAIRS for text in pair], vocab_size=300)
torch.manual_seed(0)
model = Transformer(tiny_translator(tokenizer.vocab_size, d_model=16))
settings = TrainingSettings(steps=12, max_tokens=40, checkpoint_every=2, patience=9, average=0.9)
examples = encode_pairs(tokenizer, PAIRS)
batches, held_out = BatchStream(examples, max_tokens=40), HeldOut(examples, max_tokens=40)
trainer = Trainer(model, batches, settings, held_out=held_out)
run = Run(sys.argv[1])
if run.has_state:
    run.restore(trainer)
train(trainer, run, tokenizer, {{}}, [Slow(run.folder)])
"""


def program(folder: Path, seconds: float = 0.0, edit: tuple[str, str] = ("", "")) -> list[str]:
    source = PROGRAM.format(tests=str(Path(__file__).parent)).replace(*edit)
    return [sys.executable, "-c", source, str(folder), str(seconds)]


def kill_when(process: "subprocess.Popen[bytes]", now: Callable[[], bool]) -> None:
    """SIGKILL at a moment; no process may have ended before."""
    deadline = time.monotonic() + 120
    while process.poll() is None and not now() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    assert process.wait() == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_killed_at_any_moment_and_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    """Twice at random, and while the training state and the usable model are being written."""
    killed, whole = tmp_path / "killed", tmp_path / "whole"

    def anywhere() -> Callable[[], bool]:
        seen, waited = len(read_log(killed / LOG)), random.uniform(0.0, 0.4)

        def now() -> bool:
            going = len(read_log(killed / LOG)) != seen
            if going:
                time.sleep(waited)
            return going

        return now

    def writing(name: str) -> Callable[[], bool]:
        before = set(killed.glob(f".{name}.*.tmp"))
        return lambda: bool(set(killed.glob(f".{name}.*.tmp")) - before)

    for moment in (
        anywhere,
        lambda: writing(STATE),
        lambda: writing("model.safetensors"),
        anywhere,
    ):
        kill_when(subprocess.Popen(program(killed, seconds=0.1)), moment())
        assert Run(killed).facts()["step"] < 12
        load_checkpoint(killed)
    for folder in (killed, whole):
        subprocess.run(program(folder), check=True)
        assert not list(folder.glob(".*.tmp"))
    for name in (STATE, "model.safetensors"):
        expected = load_tensors(whole / name)[0]
        found = load_tensors(killed / name)[0]
        assert found.keys() == expected.keys()
        assert all(torch.equal(tensor, expected[key]) for key, tensor in found.items())
    assert any(key.startswith("best.") for key in load_tensors(whole / STATE)[0])
    logs = [[entry["loss"] for entry in read_log(folder / LOG)] for folder in (killed, whole)]
    assert logs[0] == logs[1]


def test_nan_keeps_the_last_checkpoint(
    make_trainer: MakeTrainer,
    tokenizer: Tokenizer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, trainer = Run(tmp_path), make_trainer()
    update = trainer.update

    def diverge() -> Report:
        if trainer.step == 4:
            raise DivergedError("the loss is nan at update 5")
        return update()

    monkeypatch.setattr(trainer, "update", diverge)
    with pytest.raises(TrainingError, match=r"loss is nan.*\(update 3\) is intact.*lower learning"):
        train(trainer, run, tokenizer, {}, [])
    assert load_checkpoint(tmp_path).facts["step"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="resource limits are POSIX")
def test_a_disk_that_takes_no_more_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    """A real refusal by the system: files may not grow beyond a few bytes."""
    subprocess.run(program(tmp_path), check=True)
    good = (tmp_path / STATE).read_bytes()
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
    edit = ("if run.has_state:\n    run.restore(trainer)\n", limit)
    failed = subprocess.run(
        program(tmp_path, edit=edit), capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    last_line = failed.stderr.strip().splitlines()[-1]
    assert "TrainingError: cannot write to" in last_line
    assert "(update 12) is intact" in last_line
    assert "Make room there, then resume" in last_line
    assert load_checkpoint(tmp_path).facts["step"] == 12
    assert (tmp_path / STATE).read_bytes() == good
    assert not list(tmp_path.glob("*.tmp"))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(TrainingError, match=r"cannot write to the folder .*run: .*--out"):
        Run(tmp_path / "file" / "run").create()


def test_the_log_forgets_updates_that_were_lost(tmp_path: Path) -> None:
    log = JsonLog(tmp_path)
    log.start(0, 9)
    for step in range(1, 6):
        log.report(Report(step, 1.0, 0.1, 2.0, 30, 0.5))
    with log.path.open("a", encoding="utf-8") as file:
        file.write('{"step": 6, "lo')  # a kill in the middle of a line
    log.start(3, 9)
    log.report(Report(4, 0.5, 0.1, 2.0, 30, 0.5))
    entries = [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]
    assert [entry["step"] for entry in entries] == [1, 2, 3, 4]
    assert entries[-1]["loss"] == 0.5
