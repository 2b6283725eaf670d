"""Speed against a peer, both timed in turn in the same run: `python tests/benchmarks/run.py`.

A ratio above 1 means that ours is slower. Machines are shared and noisy: read the ratio's spread,
not the milliseconds.
"""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.config import AttentionSpec, tiny_translator
from companion.generation import greedy
from companion.masks import causal_mask
from companion.transformer import Transformer


@dataclass
class Duel:
    """One comparison: two functions that do the same work."""

    name: str
    ours: Callable[[], object]
    peer: Callable[[], object]


def attention() -> Iterator[Duel]:
    q, k, v = (torch.randn(8, 8, 256, 64) for _ in range(3))
    mask = causal_mask(256)
    yield Duel(
        "attention: written out against fused, (8, 8, 256, 64)",
        lambda: scaled_dot_product_attention(q, k, v, mask=mask, fused=False),
        lambda: scaled_dot_product_attention(q, k, v, mask=mask, fused=True),
    )
    ours = MultiHeadAttention(512, AttentionSpec(n_heads=8)).eval()
    torchs = nn.MultiheadAttention(512, 8, batch_first=True).eval()
    x = torch.randn(8, 128, 512)
    seen, hidden = causal_mask(128), ~causal_mask(128)
    yield Duel(
        "multi-head attention against nn.MultiheadAttention, (8, 128, 512)",
        lambda: ours(x, x, x, mask=seen),
        lambda: torchs(x, x, x, attn_mask=hidden, need_weights=False),
    )


def half_precision_on_a_cpu() -> Iterator[Duel]:
    """What decides which path attention takes while it trains in bfloat16 on a CPU."""
    for keys in (16, 64, 256):
        shape = (max(2048 // keys, 1), 8, keys, 32)
        q, k, v = (torch.randn(shape, dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
        seen = torch.ones(keys, dtype=torch.bool)
        seen[-2:] = False

        def step(
            fused: bool, q: Tensor = q, k: Tensor = k, v: Tensor = v, m: Tensor = seen
        ) -> None:
            scaled_dot_product_attention(q, k, v, mask=m, fused=fused).sum().backward()

        yield Duel(
            f"bfloat16, forward and backward: written out against fused, {shape}",
            partial(step, False),
            partial(step, True),
        )


def training_step() -> Iterator[Duel]:
    vocab = 1000
    ours = Transformer(tiny_translator(vocab, dropout=0.0))
    # nn.Transformer announces that its own fast path is off with norm_first.
    warnings.filterwarnings("ignore", message="enable_nested_tensor")
    torchs = nn.Transformer(128, 4, 2, 2, 512, dropout=0.0, batch_first=True, norm_first=True)
    table = nn.Embedding(vocab, 128)
    source, target = torch.randint(1, vocab, (64, 12)), torch.randint(1, vocab, (64, 14))
    hidden = nn.Transformer.generate_square_subsequent_mask(14)

    def step_ours() -> None:
        ours(source, target).logsumexp(-1).mean().backward()

    def step_torch() -> None:
        out = torchs(table(source), table(target), tgt_mask=hidden, tgt_is_causal=True)
        (out @ table.weight.T).logsumexp(-1).mean().backward()

    yield Duel("training step of the tiny translator against nn.Transformer", step_ours, step_torch)


def decoding() -> Iterator[Duel]:
    model = Transformer(tiny_translator(1000)).eval()
    source = torch.randint(3, 1000, (16, 12))

    def cached() -> None:
        greedy(model.start(source, bos_id=1, max_new_tokens=40), eos_id=2)

    @torch.no_grad()
    def uncached() -> None:
        memory, target = model.encode(source), torch.ones(16, 1, dtype=torch.long)
        for _ in range(40):
            chosen = model.decode(target, memory)[:, -1].argmax(-1)
            target = torch.cat([target, chosen[:, None]], dim=1)

    yield Duel("40 greedy tokens: with the cache against without", cached, uncached)


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="timed rounds a duel (median)")
    rounds = parser.parse_args().rounds
    torch.manual_seed(0)
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {rounds} rounds\n")
    print(f"{'ours':>9} {'peer':>9} {'ratio':>6} {'(quartiles)':>15}")
    for group in (attention, half_precision_on_a_cpu, training_step, decoding):
        for duel in group():
            duel.ours(), duel.peer()  # warm up
            pairs = [(seconds(duel.ours), seconds(duel.peer)) for _ in range(rounds)]
            ours, peer = (statistics.median(column) for column in zip(*pairs, strict=True))
            low, middle, high = statistics.quantiles([a / b for a, b in pairs], n=4)
            print(
                f"{ours * 1e3:7.2f}ms {peer * 1e3:7.2f}ms {middle:6.2f} ({low:5.2f} … {high:5.2f})"
                f"  {duel.name}"
            )


if __name__ == "__main__":
    main()
