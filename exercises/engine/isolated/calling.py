"""Call one function of the learner on one case and report arrays, gradients and errors.

The child process runs learners' code through this module, and the parent runs the authors' mutants
through it, so that both are observed in exactly the same way.
"""

import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch

from exercises.engine.isolated.wire import Generator, Opaque, Remarks, Tensor

NOT_THE_LEARNERS = ("isolated", "site-packages", "driver.py")  # files of which a line says nothing
LARGEST_TENSOR = 2_000_000  # elements that are sent back
Driver = Callable[[Mapping[str, Any], dict[str, Any], dict[str, Any]], Any]


def run_case(
    namespace: Mapping[str, Any], case: dict[str, Any], drivers: dict[str, Driver]
) -> dict:
    """Run ``case`` (see ``Case.to_wire``) and return what an ``Outcome`` is built from.

    Everything that the code under test may raise is caught, ``SystemExit`` included.
    """
    outcome: dict[str, Any] = {"value": None, "gradients": {}, "changed": [], "error": None}
    torch.default_generator.manual_seed(case["seed"])  # torch.manual_seed formats a stack each time
    arguments = {k: _to_torch(v, case["dtype"]) for k, v in case["arguments"].items()}
    before = {k: [leaf.clone() for _, leaf in tensors(v)] for k, v in arguments.items()}
    leaves = _differentiable(arguments, case["differentiate"])
    try:
        value = drivers[case["via"]](namespace, case, arguments)
        outcome["changed"] = _changed(arguments, before)
        outcome["value"] = from_torch(value)
        if leaves:
            outcome["gradients"] = _gradients(value, leaves, case["cotangent"])
    except BaseException as error:
        outcome["error"] = describe_error(error)
    return outcome


def call(namespace: Mapping[str, Any], case: dict[str, Any], arguments: dict[str, Any]) -> Any:
    """The ordinary driver: call the function, or build the class and call what comes out.

    With ``state`` in the case, the object's parameters are replaced by those tensors for the call.
    """
    target = namespace[case["function"]]
    if case["construct"] is None:
        return _apply(target, arguments) if callable(target) else written_down(target)
    module = target(**case["construct"])
    rest = {k: v for k, v in arguments.items() if k != "state"}
    if "state" not in arguments:
        return _apply(module, rest)
    positional, named = _bind(module.forward, rest)
    return torch.func.functional_call(module, arguments["state"], positional, named, strict=True)


def written_down(value: Any) -> Any:
    """Numbers that stand in the file, as one float64 tensor; what is none stays as it is.

    Raises:
        NotImplementedError: if a place is still empty (None or ``...``).
    """
    if any(item is None or item is ... for item in _items(value)):
        raise NotImplementedError
    try:
        return torch.tensor(value, dtype=torch.float64)
    except (TypeError, ValueError):
        return value


def _items(value: Any) -> Iterator[Any]:
    """Whatever stands in nested lists."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _items(item)
    else:
        yield value


def _apply(function: Callable, arguments: dict[str, Any]) -> Any:
    positional, named = _bind(function, arguments)
    return function(*positional, **named)


def _bind(function: Callable, arguments: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """By name where the learner kept the names, by position otherwise (``q, k, v`` is fine)."""
    parameters = inspect.signature(function).parameters
    if all(
        name in parameters and parameters[name].kind is not inspect.Parameter.POSITIONAL_ONLY
        for name in arguments
    ):
        return (), arguments
    return tuple(arguments.values()), {}


def describe_error(error: BaseException) -> dict[str, Any]:
    """Type, message and where in the learner's file, as plain values."""
    line, text = None, ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not any(part in frame.filename for part in NOT_THE_LEARNERS):
            line, text = frame.lineno, frame.line or ""
    if isinstance(error, SyntaxError):
        line, text = error.lineno, (error.text or "").strip()
    try:
        message = str(error)[:1000]
    except Exception:  # a learner's exception class may be broken as well
        message = ""
    names = [cls.__name__ for cls in type(error).__mro__]
    return {"type": names[0], "bases": names, "message": message, "line": line, "text": text}


def from_torch(value: Any) -> Any:
    """Replace tensors by arrays; whatever cannot travel becomes :class:`Opaque`."""
    if isinstance(value, torch.Tensor):
        return _from_tensor(value)
    if isinstance(value, np.ndarray):
        return (
            value if value.dtype != object and value.size <= LARGEST_TENSOR else Opaque("ndarray")
        )
    if isinstance(value, dict):
        return {k: from_torch(v) for k, v in value.items() if isinstance(k, str | int)}
    if isinstance(value, list | tuple):
        return (
            type(value)(map(from_torch, value))
            if type(value) in (list, tuple)
            else tuple(map(from_torch, value))
        )
    if value is None or isinstance(value, bool | int | float | str | Remarks):
        return value
    return Opaque(type(value).__name__)


def _from_tensor(tensor: torch.Tensor) -> Tensor | Opaque:
    if tensor.numel() > LARGEST_TENSOR or tensor.layout != torch.strided or tensor.is_meta:
        return Opaque(f"{type(tensor).__name__} of shape {tuple(tensor.shape)} on {tensor.device}")
    dtype = str(tensor.dtype).removeprefix("torch.")
    plain = tensor.detach().cpu()
    return Tensor((plain.float() if plain.dtype == torch.bfloat16 else plain).numpy().copy(), dtype)


def _to_torch(value: Any, dtype: str) -> Any:
    """Floating arrays take the case's dtype; the rest keeps its own."""
    if isinstance(value, np.ndarray):
        tensor = torch.from_numpy(value.copy())
        return tensor.to(getattr(torch, dtype)) if tensor.is_floating_point() else tensor
    if isinstance(value, Generator):
        return torch.Generator().manual_seed(value.seed)
    if isinstance(value, dict):
        return {k: _to_torch(v, dtype) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_to_torch(item, dtype) for item in value)
    return value


def tensors(value: Any, path: str = "") -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor in a nested value with the path that leads to it."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tensors(item, f"{path}.{key}".strip("."))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from tensors(item, f"{path}.{index}".strip("."))


def _differentiable(arguments: dict[str, Any], names: list[str]) -> dict[str, torch.Tensor]:
    chosen = {name: arguments[name] for name in names}
    leaves = {path: leaf for path, leaf in tensors(chosen) if leaf.is_floating_point()}
    for leaf in leaves.values():
        leaf.requires_grad_()
    return leaves


def _changed(arguments: dict[str, Any], before: dict[str, list[torch.Tensor]]) -> list[str]:
    return [
        name
        for name, copies in before.items()
        if any(
            leaf.shape != copy.shape
            or not torch.equal(leaf.detach().nan_to_num(), copy.nan_to_num())
            for (_, leaf), copy in zip(tensors(arguments[name]), copies, strict=True)
        )
    ]


def _gradients(value: Any, leaves: dict[str, torch.Tensor], cotangent: np.ndarray | None) -> dict:
    """Gradients of ``sum(output * cotangent)``; None where the output is independent of a leaf."""
    output = next((tensor for _, tensor in tensors(value)), None)
    if output is None or not output.requires_grad:
        return dict.fromkeys(leaves)
    weight = torch.ones_like(output)
    if cotangent is not None and cotangent.shape == tuple(output.shape):
        weight = torch.from_numpy(cotangent).to(output.dtype)
    found = torch.autograd.grad(output, list(leaves.values()), weight, allow_unused=True)
    return {
        name: None if gradient is None else _from_tensor(gradient)
        for name, gradient in zip(leaves, found, strict=True)
    }
