"""Claims about arithmetic, memory and the length of paths."""

import numpy as np
import torch
from course import experiments
from torch import nn

from claims.claim import Values, claim
from companion.accounting import (
    crossing_length,
    estimated_training_flops,
    forward_flops,
    layer_flops_per_token,
    mixing_flops_per_token,
    on_meta,
    parameter_count,
    training_flops,
)
from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.config import AttentionSpec
from companion.gpt import GPT
from companion.presets import gpt2
from companion.tiled_attention import tiled_attention


@claim(
    "Attention is cheaper than recurrence as long as $n < d$",
    verdict="It depends",
    holds=r"""
    That compares the scores alone with one $d \times d$ product. With the projections a token
    costs $8d^2 + 4nd$ in attention, $4d^2$ in a plain RNN, $12d^2$ in a GRU and $16d^2$ in an
    LSTM. At $d = 512$ attention is dearer than the RNN at every length, level with the GRU at
    $n =$ <gru:,> and with the LSTM at $n =$ <lstm:,>.
    """,
    shown="operations counted while the layers ran",
    where="{ref}`three-columns`",
)
def cheaper() -> Values:
    d = 512
    layers = {
        "rnn": on_meta(nn.RNN, d, d, batch_first=True),
        "gru": on_meta(nn.GRU, d, d, batch_first=True),
        "lstm": on_meta(nn.LSTM, d, d, batch_first=True),
        "attention": on_meta(MultiHeadAttention, d, AttentionSpec(n_heads=8)),
    }
    for kind, layer in layers.items():
        x = torch.zeros(1, 16, d, device="meta")
        counted = forward_flops(layer, *((x, x, x) if kind == "attention" else (x,)))
        assert counted == 16 * mixing_flops_per_token(kind, d_model=d, length=16), kind
    rnn, gru, lstm = (crossing_length(kind, d_model=d) for kind in ("rnn", "gru", "lstm"))
    assert rnn is None
    assert (gru, lstm) == (d, 2 * d)
    return {"gru": gru, "lstm": lstm}


def layers_until_connected(n: int, width: int, *, dilated: bool) -> int:
    """Layers of causal convolution until the first of n positions reaches the last."""
    stained, layers = np.arange(n) == 0, 0
    while not stained[-1]:
        spacing = width**layers if dilated else 1
        before = stained.copy()
        for i in range(1, width):
            back = min(i * spacing, n)
            stained[back:] |= before[: n - back]
        layers += 1
    return layers


@claim(
    "The longest path through convolutions is $O(\\log_k n)$",
    verdict="Only dilated",
    holds=r"""
    Only in stacks whose kernels skip more positions in every layer
    {cite:p}`kalchbrenner2016neural`. Contiguous kernels need $O(n/k)$ layers: for 1,000
    positions and kernels of width 9 it is <contiguous> against <dilated>.
    """,
    shown="hops counted",
    where="{ref}`path-length`",
)
def convolution() -> Values:
    contiguous, dilated = (layers_until_connected(1000, 9, dilated=d) for d in (False, True))
    assert contiguous == -(-999 // 8)
    assert 9 ** (dilated - 1) < 1000 <= 9**dilated
    return {"contiguous": contiguous, "dilated": dilated}


@claim(
    "Attention needs $O(n^2)$ memory",
    verdict="Wrong",
    holds=r"""
    $O(n^2)$ *arithmetic*, yes. Taken tile by tile with an online softmax, exact attention needs
    $O(n)$ extra memory {cite:p}`rabe2021self,dao2022flashattention`. From 2,048 to 4,096 tokens
    the peak, forward and backward, grows <written:.1f>-fold for the written-out formula and
    <tiled:.1f>-fold for the tiles, and at 4,096 tokens it is <written_mib:.0f> MiB against
    <tiled_mib:.0f>. The outputs are equal.
    """,
    shown="measured: `book/experiments/attention_memory.py`, three seeds",
    where="{ref}`tiling`",
)
def memory() -> Values:
    measured = experiments.load("attention_memory")["results"]["forward_and_backward"]
    peaks = {way: np.array(measured[way]["peak_bytes"]) for way in ("written out", "tiled")}
    growth = {way: bytes_[:, -1] / bytes_[:, -2] for way, bytes_ in peaks.items()}
    assert (growth["written out"] > 3.8).all()
    assert (growth["tiled"] < 2.1).all()

    q, k, v = torch.randn(3, 50, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    whole = scaled_dot_product_attention(q, k, v)
    tiled = tiled_attention(q[None, None], k[None, None], v[None, None], tile_size=16)[0, 0]
    assert torch.allclose(tiled, whole, rtol=0, atol=1e-12)
    return {
        "written": growth["written out"].mean(),
        "tiled": growth["tiled"].mean(),
        "written_mib": peaks["written out"][:, -1].mean() / 2**20,
        "tiled_mib": peaks["tiled"][:, -1].mean() / 2**20,
    }


@claim(
    "Attention is quadratic in the length, so that is where the time goes",
    verdict="It depends",
    holds=r"""
    The scores are quadratic. A token's share of them, $4nd$, reaches that of a layer's weights,
    $24d^2$, only at $n = 6d$: <crossing:,> tokens for GPT-2 small. With its 1,024 tokens filled
    they are <share:.0%> of a layer's arithmetic.
    """,
    shown="counted",
    where="{ref}`flops`",
)
def quadratic() -> Values:
    layer = layer_flops_per_token(gpt2().stack, context=1024)
    crossing = 1024 * (layer.projections + layer.feed_forward) // layer.scores
    assert crossing == 6 * gpt2().d_model
    return {"crossing": crossing, "share": layer.scores / layer.total}


@claim(
    "Training costs $6ND$ operations",
    verdict="A rule of thumb",
    holds=r"""
    It sees neither the scores, which have no parameters, nor that an input table is looked up
    and not multiplied. For GPT-2 small on 1,024 tokens it gives <share:.0%> of the exact count.
    It is good for large models on texts of a few thousand tokens {cite:p}`kaplan2020scaling`.
    """,
    shown="operations counted, forward and backward",
    where="{ref}`kaplan`",
)
def six_nd() -> Values:
    model = on_meta(GPT, gpt2())
    exact = training_flops(model, torch.zeros(1, 1024, dtype=torch.long))
    return {"share": estimated_training_flops(parameter_count(model), 1024) / exact}
