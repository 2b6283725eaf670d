"""Write the test: a causal mask.

This time the function is given and the test is yours. It will be tried on several implementations
of `causal_mask`: it must accept every right one and refuse every wrong one. From the folder that
holds `exercises`:

    python -m exercises check test_a_mask
"""

from collections.abc import Callable

import torch
from torch import Tensor


def test_causal_mask(causal_mask: Callable[[int, int], Tensor]) -> bool | None:
    """Refuse a wrong implementation: raise (an `assert` will do) or return False.

    What a right `causal_mask(query_len, key_len)` returns, for 1 <= query_len <= key_len:
        A bool tensor, (query_len, key_len); True = may attend. The queries are the *last*
        query_len of key_len positions; each may look at itself and at all before it.

    Example: causal_mask(2, 4) is
        [[True, True, True, False],
         [True, True, True, True ]]
    """
    # solution:
    for query_len, key_len in ((1, 1), (1, 5), (4, 4), (2, 7)):
        mask = causal_mask(query_len, key_len)
        assert mask.dtype == torch.bool
        assert mask.shape == (query_len, key_len)
        for query in range(query_len):
            position = key_len - query_len + query
            seen = [key <= position for key in range(key_len)]
            assert mask[query].tolist() == seen, f"query {query} of {query_len}, {key_len} keys"
    # end
