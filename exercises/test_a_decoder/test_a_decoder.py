"""Write the test: a decoder, of whatever kind.

You have no reference this time: the decoders that your test is tried on compute different things,
with different weights, and all of the right ones are right. What they have in common is a property.
From the folder that holds `exercises`:

    python -m exercises check test_a_decoder
"""

from collections.abc import Callable

import torch
from torch import Tensor


def test_decoder(decoder: Callable[[Tensor], Tensor]) -> bool | None:
    """Refuse a wrong implementation: raise (an `assert` will do) or return False.

    What a right `decoder(tokens)` does, for whole numbers 0 to 10 of shape (batch, time), with
    time from 1 to 12:
        Returns floating scores, (batch, time, 11). The scores at a position depend on the tokens up
        to it, and on nothing else: not on later tokens, not on how many of them there are, not on
        the other rows, not on chance. Rounding may differ by 1e-5. The tokens stay as they are.
        How much of the past it looks at, and how, is its own business.
    """
    raise NotImplementedError
