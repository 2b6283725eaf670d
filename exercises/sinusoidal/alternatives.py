"""Right answers that look different; each must pass."""

import math
from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("stack-and-flatten")
def sinusoidal_positions(length, d_model):
    frequencies = 10_000 ** -(torch.arange(0, d_model, 2) / d_model)
    angles = torch.outer(torch.arange(length).float(), frequencies)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, :d_model]


@variants.function("exp-of-log")
def sinusoidal_positions(length, d_model):
    table = torch.empty(length, d_model)
    position = torch.arange(length).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10_000.0) / d_model))
    table[:, 0::2] = torch.sin(position * frequencies)
    table[:, 1::2] = torch.cos(position * frequencies[: d_model // 2])
    return table


@variants.function("number-by-number")
def sinusoidal_positions(length, d_model):
    def number(position, column):
        angle = position / 10_000 ** ((column - column % 2) / d_model)
        return math.cos(angle) if column % 2 else math.sin(angle)

    rows = [[number(p, c) for c in range(d_model)] for p in range(length)]
    return torch.tensor(rows, dtype=torch.float32)


@variants.function("phase")
def sinusoidal_positions(length, d_model):
    column = torch.arange(d_model, dtype=torch.float64)
    odd = column % 2
    angles = torch.arange(length)[:, None] / 10_000 ** ((column - odd) / d_model)
    return torch.sin(angles + odd * math.pi / 2).float()


@variants.function("complex")
def sinusoidal_positions(length, d_model):
    rates = 10_000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    turned = torch.polar(torch.ones(1), torch.arange(length)[:, None] * rates)
    return torch.stack((turned.imag, turned.real), -1).view(length, -1)[:, :d_model].contiguous()
