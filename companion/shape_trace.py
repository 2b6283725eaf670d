"""The shape of every tensor on its way through a model, as a table.

>>> from companion.accounting import on_meta
>>> from companion.gpt import GPT
>>> from companion.presets import gpt2
>>> tokens = torch.zeros(1, 1024, dtype=torch.long)
>>> print(shape_trace(on_meta(GPT, gpt2()), tokens))   # doctest: +SKIP

Works for any ``nn.Module``: our own parts are described step by step, other modules by their class.
The model runs on the meta device, so size costs nothing. Of equal layers the first is shown whole
and the others are counted.

Taught in the chapter on the whole architecture.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from companion._tables import aligned_table, markdown_table
from companion.accounting import run_on_meta
from companion.attention import MultiHeadAttention
from companion.embeddings import TokenEmbedding
from companion.feed_forward import FeedForward, GatedFeedForward
from companion.layers import Residual
from companion.normalization import LayerNorm, RMSNorm
from companion.stack import InputEmbedding

Shape = tuple[int, ...]
_HEADER = ("stage", "shape", "what happens")


@dataclass(frozen=True)
class Stage:
    """One row of the table.

    Attributes:
        name: what the tensor is.
        shape: its shape.
        what: what happened to it.
        where: dotted name of the module, for looking it up in the model.
    """

    name: str
    shape: Shape
    what: str
    where: str


@dataclass(frozen=True)
class ShapeTrace:
    """All stages, in order. Prints as an aligned table; notebooks show it as Markdown."""

    stages: tuple[Stage, ...]

    def __str__(self) -> str:
        return aligned_table(_HEADER, [*self._cells()])

    def to_markdown(self) -> str:
        """The table as Markdown."""
        rows = [(name, f"`{shape}`", what) for name, shape, what in self._cells()]
        return markdown_table(_HEADER, rows)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _cells(self) -> Iterator[tuple[str, str, str]]:
        parts = {s.where.partition(".")[0] for s in self.stages if ".layers." in s.where}
        for s in self.stages:
            part = s.where.partition(".")[0]
            prefix = f"{part}: " if len(parts) > 1 and part in parts else ""
            yield prefix + s.name, str(s.shape), s.what


def shape_trace(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> ShapeTrace:
    """Follow inputs of these shapes through ``model``; neither is touched.

    Args:
        inputs: what the model's forward takes; only shapes and dtypes matter.
    """
    recorder = _Recorder()
    for tensor in inputs:
        kind = "token ids" if not tensor.dtype.is_floating_point else "input"
        recorder.add(kind, tensor.shape, "what the model is given", "")
    hooks = list(_hooks(model, "", recorder))
    modes = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            output = run_on_meta(model, *inputs, **kwargs)
    finally:
        for hook in hooks:
            hook.remove()
        for module, training in modes:
            module.training = training
    recorder.finish(output)
    return ShapeTrace(tuple(recorder.stages))


class _Recorder:
    """Collects rows, and remembers which tensor the last one was about."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self._last: Tensor | None = None
        self._heard: set[nn.Module] = set()

    def is_new(self, module: nn.Module) -> bool:
        """Whether ``module`` is met for the first time."""
        new = module not in self._heard
        self._heard.add(module)
        return new

    def is_last(self, tensor: Tensor) -> bool:
        """Whether the last row was about this very tensor."""
        return tensor is self._last

    def add(
        self, name: str, shape: Shape, what: str, where: str, tensor: Tensor | None = None
    ) -> None:
        self.stages.append(Stage(name, tuple(shape), what, where))
        self._last = tensor

    def finish(self, output: Any) -> None:
        """The model's output; what is as wide as the vocabulary are logits."""
        answers = output if isinstance(output, tuple) else (getattr(output, "logits", output),)
        # Token tables, if they can be told from others (positions, token types).
        sizes = {m.weight.shape[0] for m in self._heard if isinstance(m, TokenEmbedding)}
        if not sizes:
            sizes = {m.num_embeddings for m in self._heard if isinstance(m, nn.Embedding)}
        for answer in (a for a in answers if isinstance(a, Tensor)):
            size = answer.shape[-1]
            if size in sizes:
                where = self.stages.pop().where if self.is_last(answer) else ""
                what = f"a score for each of the {size:,} tokens"
                self.add("logits", answer.shape, what, where, answer)
            elif answer is output and not self.is_last(answer):
                self.add("output", answer.shape, "what the model gives", "", answer)


