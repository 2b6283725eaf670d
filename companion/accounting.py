"""What a model costs: parameters, arithmetic, memory. Counted, not estimated.

Everything here runs on PyTorch's *meta* device, where tensors have shapes and no numbers: a
seven-billion-parameter model is counted on a laptop in a second.

>>> from companion.config import transformer_base
>>> from companion.transformer import Transformer
>>> parameter_count(on_meta(Transformer, transformer_base()))
63082496

Taught in the chapters on the whole architecture, on scaling and on the KV cache. A FLOP is one
addition or multiplication, so a product of matrices (m, k) and (k, n) takes 2·m·k·n; only matrix
products are counted, which is nearly all there is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from companion._checks import check_choice, check_positive
from companion.config import StackSpec

Module = TypeVar("Module", bound=nn.Module)
Mixer = Literal["attention", "rnn", "gru", "lstm"]


# --- parameters ---------------------------------------------------------------------------------


def on_meta(build: Callable[..., Module], *args: Any, **kwargs: Any) -> Module:
    """``build(*args, **kwargs)`` without memory: ``on_meta(Transformer, transformer_base())``."""
    with torch.device("meta"):
        return build(*args, **kwargs)


def parameter_count(module: nn.Module) -> int:
    """Number of parameters; a table that is used twice (tied) counts once."""
    return sum(p.numel() for p in module.parameters())


@dataclass(frozen=True)
class Part:
    """Parameters below one dotted name, and their share of the whole."""

    name: str
    parameters: int
    share: float


def parameters_by_part(module: nn.Module, *, depth: int = 2) -> list[Part]:
    """Parameters grouped by the first ``depth`` levels of their names, in the module's order.

    A shared table counts where it stands first. The parts add up to :func:`parameter_count`.

    Raises:
        ValueError: if ``depth`` is below 1.
    """
    check_positive("depth", depth)
    sizes: dict[str, int] = {}
    for name, parameter in module.named_parameters():
        part = ".".join(name.split(".")[:depth])
        sizes[part] = sizes.get(part, 0) + parameter.numel()
    total = sum(sizes.values())
    return [Part(name, size, size / total) for name, size in sizes.items()]


# --- arithmetic ---------------------------------------------------------------------------------


def forward_flops(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> int:
    """FLOPs of the matrix products in one forward of ``model`` on inputs of these shapes.

    Attention counts every score, hidden ones included, as the written-out path computes them.
    """
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        run_on_meta(model, *inputs, **kwargs)
    return counter.get_total_flops()


def training_flops(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> int:
    """FLOPs of one forward and backward: about three times the forward.

    Every product y = xW of the forward has two in the backward, for x and for W.
    """
    with FlopCounterMode(display=False) as counter:
        outputs = _tensors(run_on_meta(model, *inputs, **kwargs))
        torch.stack([output.sum() for output in outputs]).sum().backward()
    return counter.get_total_flops()


def estimated_training_flops(parameters: int, tokens: int) -> int:
    """6·N·D: the rule of thumb, exact when each parameter multiplies each token once.

    It leaves out the scores (4·n·d a layer and token, forward) and counts embedding tables, which
    multiply nothing. Source: Kaplan et al. (2020), §2.1.
    """
    return 6 * parameters * tokens


@dataclass(frozen=True)
class LayerFlops:
    """FLOPs a token in one layer with self-attention, forward.

    Attributes:
        projections: queries, keys, values and output.
        scores: dot products with every key, and the weighted sum of the values.
        feed_forward: its two (gated: three) products.
    """

    projections: int
    scores: int
    feed_forward: int

    @property
    def total(self) -> int:
        """All three."""
        return self.projections + self.scores + self.feed_forward


def layer_flops_per_token(spec: StackSpec, *, context: int) -> LayerFlops:
    """The closed form; ``context`` is the number of keys each query is compared with."""
    heads, d_model = spec.attention, spec.d_model
    d_head = heads.head_size(d_model)
    query_width, key_width = heads.n_heads * d_head, heads.kv_heads * d_head
    return LayerFlops(
        projections=2 * d_model * (2 * query_width + 2 * key_width),
        scores=2 * 2 * context * query_width,
        feed_forward=2 * d_model * spec.feed_forward.d_ff * (3 if spec.feed_forward.gated else 2),
    )


_RECURRENT_GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def mixing_flops_per_token(kind: Mixer, *, d_model: int, length: int) -> int:
    """FLOPs a token for one layer that lets positions exchange information.

    Attention: 8d² + 4nd, projections and scores over n positions. A recurrent layer: two d×d
    products for each of its gates, so 4d² for a plain RNN, 12d² for a GRU, 16d² for an LSTM.
    """
    check_choice("kind", kind, ("attention", *_RECURRENT_GATES))
    if kind == "attention":
        return 8 * d_model**2 + 4 * length * d_model
    return _RECURRENT_GATES[kind] * 4 * d_model**2


def crossing_length(kind: Literal["rnn", "gru", "lstm"], *, d_model: int) -> int | None:
    """Length at which attention costs as much as the recurrent layer; None: at no length.

    The often-quoted n = d compares the scores with one d×d product and leaves out attention's
    projections. With them the lengths are: never (RNN), d (GRU), 2d (LSTM).
    """
    spare = mixing_flops_per_token(kind, d_model=d_model, length=0) - 8 * d_model**2
    return spare // (4 * d_model) if spare > 0 else None


# --- memory -------------------------------------------------------------------------------------


def kv_cache_bytes(
    spec: StackSpec, *, batch_size: int, length: int, dtype: torch.dtype = torch.float16
) -> int:
    """Bytes of the keys and values of ``length`` tokens in every layer.

    2 (keys, values) · layers · batch · length · n_kv_heads · d_head · bytes a number.
    """
    heads = spec.attention
    numbers = 2 * spec.n_layers * batch_size * length * heads.kv_heads
    return numbers * heads.head_size(spec.d_model) * dtype.itemsize


def activation_bytes(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> int:
    """Bytes that autograd keeps between the forward and the backward pass, parameters left out.

    Counted in the mode the model is in: in training dropout keeps its masks. Kernels that compute
    several steps in one keep less than the written-out steps.
    """
    kept: dict[int, Tensor] = {}  # by storage; holding the tensors keeps the addresses theirs

    def pack(tensor: Tensor) -> Tensor:
        kept[tensor.untyped_storage()._cdata] = tensor
        return tensor

    meta = _meta_state(model)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = _call(model, meta, inputs, kwargs)
    own = {t.untyped_storage()._cdata for t in meta.values()}
    del output
    return sum(t.untyped_storage().nbytes() for key, t in kept.items() if key not in own)


@dataclass(frozen=True)
class TrainingMemory:
    """Bytes that training needs at its peak, the step after the first.

    Attributes:
        parameters: the weights.
        gradients: one number a weight.
        optimizer: Adam's two moments.
        activations: what the backward pass reads; see :func:`activation_bytes`.
    """

    parameters: int
    gradients: int
    optimizer: int
    activations: int

    @property
    def total(self) -> int:
        """All four."""
        return self.parameters + self.gradients + self.optimizer + self.activations


def training_memory(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> TrainingMemory:
    """Memory of training with Adam on a batch of these shapes, everything in the model's dtype."""
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    return TrainingMemory(
        parameters=weights,
        gradients=weights,
        optimizer=2 * weights,
        activations=activation_bytes(model, *inputs, **kwargs),
    )


