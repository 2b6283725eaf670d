"""Two real processes train as one does; what ends one ends both, with one message."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from companion.translator import distributed
from companion.translator.batching import Batch, Example, collate
from companion.translator.checkpoint import load_checkpoint, load_tensors
from companion.translator.devices import UnusableDeviceError
from companion.translator.distributed import LostProcessError, launched, loss_of_others, share_of
from companion.translator.runs import LOG, STATE, Run, read_log

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not torch.distributed.is_available(), reason="needs gloo"
)
PROGRAM = Path(__file__).parent / "processes.py"
VARIANTS = ["small batches", "one large batch", "accumulated", "single precision"]
PEERS = ["nn.Transformer", "recurrent"]


def torchrun(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2"),
            *("--rdzv-backend=c10d", "--rdzv-endpoint=localhost:0", PROGRAM),
            *map(str, arguments),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where two processes have trained; see `processes.py`."""
    folder = tmp_path_factory.mktemp("together")
    process = torchrun("together", folder)
    _, errors = process.communicate(timeout=280)
    assert process.returncode == 0, errors
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS + PEERS)
def test_two_processes_make_the_updates_of_one(found: dict[str, Any], name: str) -> None:
    """Weights, average, loss, gradient, tokens and held-out loss after each of twenty updates."""
    assert len(found[name]) == 20
    # In double precision the weights agree to 1e-12; the loss that is reported is a float32.
    assert max(found[name]) < (1e-5 if name == "single precision" else 1e-6)


@pytest.mark.slow
def test_stopped_in_one_process_and_resumed_equals_uninterrupted(
    folder: Path, found: dict[str, Any]
) -> None:
    assert found["runs"] == {"said": "stopped after update 4 of 8", "stopped at": 4}
    expected = load_tensors(folder / "whole" / STATE)[0]
    for name, tensor in load_tensors(folder / "broken" / STATE)[0].items():
        assert torch.equal(tensor, expected[name]), name
    assert found["same seed again"]


@pytest.mark.slow
def test_two_processes_go_on_where_one_stopped(folder: Path, found: dict[str, Any]) -> None:  # noqa: ARG001
    expected = load_tensors(folder / "alone" / STATE)[0]
    for name, tensor in load_tensors(folder / "begun alone" / STATE)[0].items():
        if not name.startswith("optimizer.") and "k_proj.bias" not in name:
            torch.testing.assert_close(tensor, expected[name], rtol=0, atol=1e-5)


@pytest.mark.slow
def test_only_the_first_process_writes(folder: Path, found: dict[str, Any]) -> None:  # noqa: ARG001
    # In the second, every write fails; see `processes.py`.
    assert [entry["step"] for entry in read_log(folder / "whole" / LOG)] == list(range(1, 9))


@pytest.mark.slow
def test_processes_on_different_data_are_refused(found: dict[str, Any]) -> None:
    assert "differ in corpus, vocabulary, settings" in found["different"]


def messages(errors: str) -> list[str]:
    """What our processes say, without torchrun's own report."""
    return [line for line in errors.splitlines() if line.startswith("Error: ")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accident", "said"),
    [
        ("nan", r"Error: the loss is nan with a gradient of length nan at update 13"),
        ("kill", r"Error: another process of this training has ended"),
    ],
)
def test_an_accident_in_one_process_ends_both(tmp_path: Path, accident: str, said: str) -> None:
    process = torchrun("command", accident, "--out", tmp_path, "--device", "cpu")
    _, errors = process.communicate(timeout=200)
    assert process.returncode != 0
    assert len(messages(errors)) == 1, errors
    assert messages(errors)[0].startswith(said)
    assert "(update 10) is intact" in errors or accident == "kill"
    assert Run(tmp_path).facts()["step"] == 10
    assert load_checkpoint(tmp_path).facts["step"] == 10


@pytest.mark.slow
def test_ctrl_c_leaves_one_checkpoint_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = torchrun("command", "none", "--out", tmp_path, "--device", "cpu")
    deadline = time.monotonic() + 120
    while len(read_log(tmp_path / LOG)) < 7 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    step = Run(tmp_path).facts()["step"]
    assert errors.count(f"Stopped after update {step} of 400.") == 1, errors
    assert "torchrun --nproc-per-node=2 -m companion.translator.train --resume --out" in errors
    assert [entry["step"] for entry in read_log(tmp_path / LOG)] == list(range(1, step + 1))
    assert not list(tmp_path.glob(".*.tmp"))


LONG, SHORT = Example((5,) * 6, (6,) * 4), Example((7,) * 2, (8,))


def rows(batch: Batch) -> list[tuple[list[int], list[int], list[int]]]:
    """Rows without padding."""
    return [
        tuple([token for token in row.tolist() if token != 0] for row in pair)
        for pair in zip(*batch, strict=True)
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_shares_are_the_batch(size: int) -> None:
    batch = collate([LONG, SHORT, LONG, SHORT, SHORT])
    shares = [share_of(batch, rank, size) for rank in range(size)]
    asked = [row for share in shares for row in rows(share) if row[2]]
    assert sorted(asked) == sorted(rows(batch))
    assert all(len(share.source) >= 1 for share in shares)


def test_a_share_has_no_columns_of_padding() -> None:
    share = share_of(collate([LONG, SHORT]), 1, 2)
    assert share.source.shape == (1, 2)
    assert share.decoder_input.shape == share.labels.shape == (1, 2)
    nothing = share_of(collate([LONG]), 1, 2)
    assert nothing.source.shape == (1, 6)
    assert (nothing.labels == 0).all()


def test_without_torchrun_there_is_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR"):
        monkeypatch.delenv(name, raising=False)
    assert not launched()
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR"):
        monkeypatch.setenv(name, "1")
    assert launched()


def test_one_process_needs_nothing_of_this() -> None:
    code = (
        "import sys, companion.translator.progress, companion.translator.demo; "
        "print('companion.translator.distributed' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A machine with two GPUs, and which of them was taken."""
    taken: list[int] = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    monkeypatch.setattr(distributed, "choose_device", lambda _: torch.device("cuda"))
    return taken


def test_every_process_takes_its_own_gpu(gpus: list[int]) -> None:
    assert distributed._own_device("auto", 1) == torch.device("cuda", 1)
    assert gpus == [1]
    assert distributed._own_device("cpu", 1) == torch.device("cpu")
    with pytest.raises(UnusableDeviceError, match=r"2 GPU.*number 2 .*--nproc-per-node=2"):
        distributed._own_device("cuda", 2)


def test_what_works_for_one_process_only_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnusableDeviceError, match="'mps' works for one process only"):
        distributed._own_device("mps", 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    assert distributed._own_device("auto", 3) == torch.device("cpu")
    with pytest.raises(UnusableDeviceError, match="'cuda' is not usable"):
        distributed._own_device("cuda", 0)


def test_a_mistake_is_not_taken_for_a_lost_process() -> None:
    with pytest.raises(LostProcessError), loss_of_others():
        raise RuntimeError("Connection closed by peer [127.0.0.1]:1234")
    with pytest.raises(RuntimeError, match="mat1 and mat2"), loss_of_others():
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")