# --- which modules are listened to --------------------------------------------------------------


def _hooks(module: nn.Module, path: str, recorder: _Recorder) -> Iterator[Any]:
    """Hooks on the parts below ``module``; of equal layers only the first is listened to."""
    if not recorder.is_new(module):  # a shared table
        return
    describe = _DESCRIBERS.get(type(module))
    if describe is not None:  # as a whole, children included
        yield from describe(module, path, recorder)
        return
    if not any(module.children()) and not isinstance(module, nn.Identity | nn.Dropout):
        yield _after(module, lambda x, y: recorder.add(*_leaf(module, x, y, path)))
    for name, child in module.named_children():
        below = f"{path}.{name}" if path else name
        if isinstance(child, nn.ModuleList) and len(child) > 1 and _alike(child):
            yield from _hooks(child[0], f"{below}.0", recorder)
            yield _repeats(child, below, recorder)
        else:
            yield from _hooks(child, below, recorder)


def _alike(layers: nn.ModuleList) -> bool:
    """Of one class, and with no parameter that the first does not have."""
    first = {(name, p.shape) for name, p in layers[0].named_parameters()}
    return all(
        type(layer) is type(layers[0])
        and first.issuperset((name, p.shape) for name, p in layer.named_parameters())
        for layer in layers
    )


def _repeats(layers: nn.ModuleList, path: str, recorder: _Recorder) -> Any:
    def row(x: Tensor, y: Tensor) -> None:  # noqa: ARG001
        times = len(layers) - 1
        name = f"{times} more layer{'s' if times > 1 else ''}"
        recorder.add(name, y.shape, "the same again, with weights of their own", path, y)

    return _after(layers[-1], row)


def _after(module: nn.Module, row: Callable[[Tensor, Tensor], None]) -> Any:
    """Call ``row`` with the module's first tensor in and its first tensor out."""

    def hook(module: nn.Module, args: Any, kwargs: Any, output: Any) -> None:  # noqa: ARG001
        given = next((a for a in (*args, *kwargs.values()) if isinstance(a, Tensor)), None)
        out = output[0] if isinstance(output, tuple | list) else output
        if isinstance(out, Tensor) and given is not None:
            row(given, out)

    return module.register_forward_hook(hook, with_kwargs=True)


def _before(module: nn.Module, row: Callable[[Tensor], None]) -> Any:
    return module.register_forward_pre_hook(lambda _, args: row(args[0]))


# --- what is said about each --------------------------------------------------------------------


def _leaf(module: nn.Module, x: Tensor, y: Tensor, path: str) -> tuple:
    kind = type(module).__name__
    name = path.rpartition(".")[2] or kind
    if isinstance(module, TokenEmbedding | nn.Embedding):
        rows, width = module.weight.shape
        what = f"one row of {width} numbers a token, out of {rows:,}"
        return f"{name} embedding", y.shape, what, path, y
    if isinstance(module, nn.Linear):
        what = f"linear map, {module.in_features} → {module.out_features}"
        return name, y.shape, what, path, y
    if isinstance(module, LayerNorm | RMSNorm | nn.LayerNorm | nn.RMSNorm):
        return kind, y.shape, "every position to unit scale; shape unchanged", path, y
    what = "shape unchanged" if x.shape == y.shape else f"from {tuple(x.shape)}"
    return name if name == kind else f"{name} ({kind})", y.shape, what, path, y


