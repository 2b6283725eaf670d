"""Bug hunt: with the cache the model forgets its prompt.

The code keeps the keys and values of earlier steps, so that each step only computes what is new. A
user reports: "The whole sentence at once is right. Word by word through the cache, everything after
the first step is nonsense, and no error comes." Find the mistake and mend it. Only
`attend_with_cache` is called; change whatever you like. Then run, from the folder that holds
`exercises`:

    python -m exercises check hunt_cache_alignment
"""

import torch
import torch.nn.functional as F
from torch import Tensor


def causal_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention in which no query looks at a later key; the queries are the newest positions.

    Args:
        query: (batch, heads, query_len, d_k)
        key, value: (batch, heads, key_len, d_k), the earlier positions included
    """
    # solution:
    query_len, key_len = query.size(-2), key.size(-2)
    seen = torch.ones(query_len, key_len, dtype=torch.bool).tril(diagonal=key_len - query_len)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    # stub:
    # return F.scaled_dot_product_attention(query, key, value, is_causal=True)
    # end


def attend_with_cache(
    query: Tensor, key: Tensor, value: Tensor, past_key: Tensor, past_value: Tensor
) -> Tensor:
    """Attend from the new positions to the stored ones and to each other, never ahead.

    Args:
        query, key, value: (batch, heads, new_len, d_k), the new positions, one or several
        past_key, past_value: (batch, heads, past_len, d_k), what was stored; past_len may be 0

    Returns:
        (batch, heads, new_len, d_k)
    """
    keys = torch.cat([past_key, key], dim=-2)
    values = torch.cat([past_value, value], dim=-2)
    return causal_attention(query, keys, values)
