"""The loss of a causal language model: every position predicts the next token.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check causal_lm_loss
"""

import torch
import torch.nn.functional as F
from torch import Tensor


def causal_lm_loss(logits: Tensor, tokens: Tensor, valid: Tensor) -> Tensor:
    """The mean of -log p(next token), in nats, over all predictions that count.

    The model has read `tokens` and put out `logits`, so those at position t were made from the
    tokens 0 ... t. They predict token t + 1.

    A prediction counts if both are real: the token at t that it was made from and the token at
    t + 1 that it is compared with.

    Args:
        logits: (batch, time, vocab), p = softmax(logits)
        tokens: whole numbers, (batch, time)
        valid: bool, (batch, time). True = real, False = padding, which may stand on either side.
            The id of padding says nothing: GPT-2 pads with the token that also ends texts.

    Returns:
        one number: a tensor without axes, in the dtype of the logits. If nothing counts it is 0,
        with zero gradients.

    Example: tokens [[3, 1, 2]], all valid: two predictions count
        loss = -(log softmax(logits[0, 0])[1] + log softmax(logits[0, 1])[2]) / 2
    """
    raise NotImplementedError
