"""Right answers that look different; each must pass."""

import heapq
import math
from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("through-the-logarithm")
def length_penalty(length, alpha):
    return math.exp(alpha * math.log((length + 5) / 6))


def penalised(score, length, alpha):
    return score / ((5 + length) / 6) ** alpha


@variants.function("lists-and-a-heap")
def beam_search(step, prompt, eos_id, beam_size, max_new_tokens, alpha):
    live, done = [(0.0, [])], []
    for _ in range(max_new_tokens):
        candidates = []
        for score, ids in live:
            row = step(torch.tensor([prompt + ids]))[0].tolist()
            candidates += [(score + gain, [*ids, token]) for token, gain in enumerate(row)]
        live = []
        for score, ids in heapq.nlargest(beam_size, candidates):
            if ids[-1] == eos_id:
                done.append((penalised(score, len(ids), alpha), ids[:-1]))
            else:
                live.append((score, ids))
    if done:
        return max(done)[::-1]
    score, ids = max(live)
    return ids, penalised(score, len(ids), alpha)


@variants.function("stops-as-soon-as-nothing-can-win")
def beam_search(step, prompt, eos_id, beam_size, max_new_tokens, alpha):
    live, best = {tuple(prompt): 0.0}, None
    for length in range(1, max_new_tokens + 1):
        rows = (
            torch.tensor(list(live.values()))[:, None] + step(torch.tensor(list(live)))
        ).tolist()
        grown = {
            (*ids, token): total
            for ids, row in zip(live, rows, strict=True)
            for token, total in enumerate(row)
        }
        kept = dict(sorted(grown.items(), key=lambda item: -item[1])[:beam_size])
        for ids, total in kept.items():
            value = penalised(total, length, alpha)
            if ids[-1] == eos_id and (best is None or value > best[1]):
                best = list(ids[len(prompt) : -1]), value
        live = {ids: total for ids, total in kept.items() if ids[-1] != eos_id}
        hope = max(live.values(), default=-math.inf)
        if best and penalised(hope, max_new_tokens, alpha) <= best[1]:
            return best
    if best:
        return best
    ids = max(live, key=live.__getitem__)
    return list(ids[len(prompt) :]), penalised(live[ids], max_new_tokens, alpha)


@variants.function("empty-places-at-minus-infinity")
def beam_search(step, prompt, eos_id, beam_size, max_new_tokens, alpha):
    width = beam_size
    beam = torch.tensor([prompt]).expand(width, -1)
    scores = torch.full((width, 1), -torch.inf, dtype=torch.float64)
    scores[0] = 0
    found, found_score = None, -torch.inf
    for n in range(1, max_new_tokens + 1):
        totals = scores + step(beam)
        top = totals.view(-1).topk(width)
        rows = torch.div(top.indices, totals.size(1), rounding_mode="floor")
        tokens = top.indices.remainder(totals.size(1))
        beam = torch.cat([beam.index_select(0, rows), tokens.view(-1, 1)], dim=-1)
        values = torch.where(tokens == eos_id, top.values, -torch.inf)
        if penalised(values.max().item(), n, alpha) > found_score:
            found = beam[values.argmax(), len(prompt) : -1]
            found_score = penalised(values.max().item(), n, alpha)
        scores = top.values.masked_fill(tokens == eos_id, -torch.inf).view(-1, 1)
    if found is None:
        row = int(scores.argmax())
        found, found_score = beam[row, len(prompt) :], penalised(scores[row].item(), n, alpha)
    return found.tolist(), found_score
