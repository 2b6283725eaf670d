"""Looking inside a forward pass without changing it.

A :class:`Capture` is handed through the *same* forward that produces the output. Modules record
tensors in it under dotted names; without one they record nothing and pay nothing. Return types
never depend on it.

Taught in the self-attention chapter.
"""

from collections.abc import Iterator, Mapping

from torch import Tensor


class Capture(Mapping[str, Tensor]):
    """A mapping from dotted names to the tensors a forward recorded.

    >>> capture = Capture()
    >>> logits = model(source, target, capture=capture)            # doctest: +SKIP
    >>> capture["decoder.layers.1.cross_attention.weights"].shape  # doctest: +SKIP
    torch.Size([batch, heads, query, key])

    Tensors are detached: a capture never keeps the autograd graph alive. Pass ``detach=False`` to
    differentiate through what was captured.
    """

    def __init__(self, *, detach: bool = True) -> None:
        self._tensors: dict[str, Tensor] = {}
        self._prefix = ""
        self._detach = detach

    def at(self, name: str) -> "Capture":
        """A view whose records land under ``name.``; it shares this capture's storage."""
        child = Capture(detach=self._detach)
        child._tensors = self._tensors
        child._prefix = f"{self._prefix}{name}."
        return child

    def save(self, name: str, tensor: Tensor) -> None:
        """Record ``tensor``; a later forward through the same module overwrites it."""
        self._tensors[self._prefix + name] = tensor.detach() if self._detach else tensor

    def __getitem__(self, name: str) -> Tensor:
        try:
            return self._tensors[self._prefix + name]
        except KeyError:
            known = ", ".join(self) or "nothing yet: was it passed to the forward?"
            raise KeyError(
                f"no tensor was captured as {name!r}; this capture holds {known}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        start = len(self._prefix)
        return (name[start:] for name in self._tensors if name.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        rows = [f"  {name}: {tuple(self[name].shape)}" for name in self]
        return "\n".join([f"Capture with {len(rows)} tensors", *rows])


def at(capture: Capture | None, name: str) -> Capture | None:
    """``capture.at(name)``, or None when nothing is being captured."""
    return None if capture is None else capture.at(name)


def save(capture: Capture | None, name: str, tensor: Tensor) -> None:
    """``capture.save(name, tensor)``, or nothing when nothing is being captured."""
    if capture is not None:
        capture.save(name, tensor)
