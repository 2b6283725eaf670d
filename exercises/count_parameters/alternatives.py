"""Right answers that look different; each must pass."""

import math
from pathlib import Path

import torch
from torch import nn

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("built-and-counted")
def predict_parameters(
    source_vocab,
    target_vocab,
    d_model,
    d_ff,
    n_heads,
    n_encoder_layers,
    n_decoder_layers,
    bias=True,
    share_embeddings=False,
    tie_output=False,
    pre_norm=False,
):
    """PyTorch's own layers on the meta device, where tensors have shapes and no numbers."""
    if share_embeddings and source_vocab != target_vocab:
        raise ValueError("a shared table needs equal vocabularies")

    def size(layer):
        weights = {n: p for n, p in layer.named_parameters() if bias or "norm" in n or p.dim() > 1}
        norms = sum(isinstance(m, nn.LayerNorm) for m in layer.modules())
        return sum(p.numel() for n, p in weights.items() if "norm" not in n) + norms * 2 * d_model

    with torch.device("meta"):
        encoder = nn.TransformerEncoderLayer(d_model, n_heads, d_ff)
        decoder = nn.TransformerDecoderLayer(d_model, n_heads, d_ff)
        norm = nn.LayerNorm(d_model)
    total = size(encoder) * n_encoder_layers + size(decoder) * n_decoder_layers
    total += sum(p.numel() for p in norm.parameters()) * 2 * int(pre_norm)
    tables = [source_vocab, *[target_vocab] * (not share_embeddings)]
    return total + d_model * sum([*tables, *[target_vocab] * (not tie_output)])


@variants.function("one-polynomial")
def predict_parameters(vs, vt, d, f, _, m, n, bias=True, share=False, tie=False, pre=False):
    if share and vs != vt:
        raise ValueError((vs, vt))
    b = int(bias)
    squares = 4 * (m + 2 * n) * (d * d + b * d)
    wide = (m + n) * (2 * d * f + b * (d + f))
    gains = 2 * d * (2 * m + 3 * n + 2 * pre)
    return squares + wide + gains + d * (vs + vt * (2 - share - tie))


@variants.function("shapes-multiplied")
def count_parameters(module):
    return sum(math.prod(p.shape) for _, p in module.named_parameters())


@variants.function("unique-by-identity")
def count_parameters(module):
    unique = {id(p): p for m in module.modules() for p in m.parameters(recurse=False)}
    return sum(p.nelement() for p in unique.values())


@variants.function("flattened")
def count_parameters(module):
    return len(nn.utils.parameters_to_vector(module.parameters()))