def _attention(module: MultiHeadAttention, path: str, recorder: _Recorder) -> Iterator[Any]:
    heads, kv_heads, d_head = module.n_heads, module.n_kv_heads, module.d_head

    def rows(_: nn.Module, args: Any, kwargs: Any, output: Tensor) -> None:
        query, key = args[:2]
        batch, n_queries = query.shape[:2]
        n_keys = key.shape[1]
        turn = ", turned by their positions" if kwargs.get("rotate") is not None else ""
        bias = " + position bias" if kwargs.get("bias") is not None else ""
        source = "the stream" if key is query else "the encoder's output"
        shared = f"each serves {heads // kv_heads} heads of queries"
        size = f"{heads * d_head} / {heads} = {d_head} a head"
        for name, shape, what in (
            ("queries", (batch, n_queries, heads * d_head), "linear map of the stream"),
            (
                "keys, values, each",
                (batch, n_keys, kv_heads * d_head),
                f"linear maps of {source}",
            ),
            (f"queries, {heads} heads", (batch, heads, n_queries, d_head), size + turn),
            (
                f"keys, values, {kv_heads} heads",
                (batch, kv_heads, n_keys, d_head),
                (size if kv_heads == heads else shared) + turn,
            ),
            (
                "weights",
                (batch, heads, n_queries, n_keys),
                f"softmax(queries · keysᵀ{bias}): each row sums to 1",
            ),
            ("attention output", output.shape, "weighted values, heads joined, a linear map"),
        ):
            recorder.add(name, shape, what, path)

    yield module.register_forward_hook(rows, with_kwargs=True)


def _torch_attention(
    module: nn.MultiheadAttention, path: str, recorder: _Recorder
) -> Iterator[Any]:
    what = f"{module.num_heads} heads of {module.head_dim}"
    yield _after(module, lambda _, y: recorder.add("attention output", y.shape, what, path))


def _feed_forward(
    module: FeedForward | GatedFeedForward, path: str, recorder: _Recorder
) -> Iterator[Any]:
    def widen(x: Tensor, y: Tensor) -> None:
        gate = " times a gate" if isinstance(module, GatedFeedForward) else ""
        what = f"{x.shape[-1]} → {y.shape[-1]}, {module.activation.__name__}{gate}"
        recorder.add("feed-forward, inside", y.shape, what, path)

    def narrow(x: Tensor, y: Tensor) -> None:
        what = f"back, {x.shape[-1]} → {y.shape[-1]}"
        recorder.add("feed-forward output", y.shape, what, path)

    yield _after(module.up_proj, widen)
    yield _after(module.down_proj, narrow)


def _residual(module: Residual, path: str, recorder: _Recorder) -> Iterator[Any]:
    def row(x: Tensor, y: Tensor | None = None) -> None:
        shape = x.shape if y is None else y.shape
        recorder.add("residual sum", shape, "what went in is added", path)

    if module.pre_norm:
        yield _after(module, row)
    else:
        yield _before(module.norm, row)
    yield from _hooks(module.norm, f"{path}.norm", recorder)


def _input_embedding(module: InputEmbedding, path: str, recorder: _Recorder) -> Iterator[Any]:
    recorder.is_new(module.tokens)
    looked_up: list[Tensor] = []  # the table may be shared with another stack

    def rows(x: Tensor) -> None:
        size, width = module.tokens.weight.shape
        what = f"one row of {width} numbers a token, out of {size:,}"
        recorder.add("token embedding", x.shape, what, path)
        if x is not looked_up[-1]:  # rotary positions, for one, add nothing here
            what = f"{type(module.positions).__name__} adds a vector"
            recorder.add("+ positions", x.shape, what, path)

    yield _after(module.tokens, lambda _, y: looked_up.append(y))
    yield _before(module.norm, rows)
    yield from _hooks(module.norm, f"{path}.norm", recorder)


_DESCRIBERS: dict[type, Callable[..., Iterator[Any]]] = {
    MultiHeadAttention: _attention,
    FeedForward: _feed_forward,
    GatedFeedForward: _feed_forward,
    Residual: _residual,
    InputEmbedding: _input_embedding,
    nn.MultiheadAttention: _torch_attention,
}
