"""Independent references: the same maths composed of torch's own functionals.

Nothing here calls the package's forward code; only its parameters are read.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """One query at a time, over the list of keys it may see; an empty list gives zeros."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    shape = (*query.shape[:-1], value.shape[-1])
    if mask is None:
        mask = torch.ones(1, dtype=torch.bool)
    mask = mask.expand(*query.shape[:-1], key.shape[-2])
    output = torch.zeros(shape, dtype=query.dtype)
    for index in torch.cartesian_prod(*(torch.arange(n) for n in query.shape[:-1])).tolist():
        *lead, _ = index
        seen = mask[tuple(index)].nonzero()[:, 0]
        if len(seen):
            keys, values = key[tuple(lead)][seen], value[tuple(lead)][seen]
            scores = torch.stack([torch.dot(query[tuple(index)], k) for k in keys]) * scale
            output[tuple(index)] = torch.einsum("k,kd->d", F.softmax(scores, 0), values)
    return output


def multi_head(
    module: nn.Module, query: Tensor, memory: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Head by head: slice the projection matrices, attend, add up the heads' contributions."""
    d, group = module.d_head, module.n_heads // module.n_kv_heads
    output = torch.zeros_like(query)
    if module.out_proj.bias is not None:
        output = output + module.out_proj.bias
    for head in range(module.n_heads):
        own = slice(head * d, (head + 1) * d)
        shared = slice(head // group * d, (head // group + 1) * d)
        q = _rows(module.q_proj, query, own)
        k = _rows(module.k_proj, memory, shared)
        v = _rows(module.v_proj, memory, shared)
        allowed = None
        if mask is not None:
            allowed = mask[:, head if mask.shape[1] > 1 else 0] if mask.dim() == 4 else mask
        output = output + attention(q, k, v, allowed) @ module.out_proj.weight[:, own].T
    return output


def _rows(linear: nn.Linear, x: Tensor, rows: slice) -> Tensor:
    bias = None if linear.bias is None else linear.bias[rows]
    return F.linear(x, linear.weight[rows], bias)


def layer_norm(module: nn.Module, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], module.weight, module.bias, module.eps)


def feed_forward(module: nn.Module, x: Tensor) -> Tensor:
    hidden = F.relu(F.linear(x, module.up_proj.weight, module.up_proj.bias))
    return F.linear(hidden, module.down_proj.weight, module.down_proj.bias)


def sublayer(residual: nn.Module, x: Tensor, function) -> Tensor:
    if residual.pre_norm:
        return x + function(layer_norm(residual.norm, x))
    return layer_norm(residual.norm, x + function(x))


def encoder_layer(layer: nn.Module, x: Tensor, mask: Tensor | None) -> Tensor:
    x = sublayer(layer.residual_1, x, lambda h: multi_head(layer.self_attention, h, h, mask))
    return sublayer(layer.residual_2, x, lambda h: feed_forward(layer.feed_forward, h))


def decoder_layer(
    layer: nn.Module, x: Tensor, memory: Tensor, mask: Tensor | None, memory_mask: Tensor | None
) -> Tensor:
    x = sublayer(layer.residual_1, x, lambda h: multi_head(layer.self_attention, h, h, mask))
    x = sublayer(
        layer.residual_2, x, lambda h: multi_head(layer.cross_attention, h, memory, memory_mask)
    )
    return sublayer(layer.residual_3, x, lambda h: feed_forward(layer.feed_forward, h))


def sinusoids(length: int, d_model: int) -> Tensor:
    """Number by number, from the paper's formula."""
    table = torch.zeros(length, d_model, dtype=torch.float64)
    for position in range(length):
        for column in range(d_model):
            angle = position / 10_000 ** (2 * (column // 2) / d_model)
            table[position, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def transformer(model: nn.Module, source: Tensor, target: Tensor) -> Tensor:
    """Logits for unpadded input, sinusoidal positions."""
    config = model.config
    scale = math.sqrt(config.d_model) if config.scale_embeddings else 1.0

    def embed(table: Tensor, ids: Tensor) -> Tensor:
        positions = sinusoids(ids.shape[1], config.d_model).to(table.dtype)
        return F.embedding(ids, table) * scale + positions

    memory = embed(model.encoder.embedding.tokens.weight, source)
    for layer in model.encoder.layers:
        memory = encoder_layer(layer, memory, None)
    x = embed(model.decoder.embedding.tokens.weight, target)
    causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()
    if config.norm.position == "pre":
        memory = layer_norm(model.encoder.norm, memory)
    for layer in model.decoder.layers:
        x = decoder_layer(layer, x, memory, causal, None)
    if config.norm.position == "pre":
        x = layer_norm(model.decoder.norm, x)
    table = model.decoder.embedding.tokens.weight if config.tie_output else model.output.weight
    return x @ table.T
