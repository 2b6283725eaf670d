"""The implementations that the learner's test is tried on; trusted code, run in the child."""

import torch
import torch.nn.functional as F

from exercises.engine.isolated.testing import run_test


def fused(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


def written_out(x, weight, bias, eps):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.var(-1, correction=0, keepdim=True) + eps).sqrt() * weight + bias


def other_rounding(x, weight, bias, eps):
    mean = x.sum(-1, keepdim=True) * (1 / x.size(-1))
    variance = (x * x).mean(-1, keepdim=True) - mean * mean
    scale = torch.rsqrt(variance + eps) * weight
    return x * scale + (bias - mean * scale)


def unbiased_variance(x, weight, bias, eps):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.var(-1, keepdim=True) + eps).sqrt() * weight + bias


def eps_outside_the_root(x, weight, bias, eps):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.std(-1, correction=0, keepdim=True) + eps) * weight + bias


def eps_of_its_own(x, weight, bias, _):
    return fused(x, weight, bias, 1e-5)


def variance_without_root(x, weight, bias, eps):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.var(-1, correction=0, keepdim=True) + eps) * weight + bias


def mean_not_subtracted(x, weight, bias, eps):
    return x / (x.var(-1, correction=0, keepdim=True) + eps).sqrt() * weight + bias


def root_mean_square(x, weight, bias, eps):
    return x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def weight_ignored(x, weight, bias, eps):
    return fused(x, torch.ones_like(weight), bias, eps)


def bias_ignored(x, weight, bias, eps):
    return fused(x, weight, torch.zeros_like(bias), eps)


def bias_before_weight(x, weight, bias, eps):
    return fused(x, None, bias, eps) * weight


def over_axis_one(x, weight, bias, eps):
    mean = x.mean(1, keepdim=True)
    return (x - mean) / (x.var(1, correction=0, keepdim=True) + eps).sqrt() * weight + bias


def over_the_whole_sentence(x, weight, bias, eps):
    axes = tuple(range(max(1, x.dim() - 2), x.dim()))
    variance = x.var(axes, correction=0, keepdim=True)
    return (x - x.mean(axes, keepdim=True)) / (variance + eps).sqrt() * weight + bias


def float32_result(x, weight, bias, eps):
    return fused(x.float(), weight.float(), bias.float(), eps)


def writes_into_x(x, weight, bias, eps):
    x -= x.mean(-1, keepdim=True)
    return fused(x, weight, bias, eps)


def on_all(namespace, case, arguments):
    return run_test(namespace, case["function"], globals(), arguments)
