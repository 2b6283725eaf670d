"""The learning rate at every step, and AdamW over the right groups of weights.

Sources: Vaswani et al. (2017), equation 3, for warm-up and inverse square root; Loshchilov and
Hutter (2017, "SGDR") for the cosine and (2019) for AdamW.
"""

import math

import torch
from torch import nn

from companion.translator.settings import TrainingSettings


def learning_rate(step: int, settings: TrainingSettings) -> float:
    """The learning rate of update number `step`, counted from 0; it is never 0 while training.

    Warm-up rises linearly and reaches the peak with update `warmup - 1`; a warm-up of 0 or 1 starts
    at the peak. `inverse_sqrt` is equation 3 of Vaswani et al. with the peak given directly: there
    it is `(d_model · warmup)^-0.5`. `cosine` ends just above zero with the last update. Raises
    ValueError for a negative step.
    """
    if step < 0:
        raise ValueError(f"steps are counted from 0, got {step}")
    warmup = max(settings.warmup, 1)
    if step < warmup:
        return settings.learning_rate * (step + 1) / warmup
    if settings.schedule == "constant":
        return settings.learning_rate
    if settings.schedule == "inverse_sqrt":
        return settings.learning_rate * math.sqrt(warmup / (step + 1))
    # The peak at update warmup - 1 and zero at the update after the last one.
    progress = min((step + 1 - warmup) / max(settings.steps + 1 - warmup, 1), 1.0)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * progress))


def adamw(model: nn.Module, settings: TrainingSettings) -> torch.optim.AdamW:
    """AdamW that decays matrices only: biases, norms and scales are single rows of numbers."""
    weights = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {
            "params": [weight for weight in weights if weight.ndim >= 2],
            "weight_decay": settings.weight_decay,
        },
        {"params": [weight for weight in weights if weight.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        groups,
        lr=learning_rate(0, settings),
        betas=settings.betas,
        eps=1e-9,
        fused=_can_fuse(weights),
    )


def _can_fuse(weights: list[nn.Parameter]) -> bool:
    return all(weight.device.type in ("cpu", "cuda") for weight in weights)
