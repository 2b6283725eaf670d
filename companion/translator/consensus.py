"""Which of a beam's hypotheses to take: not the most probable, but the one the others agree with.

A model spreads its probability over many ways to say a thing, and the single most probable one may
be an odd one out. Minimum Bayes risk decoding takes the hypothesis that would be scored best on
average, if each of the others in turn were the reference, with the probability that the model gives
it (Kumar and Byrne, 2004, "Minimum Bayes-Risk Decoding for Statistical Machine Translation",
section 2; Eikema and Aziz, 2020, "Is MAP Decoding All You Need?", for neural models). The score is
chrF, a character n-gram F-score (Popović, 2015), of sacrebleu.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any


def most_agreed(texts: Sequence[str], scores: Sequence[float], temperature: float) -> int:
    """The index of the text with the highest expected chrF, the other texts being references.

    Args:
        scores: of each text, as the beam compared them; text `i` has the weight
            `exp(scores[i] / temperature)`.
        temperature: the higher, the more every hypothesis counts alike; near 0 only the most
            probable one counts, and it is taken.

    Raises ValueError without texts, or for a temperature that is not positive.
    """
    if not texts:
        raise ValueError("there are no hypotheses to choose from")
    if not temperature > 0:
        raise ValueError(f"temperature must be positive, got {temperature!r}")
    best = max(scores)
    weights = [math.exp((score - best) / temperature) for score in scores]
    expected = [
        sum(weight * _agreement(text, other) for other, weight in zip(texts, weights, strict=True))
        for text in texts
    ]
    return max(range(len(texts)), key=expected.__getitem__)


def _agreement(text: str, reference: str) -> float:
    """Sentence-level chrF2, 0 to 100."""
    if text == reference:
        return 100.0
    return float(_chrf().sentence_score(text, [reference]).score)


@cache
def _chrf() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()
