"""Top-p (nucleus) filter: cut off the unlikely tail before drawing a token.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check top_p
"""

import torch
from torch import Tensor


def top_p_filter(logits: Tensor, p: float) -> Tensor:
    """Keep the most probable tokens that together reach probability p; forget the rest.

    For each row: go through the tokens from the most probable down, and keep them until their
    probabilities add up to p or more. The token that crosses p is still kept, so at least one
    token always is.

    Args:
        logits: (batch, vocab)
        p: above 0, at most 1

    Returns:
        (batch, vocab), in the dtype of the logits: the kept tokens' probabilities, divided by
        their sum, and exactly 0 for all others. Nothing is drawn here.

    Example: one row with probabilities [0.1, 0.5, 0.1, 0.3] and p = 0.7
        0.5 is not enough, 0.5 + 0.3 is; result [0, 0.625, 0, 0.375]
    """
    raise NotImplementedError
