"""Hands tensors over in blocks: in one buffer that is overwritten, or as a list."""


def cut(tensor, dim, widths):
    return tensor.split(list(widths), dim=dim)


def in_one_buffer(blocks, dim):
    """Yield each block from the same memory."""
    blocks = list(blocks)
    buffer = max(blocks, key=lambda block: block.size(dim)).clone()
    for block in blocks:
        tile = buffer.narrow(dim, 0, block.size(dim))
        yield tile.copy_(block)


def streamed_scores(namespace, _case, arguments):
    blocks = cut(arguments["scores"], 1, arguments["widths"])
    return namespace["streaming_logsumexp"](in_one_buffer(blocks, 1))


def listed_scores(namespace, _case, arguments):
    """For gradients, which need every block to stay."""
    return namespace["streaming_logsumexp"](cut(arguments["scores"], 1, arguments["widths"]))


def streamed_keys(namespace, _case, arguments):
    tensors = (arguments["key"], arguments["value"])
    streams = [in_one_buffer(cut(t, 2, arguments["widths"]), 2) for t in tensors]
    return namespace["blockwise_attention"](arguments["query"], zip(*streams, strict=True))


def listed_keys(namespace, _case, arguments):
    """For gradients, which need every block to stay."""
    keys, values = (cut(arguments[name], 2, arguments["widths"]) for name in ("key", "value"))
    return namespace["blockwise_attention"](
        arguments["query"], list(zip(keys, values, strict=True))
    )