@dataclass(frozen=True)
class Cost:
    """Arithmetic and memory traffic of an operation."""

    flops: int
    bytes: int

    @property
    def intensity(self) -> float:
        """FLOPs a byte moved. Below a device's own ratio the memory sets the pace."""
        return self.flops / self.bytes

    def seconds(self, *, flops_per_second: float, bytes_per_second: float) -> float:
        """The roofline's lower bound: arithmetic or traffic, whichever takes longer.

        Source: Williams et al. (2009).
        """
        return max(self.flops / flops_per_second, self.bytes / bytes_per_second)


def matmul_cost(rows: int, inner: int, columns: int, *, dtype: torch.dtype = torch.float16) -> Cost:
    """A product (rows, inner) × (inner, columns), each matrix moved once."""
    moved = rows * inner + inner * columns + rows * columns
    return Cost(2 * rows * inner * columns, moved * dtype.itemsize)


def decoding_cost(
    spec: StackSpec, *, batch_size: int, length: int, dtype: torch.dtype = torch.float16
) -> Cost:
    """One decoding step of all layers with a cache of ``length`` tokens, the new one included.

    Weights are read once for the whole batch, keys and values once for each row: a larger batch
    raises the intensity of the first and not of the second. The output projection is left out.
    """
    flops = layer_flops_per_token(spec, context=length)
    weights = spec.n_layers * (flops.projections + flops.feed_forward) // 2
    cache = kv_cache_bytes(spec, batch_size=batch_size, length=length, dtype=dtype)
    return Cost(batch_size * spec.n_layers * flops.total, weights * dtype.itemsize + cache)


# --- running without numbers --------------------------------------------------------------------


def run_on_meta(model: nn.Module, *inputs: Tensor, **kwargs: Any) -> Any:
    """The model's output on inputs of these shapes, without memory or arithmetic.

    The model itself may live anywhere and is not touched.
    """
    return _call(model, _meta_state(model), inputs, kwargs)


def _meta_state(model: nn.Module) -> dict[str, Tensor]:
    named = [*model.named_parameters(), *model.named_buffers()]
    return {
        name: torch.empty_like(t, device="meta", requires_grad=t.requires_grad) for name, t in named
    }


def _call(model: nn.Module, state: dict[str, Tensor], inputs: Any, kwargs: Any) -> Any:
    inputs = tuple(t.to("meta") for t in inputs)
    with torch.device("meta"):
        return torch.func.functional_call(model, state, inputs, kwargs)


def _tensors(output: Any) -> Iterator[Tensor]:
    """The tensors in a model's output: a tensor, or tuples and mappings of them."""
    if isinstance(output, Tensor):
        yield output
    elif isinstance(output, dict):
        for value in output.values():
            yield from _tensors(value)
    elif isinstance(output, tuple | list):
        for value in output:
            yield from _tensors(value)
