"""Right answers that look different; each must pass."""

import math
from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("two-cases")
def learning_rate(step, d_model, warmup):
    number = step + 1
    if number < warmup:
        return number / (math.sqrt(d_model) * warmup * math.sqrt(warmup))
    return 1 / math.sqrt(d_model * number)


@variants.function("peak-times-share")
def learning_rate(step, d, w):
    w = w or 1
    peak = (d * w) ** -0.5
    share = (step + 1) / w
    return peak * (share if share < 1 else share**-0.5)


@variants.function("tensor")
def learning_rate(step, d_model, warmup):
    n = torch.tensor(float(step + 1), dtype=torch.float64)
    slope = n * torch.tensor(max(1.0, warmup), dtype=torch.float64).pow(-1.5)
    return torch.minimum(n.rsqrt(), slope) * d_model**-0.5


@variants.function("logarithms")
def learning_rate(step, d_model, warmup):
    n, w = math.log(step + 1), math.log(max(warmup, 1))
    return math.exp(min(-n / 2, n - 1.5 * w) - math.log(d_model) / 2)
