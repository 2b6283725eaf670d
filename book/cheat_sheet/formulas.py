"""The formulas of the sheet, each beside the number that the package counts."""

import math
from dataclasses import dataclass, replace

import torch

from cheat_sheet.shapes import sizes, sizes_today
from companion.accounting import (
    forward_flops,
    kv_cache_bytes,
    layer_flops_per_token,
    on_meta,
    parameter_count,
    training_flops,
)
from companion.attention import MultiHeadAttention
from companion.config import transformer_base
from companion.gpt import GPT
from companion.presets import gpt2, llama_3_1_8b
from companion.transformer import Transformer


@dataclass(frozen=True)
class Formula:
    """What is counted, the formula, its value by hand, and as the package counts it."""

    name: str
    formula: str
    by_hand: int
    counted: int


def parameters() -> list[Formula]:
    """Of the original base model, part by part."""
    letters = sizes()
    d, h, g, d_k, d_ff, n_layers, v = (letters[x] for x in ("d", "h", "g", "d_k", "d_ff", "N", "V"))
    model = on_meta(Transformer, transformer_base())
    encoder, decoder = model.encoder.layers[0], model.decoder.layers[0]
    attention = 2 * d * h * d_k + 2 * d * g * d_k + h * d_k + 2 * g * d_k + d
    feed_forward = 2 * d * d_ff + d_ff + d
    layer, longer = attention + feed_forward + 4 * d, 2 * attention + feed_forward + 6 * d

    def row(name: str, formula: str, by_hand: int, module: torch.nn.Module) -> Formula:
        return Formula(name, formula, by_hand, parameter_count(module))

    return [
        row("attention", "$4d^2 + 4d$", attention, encoder.self_attention),
        row("feed-forward", "$2dd_{ff} + d_{ff} + d$", feed_forward, encoder.feed_forward),
        row("LayerNorm", "$2d$ (RMSNorm $d$)", 2 * d, encoder.residual_1.norm),
        row("encoder layer", "one attention, two norms", layer, encoder),
        row("decoder layer", "two, and three norms", longer, decoder),
        row("table of tokens", "$Vd$", v * d, model.encoder.embedding.tokens),
        row("whole, one table", "$Vd + N(\\text{enc} + \\text{dec})$",
            v * d + n_layers * (layer + longer), model),
    ]  # fmt: skip


def parameters_today() -> Formula:
    """Of Llama 3.1 8B: grouped queries, RMSNorm, a gated network, no biases, two tables."""
    letters = sizes_today()
    d, h, g, d_k, d_ff, n_layers, v = (letters[x] for x in ("d", "h", "g", "d_k", "d_ff", "N", "V"))
    layer = 2 * d * h * d_k + 2 * d * g * d_k + 3 * d * d_ff + 2 * d
    return Formula(
        "Llama 3.1 8B",
        "$2dhd_k + 2dgd_k + 3dd_{ff} + 2d$",
        2 * v * d + n_layers * layer + d,
        parameter_count(on_meta(GPT, llama_3_1_8b())),
    )


CONTEXT = 1024


def flops() -> list[Formula]:
    """Of GPT-2 small on a text of 1,024 tokens: a token and layer, then the whole."""
    config = gpt2()
    d, d_ff, n, v = config.d_model, config.feed_forward.d_ff, CONTEXT, config.vocab_size
    layer = layer_flops_per_token(config.stack, context=n)
    model, text = on_meta(GPT, config), torch.zeros(1, n, dtype=torch.long)
    forward = n * (config.n_layers * (8 * d * d + 4 * n * d + 4 * d * d_ff) + 2 * d * v)
    logits = forward_flops(model, text) - n * config.n_layers * layer.total
    crossing = n * (layer.projections + layer.feed_forward) // layer.scores
    return [
        Formula("projections", "$8d^2$", 8 * d * d, layer.projections),
        Formula("scores and mixing", "$4nd$", 4 * n * d, layer.scores),
        Formula("feed-forward", "$4dd_{ff}$", 4 * d * d_ff, layer.feed_forward),
        Formula("logits, a token", "$2dV$", 2 * d * v, logits // n),
        Formula("forward, the text", "all of it", forward, forward_flops(model, text)),
        Formula("training, the text", "3 forwards", 3 * forward, training_flops(model, text)),
        Formula("scores equal the rest", "at $n = 6d$", 6 * d, crossing),
    ]


CACHED_TOKENS = 8192


def cache_bytes() -> Formula:
    """Bytes that Llama 3.1 8B keeps for one text, in 16 bits a number."""
    letters, config = sizes_today(), llama_3_1_8b()
    by_hand = 2 * letters["N"] * letters["g"] * letters["d_k"] * CACHED_TOKENS * 2
    counted = kv_cache_bytes(config.stack, batch_size=1, length=CACHED_TOKENS, dtype=torch.bfloat16)
    return Formula("cache", "$2 \\cdot N \\cdot g \\cdot d_k \\cdot m \\cdot B$", by_hand, counted)


def grouped() -> Formula:
    """Attention's parameters when 8 query heads share 2 key-value heads."""
    letters = sizes()
    d, h, d_k, g = letters["d"], letters["h"], letters["d_k"], 2
    spec = replace(transformer_base().attention, n_kv_heads=g)
    by_hand = 2 * d * h * d_k + 2 * d * g * d_k + h * d_k + 2 * g * d_k + d
    counted = parameter_count(on_meta(MultiHeadAttention, d, spec))
    return Formula(f"attention, g = {g}", "$2dhd_k + 2dgd_k + \\dots$", by_hand, counted)


def first_loss() -> float:
    """Cross-entropy of a model that knows nothing: every token equally likely."""
    return math.log(sizes()["V"])
