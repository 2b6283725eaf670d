"""Sinusoidal positions: sines and cosines of wavelengths from 2π to 10000 · 2π.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check sinusoidal
"""

import torch
from torch import Tensor


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """One row for each position 0 ... length - 1, to be added to the embeddings.

        PE[pos, 2i]     = sin(pos / 10000^(2i / d_model))
        PE[pos, 2i + 1] = cos(pos / 10000^(2i / d_model))

    Columns 2i and 2i + 1 form a pair with one frequency. If d_model is odd, the last sine has no
    cosine beside it.

    Returns:
        float32, (length, d_model)

    Example: sinusoidal_positions(2, 4); the second pair turns 100 times slower than the first
        [[0.    , 1.    , 0.    , 1.    ],
         [0.8415, 0.5403, 0.0100, 0.9999]]
    """
    raise NotImplementedError
