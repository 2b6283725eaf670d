"""Right answers that look different; each must pass."""

import math
from pathlib import Path

import numpy as np

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("dictionaries-by-hand")
def corpus_bleu(hypotheses, references, max_n=4):
    def count(tokens, n):
        table = {}
        for start in range(len(tokens) - n + 1):
            piece = " ".join(tokens[start : start + n])
            table[piece] = table.get(piece, 0) + 1
        return table

    product = 1.0
    for n in range(1, max_n + 1):
        right = everything = 0
        for hypothesis, options in zip(hypotheses, references, strict=True):
            tables = [count(option, n) for option in options]
            for piece, times in count(hypothesis, n).items():
                right += min(times, max(table.get(piece, 0) for table in tables))
                everything += times
        product *= right / everything if everything else 0.0
    c, r = 0, 0
    for hypothesis, options in zip(hypotheses, references, strict=True):
        c += len(hypothesis)
        r += min(sorted(map(len, options)), key=lambda length: abs(length - len(hypothesis)))
    if c == 0:
        return 0.0
    return 100 * (1 if c > r else math.exp(1 - r / c)) * product ** (1 / max_n)


@variants.function("removing-what-matched")
def corpus_bleu(hypotheses, references, max_n=4):
    found = np.zeros((2, max_n))
    lengths = np.zeros(2)
    for hypothesis, options in zip(hypotheses, references, strict=True):
        gaps = [(abs(len(option) - len(hypothesis)), len(option)) for option in options]
        lengths += len(hypothesis), sorted(gaps)[0][1]
        for n in range(max_n):
            pieces = list(zip(*(hypothesis[k:] for k in range(n + 1)), strict=False))
            for piece in set(pieces):
                there = [
                    list(zip(*(option[k:] for k in range(n + 1)), strict=False)).count(piece)
                    for option in options
                ]
                found[:, n] += min(pieces.count(piece), max(there)), pieces.count(piece)
    if not found[0].all():
        return 0.0
    mean = np.log(found[0] / found[1]).mean()
    return float(100 * np.exp(mean - max(0.0, lengths[1] / lengths[0] - 1)))


@variants.function("geometric-mean-of-the-standard-library")
def corpus_bleu(hypotheses, references, max_n=4):
    from collections import Counter
    from statistics import geometric_mean

    def grams(tokens, n):
        return Counter(tuple(tokens[i : i + n]) for i in range(max(0, len(tokens) - n + 1)))

    rows = list(zip(hypotheses, references, strict=True))
    precisions = []
    for n in range(1, max_n + 1):
        match = total = 0
        for tokens, options in rows:
            have = grams(tokens, n)
            ceiling = [grams(option, n) for option in options]
            match += sum(min(k, max(c[g] for c in ceiling)) for g, k in have.items())
            total += max(len(tokens) - n + 1, 0)
        if not match:
            return 0.0
        precisions.append(match / total)
    c = sum(len(tokens) for tokens, _ in rows)
    r = sum(min((abs(len(o) - len(t)), len(o)) for o in options)[1] for t, options in rows)
    return 100.0 * geometric_mean(precisions) * min(1.0, math.exp(1 - r / c))
