"""Initialisation schemes, by name.

========  =============================================================  =====================
name      weights of linear layers                                       embeddings
========  =============================================================  =====================
xavier    uniform, variance 2 / (fan_in + fan_out)                       normal, std 1/√d_model
gpt2      normal, std 0.02; projections into the residual stream         normal, std 0.02
          divided by √(number of those projections)
bert      normal, std 0.02, cut at two standard deviations               the same
========  =============================================================  =====================

Biases start at 0, norms at scale 1 and shift 0. Sources: Glorot and Bengio (2010), equation 16;
Radford et al. (2019), §2.3; Devlin et al. (2019), released code.

Taught in the chapter "From text to tensors".
"""

from collections.abc import Callable

from torch import Tensor, nn

from companion._checks import check_choice
from companion.embeddings import TokenEmbedding

# Linear layers whose output is added to the residual stream.
RESIDUAL_PROJECTIONS = ("out_proj", "down_proj")


def initialize(module: nn.Module, scheme: str) -> None:
    """Fill every parameter below ``module`` anew, in place, from torch's global generator.

    Raises:
        ValueError: for an unknown scheme.
    """
    check_choice("initialization", scheme, tuple(SCHEMES))
    fill = SCHEMES[scheme]
    residual = [
        part
        for name, part in module.named_modules()
        if isinstance(part, nn.Linear) and name.rpartition(".")[2] in RESIDUAL_PROJECTIONS
    ]
    for part in module.modules():
        if isinstance(part, nn.Linear):
            fill(part.weight, len(residual) if part in residual else 1)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        elif isinstance(part, TokenEmbedding | nn.Embedding):
            _fill_table(part.weight, scheme, fill)


def _fill_table(weight: Tensor, scheme: str, fill: Callable[[Tensor, int], None]) -> None:
    # Xavier's fans mean nothing for a table that is looked up, so it has a rule of its own.
    if scheme == "xavier":
        nn.init.normal_(weight, std=weight.shape[1] ** -0.5)
    else:
        fill(weight, 1)


def _xavier(weight: Tensor, n_residual: int) -> None:  # noqa: ARG001
    nn.init.xavier_uniform_(weight)


def _gpt2(weight: Tensor, n_residual: int) -> None:
    nn.init.normal_(weight, std=0.02 * n_residual**-0.5)


def _bert(weight: Tensor, n_residual: int) -> None:  # noqa: ARG001
    nn.init.trunc_normal_(weight, std=0.02, a=-0.04, b=0.04)


SCHEMES: dict[str, Callable[[Tensor, int], None]] = {
    "xavier": _xavier,
    "gpt2": _gpt2,
    "bert": _bert,
}
