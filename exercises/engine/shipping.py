"""Bring a function from a notebook to the child process: as source text, with what it refers to.

No pickle and no bytecode: the function's source is taken by ``inspect``, and every global name in
it is followed. Modules become imports, functions and classes of the notebook travel as source
too, plain constants as their ``repr``. What cannot travel so (a lambda, a captured tensor) is
reported by :class:`Unshippable`, and the caller runs the function in its own process, with a
note.
"""

import ast
import inspect
import math
import sys
import sysconfig
import textwrap
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from exercises.engine.isolated.guard import CLOSED_PACKAGES
from exercises.engine.sandbox import Answer

PLAIN = (bool, int, float, complex, str, bytes, type(None))
FILENAME = "your function"


class Unshippable(Exception):
    """Why a function cannot be sent as source."""


def ship(functions: Mapping[str, Callable]) -> Answer:
    """Source text that defines every function under the name that the exercise wants.

    Raises:
        Unshippable: if something it needs cannot be written as source.
    """
    parcel = _Parcel()
    aliases = []
    for wanted, function in functions.items():
        defined = parcel.add(function)
        if defined != wanted:
            aliases.append(f"{wanted} = {defined}")
    return Answer("\n\n".join([*parcel.blocks, *aliases]) + "\n", FILENAME)


class _Parcel:
    """Collects definitions, each once, in an order in which they can be executed."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.known: dict[str, Any] = {}

    def add(self, target: Any) -> str:
        """Add a function or class with everything that it refers to; returns its name."""
        name = getattr(target, "__name__", "")
        if not isinstance(target, types.FunctionType | type) or not name.isidentifier():
            raise Unshippable(
                f"{type(target).__name__} {name or target!r} has no source of its own"
            )
        self._claim(name, target)
        source = _source(target)
        definition = ast.parse(source).body[0]
        if not isinstance(definition, ast.FunctionDef | ast.ClassDef):
            raise Unshippable(f"{name} is not a plain def or class")
        scope = _scope(target)
        for used in sorted(_names(definition)):
            if used in scope and used not in self.known:
                self._bring(used, scope[used])
        self.blocks.append(source)
        return name

    def _bring(self, name: str, value: Any) -> None:
        module = getattr(value, "__module__", None)
        if isinstance(value, types.ModuleType):
            if not _installed(value):
                raise Unshippable(f"the module {value.__name__} is not installed")
            self._line(name, value, f"import {value.__name__} as {name}")
        elif isinstance(value, PLAIN) or _plain_container(value):
            if isinstance(value, float) and not math.isfinite(value):
                self._line(name, value, f"{name} = float('{value}')")
            else:
                self._line(name, value, f"{name} = {value!r}")
        elif isinstance(value, types.FunctionType | type) and _local(value):
            if value.__name__ != name:
                raise Unshippable(f"{name} is another name of {value.__name__}")
            self.add(value)
        elif isinstance(module, str) and isinstance(getattr(value, "__name__", None), str):
            self._line(name, value, f"from {module} import {value.__name__} as {name}")
        elif str(value).startswith("torch."):  # a dtype such as torch.float32, a device's layout
            self._line(name, value, f"import torch\n{name} = {value}")
        else:
            raise Unshippable(f"it uses `{name}`, a {type(value).__name__} of the notebook")

    def _line(self, name: str, value: Any, source: str) -> None:
        self._claim(name, value)
        self.blocks.append(source)

    def _claim(self, name: str, value: Any) -> None:
        if name in self.known and self.known[name] is not value:
            raise Unshippable(f"two different things are called {name}")
        self.known[name] = value


def _source(target: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(target))
    except (OSError, TypeError) as error:
        raise Unshippable(f"its source is not to be had ({error})") from None


def _scope(target: Any) -> Mapping[str, Any]:
    """The global and captured names that the target can see."""
    if isinstance(target, types.FunctionType):
        captured = inspect.getclosurevars(target).nonlocals
        return {**target.__globals__, **captured}
    methods = [m for m in vars(target).values() if isinstance(m, types.FunctionType)]
    return {k: v for method in methods for k, v in _scope(method).items() if k != "__class__"}


def _names(definition: ast.AST) -> set[str]:
    """Every name that is read in it: body, defaults, annotations, decorators, base classes."""
    return {
        node.id
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _local(value: Any) -> bool:
    """Defined in the notebook, or in a file beside it, which the child cannot import?"""
    return "." in value.__qualname__ or not _installed(sys.modules.get(value.__module__))


def _installed(module: types.ModuleType | None) -> bool:
    """Standard library or site-packages. ``companion`` counts: the guard refuses it there."""
    name = getattr(module, "__name__", "__main__")
    if name.split(".")[0] in {*CLOSED_PACKAGES, *sys.builtin_module_names}:
        return True
    file = getattr(module, "__file__", None)
    roots = [sysconfig.get_path(key) for key in ("stdlib", "platlib", "purelib")]
    return file is not None and any(Path(file).is_relative_to(root) for root in roots)


def _plain_container(value: Any) -> bool:
    if isinstance(value, list | tuple | set):
        return type(value) in (list, tuple, set) and all(
            isinstance(item, PLAIN) or _plain_container(item) for item in value
        )
    if type(value) is dict:
        return all(isinstance(k, PLAIN) and isinstance(v, PLAIN) for k, v in value.items())
    return False
