"""Right answers that look different; each must pass."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("minus-infinity-and-softmax")
def top_p_filter(logits, p):
    ordered, tokens = logits.sort(descending=True)
    mass = ordered.softmax(-1).cumsum(-1)
    drop = mass.roll(1, -1) >= p
    drop[:, 0] = False
    hidden = torch.empty_like(drop).scatter_(1, tokens, drop)
    return logits.masked_fill(hidden, float("-inf")).softmax(-1)


@variants.function("ascending-from-the-tail")
def top_p_filter(logits, p):
    """As in Hugging Face's TopPLogitsWarper: what is below 1 - p from the other end goes."""
    wide = logits.double()
    ordered, tokens = torch.sort(wide, dim=-1)
    drop = ordered.softmax(dim=-1).cumsum(dim=-1) <= 1 - p
    drop[..., -1] = False
    drop = drop.gather(-1, tokens.argsort(dim=-1))
    filtered = wide.masked_fill(drop, -torch.inf)
    return torch.exp(filtered - filtered.logsumexp(dim=-1, keepdim=True)).to(logits.dtype)


@variants.function("row-by-row")
def top_p_filter(logits, p):
    result = torch.zeros_like(logits)
    for row, probs in enumerate(logits.softmax(-1)):
        mass = 0.0
        for token in probs.argsort(descending=True).tolist():
            if mass < p:
                result[row, token] = probs[token]
                mass += float(probs[token])
    return result / result.sum(-1, keepdim=True)


@variants.function("pairwise-without-sorting")
def top_p_filter(logits, p):
    probs = torch.softmax(logits, dim=-1)
    place = torch.arange(probs.size(-1))
    larger = probs[:, None, :] > probs[:, :, None]
    ahead = larger | ((probs[:, None, :] == probs[:, :, None]) & (place[None, :] < place[:, None]))
    before = (ahead * probs[:, None, :]).sum(dim=-1)
    kept = torch.where(before < p, probs, torch.zeros_like(probs))
    return kept / kept.sum(dim=-1, keepdim=True)
