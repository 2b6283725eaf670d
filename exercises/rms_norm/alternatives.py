"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("library")
def rms_norm(x, weight, eps=1e-6):
    return F.rms_norm(x, (x.size(-1),), weight, eps)


@variants.function("from-the-length")
def rms_norm(x, weight, eps=1e-6):
    length = torch.linalg.vector_norm(x.double(), dim=-1, keepdim=True)
    return (x / torch.sqrt(length**2 / x.size(-1) + eps) * weight).type_as(x)


@variants.function("einsum")
def rms_norm(x, weight, eps=1e-6):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = torch.einsum("btd,btd->bt", wide, wide)[..., None] / x.size(-1)
    return (weight * (wide * (mean_square + eps) ** -0.5)).to(x.dtype)


@variants.function("feature-by-feature")
def rms_norm(x, weight, eps=1e-6):
    features = [f.double() for f in x.unbind(dim=-1)]
    root = (sum(f * f for f in features) / len(features) + eps).sqrt()
    return torch.stack([f / root for f in features], dim=-1).to(x.dtype) * weight
