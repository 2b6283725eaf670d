"""Right answers that look different; each must pass."""

from pathlib import Path

import torch
import torch.nn.functional as F

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("library")
def layer_norm(x, weight, bias, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


@variants.function("var-mean")
def layer_norm(x, weight, bias, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    variance, mean = torch.var_mean(wide, dim=-1, correction=0, keepdim=True)
    return ((wide - mean) * torch.rsqrt(variance + eps)).type_as(x).mul(weight).add(bias)


@variants.function("in-float64")
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.double().mean(-1)[..., None]
    deviation = (x.double() - mean).pow(2).mean(-1)[..., None].add(eps).pow(0.5)
    return torch.addcmul(bias.double(), (x - mean) / deviation, weight.double()).to(x.dtype)


@variants.function("feature-by-feature")
def layer_norm(x, weight, bias, eps=1e-5):
    features = [f.double() for f in x.unbind(dim=-1)]
    mean = sum(features) / len(features)
    root = (sum((f - mean) ** 2 for f in features) / len(features) + eps) ** 0.5
    scaled = [(f - mean) / root * w + b for f, w, b in zip(features, weight, bias, strict=True)]
    return torch.stack(scaled, dim=-1).to(x.dtype)
