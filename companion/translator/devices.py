"""Where to compute: the best device that is there, or the one that was asked for."""

import torch

from companion.translator.errors import UserError

CHOICES = ("auto", "cpu", "cuda", "mps")


class UnusableDeviceError(UserError, ValueError):
    """The device asked for is unknown, or does not work on this machine."""


def choose_device(name: str = "auto") -> torch.device:
    """The device called `name`; `auto` takes CUDA, then Apple's MPS, then the CPU.

    A device counts as there only when a small computation on it works: drivers that do not fit
    report themselves as available and fail later. Raises UnusableDeviceError; `auto` falls back.
    """
    if name not in CHOICES:
        raise UnusableDeviceError(f"unknown device {name!r}: choose one of {', '.join(CHOICES)}")
    if name == "auto":
        return next(torch.device(kind) for kind in ("cuda", "mps", "cpu") if _works(kind))
    if not _works(name):
        raise UnusableDeviceError(
            f"device {name!r} is not usable on this machine: try --device auto"
        )
    return torch.device(name)


def describe_device(device: torch.device) -> str:
    """The device in words, such as `cuda (NVIDIA H200)` or `cpu (2 threads)`."""
    if device.type == "cuda":
        return f"cuda ({torch.cuda.get_device_name(device)})"
    if device.type == "cpu":
        return f"cpu ({torch.get_num_threads()} threads)"
    return device.type


def _works(kind: str) -> bool:
    if kind == "cpu":
        return True
    available = torch.cuda.is_available() if kind == "cuda" else torch.backends.mps.is_available()
    if not available:
        return False
    try:
        ones = torch.ones(2, 2, device=kind)
        return float((ones @ ones).sum()) == 8.0
    except (RuntimeError, AssertionError):
        return False
