"""Corpus BLEU: how many short pieces of a translation also stand in a reference?

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check bleu
"""

import math
from collections import Counter


def corpus_bleu(
    hypotheses: list[list[str]], references: list[list[list[str]]], max_n: int = 4
) -> float:
    """BLEU of a whole test set, between 0 and 100 (Papineni et al., 2002).

    For each n from 1 to max_n, over all sentences together:
        p_n = matches / n-grams in the hypotheses.
    An n-gram of a hypothesis matches at most as often as it stands in one of its references: in
    the one where it stands most often.

    BLEU = 100 · BP · (p_1 · p_2 · … · p_max_n) ** (1 / max_n)

    The brevity penalty BP compares c, the length of all hypotheses together, with r: BP is 1 if
    c > r, else exp(1 - r / c). For r each sentence counts the length of the reference whose length
    is closest to the hypothesis'; of two that are equally close the shorter.

    If there is no match for some n, BLEU is 0. Nothing is smoothed.

    Args:
        hypotheses: one list of tokens for each sentence.
        references: for each sentence one or more references, each a list of tokens.
    """
    # solution:
    matches, totals = [0] * max_n, [0] * max_n
    hypothesis_length = reference_length = 0
    for hypothesis, options in zip(hypotheses, references, strict=True):
        length = len(hypothesis)
        hypothesis_length += length
        reference_length += min((abs(len(o) - length), len(o)) for o in options)[1]
        for n in range(1, max_n + 1):
            counts = ngrams(hypothesis, n)
            most = Counter()
            for option in options:
                most |= ngrams(option, n)
            matches[n - 1] += sum((counts & most).values())
            totals[n - 1] += sum(counts.values())
    if min(matches) == 0:
        return 0.0
    mean = sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / max_n
    penalty = min(0.0, 1 - reference_length / hypothesis_length)
    return 100 * math.exp(mean + penalty)
    # end


def ngrams(tokens: list[str], n: int) -> Counter:
    """How often each n-gram stands in the tokens. Given, for you to use if you like."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
