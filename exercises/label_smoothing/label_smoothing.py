"""Label-smoothed cross-entropy over the words that count, which padding does not.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check label_smoothing
"""

import torch
from torch import Tensor


def label_smoothed_loss(logits: Tensor, labels: Tensor, smoothing: float, pad_id: int) -> Tensor:
    """The mean loss of the words.

    The aim at each position is (1 - smoothing) · one-hot(label) + smoothing / vocab: a share of the
    probability is spread evenly over the *whole* vocabulary, the label included. The loss is the
    cross-entropy -Σ aim · log p in nats, with p = softmax(logits).

    Positions whose label is pad_id add nothing, and are not counted in the mean either.

    Args:
        logits: (batch, time, vocab)
        labels: whole numbers, (batch, time)
        smoothing: from 0 up to but not including 1
        pad_id: may be an ordinary index such as 0, or none at all, such as -100

    Returns:
        one number: a tensor without axes, in the dtype of the logits. If nothing counts it is 0,
        with zero gradients.

    Example: vocab = 4, one word, all logits equal, so p = 1/4 everywhere
        the loss is log 4 = 1.3863, whatever the smoothing
    """
    raise NotImplementedError
