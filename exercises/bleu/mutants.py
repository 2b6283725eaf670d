"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

import math
from collections import Counter
from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

START = "hypothesis_length = reference_length = 0"
CLOSEST = "reference_length += min((abs(len(o) - length), len(o)) for o in options)[1]"
COUNTS = "counts = ngrams(hypothesis, n)"
MOST = "most |= ngrams(option, n)"
MATCHES = "matches[n - 1] += sum((counts & most).values())"
TOTALS = "totals[n - 1] += sum(counts.values())"
ZERO = "    if min(matches) == 0:\n        return 0.0\n"
MEAN = "mean = sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / max_n"
PENALTY = "penalty = min(0.0, 1 - reference_length / hypothesis_length)"
RESULT = "return 100 * math.exp(mean + penalty)"
RANGE = "range(len(tokens) - n + 1)"

# --- matches
variants.edit(
    "unclipped",
    (MATCHES, "matches[n - 1] += sum(c for piece, c in counts.items() if piece in most)"),
)
variants.edit("references-added", (MOST, MOST.replace("|=", "+=")))
variants.edit(
    "rarest-reference",
    ("most = Counter()", "most = ngrams(options[0], n)"),
    (MOST, MOST.replace("|=", "&=")),
)
variants.edit(
    "one-best-reference",
    (
        "most = Counter()",
        "best = max(options, key=lambda o: sum((counts & ngrams(o, n)).values()))\n"
        "            most = ngrams(best, n)",
    ),
    (MOST, "pass"),
)
variants.edit("first-reference-only", ("for option in options:", "for option in options[:1]:"))
variants.edit("kinds-not-counts", (COUNTS, "counts = Counter(set(ngrams(hypothesis, n)))"))
variants.edit("recall", (TOTALS, "totals[n - 1] += sum(most.values())"))
variants.edit("last-piece-missing", (RANGE, "range(len(tokens) - n)"))
variants.edit("short-pieces-too", (RANGE, "range(len(tokens))"))
variants.edit("pieces-side-by-side", (RANGE, "range(0, len(tokens) - n + 1, n)"))
variants.edit("order-ignored", ("tuple(tokens[i : i + n])", "tuple(sorted(tokens[i : i + n]))"))

# --- the mean
variants.edit("longest-pieces-only", (MEAN, "mean = math.log(matches[-1] / totals[-1])"))
variants.edit(
    "arithmetic-mean",
    (MEAN, "mean = math.log(sum(m / t for m, t in zip(matches, totals, strict=True)) / max_n)"),
)
variants.edit("product-without-root", (MEAN, MEAN.replace(" / max_n", "")))
variants.edit("always-four", (MEAN, MEAN.replace("/ max_n", "/ 4")))
variants.edit("all-pieces-in-one", (MEAN, "mean = math.log(sum(matches) / sum(totals))"))
variants.edit(
    "smoothed",
    (ZERO, ""),
    (MEAN, MEAN.replace("m / t", "(m + 1) / (t + 1)")),
    (PENALTY, "penalty = min(0.0, 1 - reference_length / max(hypothesis_length, 1))"),
)
variants.edit(
    "zero-skipped",
    (ZERO, "    if max(matches) == 0:\n        return 0.0\n"),
    (MEAN, MEAN.replace("strict=True)", "strict=True) if m")),
)
variants.edit("zero-crashes", (ZERO, ""))
variants.edit(
    "tiny-instead-of-zero",
    (ZERO, "    if hypothesis_length == 0:\n        return 0.0\n"),
    (MEAN, MEAN.replace("m / t", "max(m, 1e-9) / max(t, 1)")),
)

# --- the brevity penalty
variants.edit("no-brevity-penalty", (PENALTY, "penalty = 0.0"))
variants.edit(
    "brevity-upside-down", (PENALTY, "penalty = min(0.0, 1 - hypothesis_length / reference_length)")
)
variants.edit("long-ones-rewarded", (PENALTY, "penalty = 1 - reference_length / hypothesis_length"))
variants.edit(
    "penalty-without-exponential",
    (PENALTY, "penalty = math.log(min(1.0, hypothesis_length / reference_length))"),
)
variants.edit("longest-reference", (CLOSEST, "reference_length += max(len(o) for o in options)"))
variants.edit("shortest-reference", (CLOSEST, "reference_length += min(len(o) for o in options)"))
variants.edit("first-references-length", (CLOSEST, "reference_length += len(options[0])"))
variants.edit(
    "average-length", (CLOSEST, "reference_length += sum(len(o) for o in options) / len(options)")
)
variants.edit(
    "longer-of-two",
    (
        CLOSEST,
        "reference_length += min((abs(len(o) - length), -len(o), len(o)) for o in options)[2]",
    ),
)
variants.edit(
    "all-references-length", (CLOSEST, "reference_length += sum(len(o) for o in options)")
)

# --- the result
variants.edit("fraction", (RESULT, RESULT.replace("100 * ", "")))
variants.edit("rounded", (RESULT, "return round(100 * math.exp(mean + penalty), 2)"))
variants.edit("logarithm", (RESULT, "return 100 * (mean + penalty)"))

FLATTEN = """    whole = [[token for sentence in hypotheses for token in sentence]]
    longest = max(len(options) for options in references)
    references = [
        [
            [token for options in references for token in options[min(k, len(options) - 1)]]
            for k in range(longest)
        ]
    ]
    hypotheses = whole
"""
variants.edit("across-sentences", ("    matches, totals =", FLATTEN + "    matches, totals ="))


@variants.function("one-score-a-sentence")
def corpus_bleu(hypotheses, references, max_n=4):
    return list(map(_sentence, hypotheses, references, [max_n] * len(hypotheses)))


@variants.function("average-of-sentences")
def corpus_bleu(hypotheses, references, max_n=4):
    return sum(map(_sentence, hypotheses, references, [max_n] * len(hypotheses))) / len(hypotheses)


def _sentence(hypothesis, options, max_n):
    precisions = _precisions(hypothesis, options, max_n)
    closest = min((abs(len(o) - len(hypothesis)), len(o)) for o in options)[1]
    if min(precisions) == 0:
        return 0.0
    mean = sum(map(math.log, precisions)) / max_n
    return 100 * math.exp(mean + min(0.0, 1 - closest / len(hypothesis)))


def _precisions(hypothesis, options, max_n):
    result = []
    for n in range(1, max_n + 1):
        pieces = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
        most = Counter()
        for o in options:
            most |= Counter(tuple(o[i : i + n]) for i in range(len(o) - n + 1))
        matches = sum((Counter(pieces) & most).values())
        result.append(matches / len(pieces) if pieces else 0.0)
    return result
