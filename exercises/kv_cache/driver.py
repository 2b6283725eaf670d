"""Feeds a text piece by piece, and builds caches."""

import torch


def piece_by_piece(namespace, _case, arguments):
    """One text, cut into pieces of the given lengths; returns all outputs, or what is stored."""
    query, key, value = (arguments[name] for name in ("query", "key", "value"))
    cache, outputs, start = {}, [], 0
    for length in arguments["pieces"]:
        new = slice(start, start + length)
        output = namespace["cached_attention"](
            query[:, :, new], key[:, :, new], value[:, :, new], cache
        )
        if not isinstance(output, torch.Tensor):
            return output
        outputs.append(output)
        start += length
    look_at = arguments["look_at"]
    return torch.cat(outputs, dim=-2) if look_at == "output" else cache.get(look_at)


def after_a_text(namespace, _case, arguments):
    """Calls new_positions with a cache that holds past_key; no keys at all give an empty cache."""
    past = arguments["past_key"]
    cache = {"key": past, "value": past} if past.numel() else {}
    return namespace["new_positions"](cache, arguments["new_len"])
