"""Attention with a cache: compute each key and value once, not at every step.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check kv_cache

While a text is generated, the cache is a dict that belongs to one layer and one batch. It is empty,
{}, before the first call; afterwards it holds

    cache["key"]    (batch, heads, past_len, d_k)    of all tokens so far, the oldest first
    cache["value"]  (batch, heads, past_len, d_v)
"""

import math

import torch
from torch import Tensor


def new_positions(cache: dict[str, Tensor], new_len: int) -> Tensor:
    """The positions of the next new_len tokens, for their position encoding.

    The first token of a text has position 0. The cache is only read here.

    Returns:
        (new_len,), int64

    Example: after 5 tokens, two new ones have positions [5, 6].
    """
    # solution:
    past_len = cache["key"].size(-2) if cache else 0
    return torch.arange(past_len, past_len + new_len)
    # end


def cached_attention(query: Tensor, key: Tensor, value: Tensor, cache: dict[str, Tensor]) -> Tensor:
    """Causal attention of the new tokens to all tokens so far, themselves included.

    Puts the new keys and values into the cache, behind the old ones. Usually one token is new;
    at the start it is the whole prompt. A new token sees everything in the cache before it, itself,
    and no later new token.

    Args:
        query: (batch, heads, new_len, d_k), of the new tokens only; so are
        key:   (batch, heads, new_len, d_k) and
        value: (batch, heads, new_len, d_v)
        cache: changed by the call

    Returns:
        (batch, heads, new_len, d_v): the rows that causal attention over the whole text has for
        the new tokens.
    """
    # solution:
    if cache:
        key = torch.cat([cache["key"], key], dim=-2)
        value = torch.cat([cache["value"], value], dim=-2)
    cache["key"], cache["value"] = key, value
    new_len, all_len = query.size(-2), key.size(-2)
    seen = torch.ones(new_len, all_len, dtype=torch.bool).tril(all_len - new_len)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = scores.masked_fill(~seen, float("-inf")).softmax(dim=-1)
    return weights @ value
    # end
