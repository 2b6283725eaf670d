"""Teacher forcing: what the decoder reads, and what it is to predict from it.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check teacher_forcing
"""

import torch
from torch import Tensor


def shift(target: Tensor, bos_id: int, eos_id: int, pad_id: int) -> tuple[Tensor, Tensor]:
    """From target sentences y1 ... yn make the decoder's input and the labels.

    The decoder reads    bos y1 y2 ... yn
    and is to predict    y1  y2 ... yn eos

    so that at every position it has read all that stands before the label, and not the label. After
    that, both are filled up with pad_id.

    Args:
        target: whole numbers, (batch, time), without bos and eos. Shorter sentences are padded with
            pad_id on the right; pad_id stands nowhere else.

    Returns:
        (decoder_input, labels), each (batch, time + 1), of the dtype of target

    Example: shift([[5, 6, 7], [8, 0, 0]], bos_id=1, eos_id=2, pad_id=0)
        decoder_input [[1, 5, 6, 7],      labels [[5, 6, 7, 2],
                       [1, 8, 0, 0]]              [8, 2, 0, 0]]
    """
    raise NotImplementedError
