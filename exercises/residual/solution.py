"""The frame around every sublayer: a residual connection and a norm, in one of two orders.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check residual
"""

from collections.abc import Callable

from torch import Tensor


def post_norm(
    x: Tensor, sublayer: Callable[[Tensor], Tensor], norm: Callable[[Tensor], Tensor]
) -> Tensor:
    """As in the original Transformer and in BERT: the norm comes after the addition.

    Args:
        x: (batch, time, d_model)
        sublayer: any function of such a tensor, e.g. attention. In the checks it is
            tanh(h @ weight).
        norm: a normalisation. In the checks it divides by the root mean square and multiplies
            by gain.

    Returns:
        (batch, time, d_model)

    Example: with norm(h) = h / 10 and sublayer(h) = 2 h, x = 1 gives 0.3.
    """
    # solution:
    return norm(x + sublayer(x))
    # end


def pre_norm(
    x: Tensor, sublayer: Callable[[Tensor], Tensor], norm: Callable[[Tensor], Tensor]
) -> Tensor:
    """As in GPT-2 and nearly all models since: only the sublayer sees the normalised x.

    Args and result as for post_norm.

    Example: with norm(h) = h / 10 and sublayer(h) = 2 h, x = 1 gives 1.2.
    """
    # solution:
    return x + sublayer(norm(x))
    # end
