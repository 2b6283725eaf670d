"""Token embeddings: one table of vectors, read forward (embed) and backward (logits).

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check embeddings
"""

import math

import torch
from torch import Tensor


def embed(tokens: Tensor, table: Tensor) -> Tensor:
    """Look up each token's row and multiply it by √d_model.

    Args:
        tokens: whole numbers from 0 to vocab - 1, (batch, time)
        table: (vocab, d_model)

    Returns:
        (batch, time, d_model), in the dtype of the table.

    Example: d_model = 4, so the factor is 2
        table row 1 = [1., 0., 3., 5.]; embed([[1]], table) is [[[2., 0., 6., 10.]]]
    """
    # solution:
    d_model = table.size(-1)
    return table[tokens] * math.sqrt(d_model)
    # end


def logits(hidden: Tensor, table: Tensor) -> Tensor:
    """Score every token of the vocabulary against every hidden vector, with the same table.

    A token's score is the dot product of the hidden vector with the token's row of the table, as
    it stands: here nothing is scaled.

    Args:
        hidden: (batch, time, d_model)
        table: (vocab, d_model), the table that `embed` reads

    Returns:
        (batch, time, vocab), not yet probabilities.

    Example: d_model = 2, vocab = 3
        hidden [[[1., 2.]]], table [[1., 0.], [0., 1.], [3., 1.]]; result [[[1., 2., 5.]]]
    """
    # solution:
    return hidden @ table.transpose(0, 1)
    # end
