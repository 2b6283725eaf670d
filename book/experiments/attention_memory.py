"""Memory and time of exact attention, three ways, against the length of the text.

    cd book && python -m experiments.attention_memory

The chapter on long contexts plots what this writes: one head of 64 components, forward alone and
forward with backward, through the written-out formula, the package's tiled attention, and PyTorch's
fused kernel. Memory is the peak of what PyTorch's allocator hands out while the function runs, the
inputs not counted. Time is the processor's own, which other programs on the machine disturb little:
the best of three runs.
"""

import json
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from course import experiments
from torch import Tensor

from companion.attention import scaled_dot_product_attention
from companion.tiled_attention import tiled_attention

SEEDS = [0, 1, 2]
LENGTHS = [256, 512, 1024, 2048, 4096]
D_HEAD, TILE, REPEATS = 64, 128, 3
WAYS: dict[str, Callable[..., Tensor]] = {
    "written out": partial(scaled_dot_product_attention, fused=False),
    "tiled": partial(tiled_attention, tile_size=TILE),
    "fused kernel": partial(scaled_dot_product_attention, fused=True),
}


def peak_bytes(run: Callable[[], object]) -> int:
    """The largest sum of bytes that ``run`` had allocated and not yet given back."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profiler:
        run()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    steps = sorted((e["ts"], e["args"]["Bytes"]) for e in events if e.get("name") == "[memory]")
    now = peak = 0
    for _, size in steps:
        now += size
        peak = max(peak, now)
    return peak


def best_seconds(run: Callable[[], object]) -> float:
    """The shortest of a few runs, in seconds of the processor."""
    seconds = []
    for _ in range(REPEATS):
        started = time.process_time()
        run()
        seconds.append(time.process_time() - started)
    return round(min(seconds), 6)


def forward(way: Callable[..., Tensor], inputs: tuple[Tensor, ...]) -> None:
    with torch.no_grad():
        way(*inputs)


def forward_and_backward(way: Callable[..., Tensor], inputs: tuple[Tensor, ...]) -> None:
    query, key, value = (x.detach().requires_grad_() for x in inputs)
    way(query, key, value).sum().backward()


def main() -> None:
    started = time.perf_counter()
    torch.set_num_threads(1)
    results: dict[str, dict[str, dict[str, list]]] = {}
    for passes in (forward, forward_and_backward):
        for name, way in WAYS.items():
            found = results.setdefault(passes.__name__, {}).setdefault(name, {})
            for seed in SEEDS:
                generator = torch.Generator().manual_seed(seed)
                peaks, times = [], []
                for length in LENGTHS:
                    inputs = torch.randn(3, 1, 1, length, D_HEAD, generator=generator).unbind()
                    run = partial(passes, way, inputs)
                    times.append(best_seconds(run))
                    peaks.append(peak_bytes(run))
                found.setdefault("peak_bytes", []).append(peaks)
                found.setdefault("seconds", []).append(times)
            print(passes.__name__, name, found["peak_bytes"][0], found["seconds"][0], flush=True)
    experiments.save(
        __file__,
        configuration={
            "lengths": LENGTHS,
            "d_head": D_HEAD,
            "tile_size": TILE,
            "repeats": REPEATS,
            "dtype": "float32",
            "threads": 1,
        },
        seeds=SEEDS,
        results=results,
        seconds=time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
