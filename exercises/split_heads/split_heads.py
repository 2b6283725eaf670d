"""Split a hidden vector into heads, and merge the heads again.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check split_heads
"""

from torch import Tensor


def split_heads(hidden: Tensor, n_heads: int) -> Tensor:
    """Give each head its own slice of every position's features.

    Head h gets the features h * d_head ... (h + 1) * d_head - 1 of each position, in order.

    Args:
        hidden: (batch, time, d_model)
        n_heads: must divide d_model

    Returns:
        (batch, n_heads, time, d_head), where d_head = d_model / n_heads

    Raises:
        ValueError: if n_heads does not divide d_model.

    Example: two positions, d_model = 4, two heads
        hidden [[[1, 2, 3, 4], [5, 6, 7, 8]]]
        result [[[[1, 2], [5, 6]],      head 0
                 [[3, 4], [7, 8]]]]     head 1
    """
    raise NotImplementedError


def merge_heads(heads: Tensor) -> Tensor:
    """Put the heads' features side by side again: the inverse of split_heads.

    Args:
        heads: (batch, n_heads, time, d_head)

    Returns:
        (batch, time, n_heads * d_head)
    """
    raise NotImplementedError
