"""Ask for a device and get it, or hear why not."""

import pytest
import torch

from companion.translator.devices import choose_device, describe_device


def test_the_cpu_is_always_there() -> None:
    assert choose_device("cpu") == torch.device("cpu")
    assert choose_device("auto").type in ("cpu", "cuda", "mps")
    assert describe_device(torch.device("cpu")).startswith("cpu (")


def test_unknown_devices_are_named() -> None:
    with pytest.raises(ValueError, match="unknown device 'tpu': choose one of auto, cpu"):
        choose_device("tpu")


def test_a_device_that_reports_itself_but_fails_is_not_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)

    def broken(*_: int, **__: str) -> None:
        raise RuntimeError("no kernel image is available for execution on the device")

    monkeypatch.setattr(torch, "ones", broken)
    assert choose_device("auto") == torch.device("cpu")
    for name in ("cuda", "mps"):
        with pytest.raises(ValueError, match=f"device '{name}' is not usable"):
            choose_device(name)


def test_without_accelerators_asking_for_one_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device("auto") == torch.device("cpu")
    with pytest.raises(ValueError, match="not usable"):
        choose_device("cuda")
