"""Right answers that look different; each must pass."""

from itertools import chain, pairwise
from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


def demand_two(documents) -> None:
    if sum(map(bool, documents)) < 2:
        raise ValueError("another document is needed")


@variants.function("pairwise")
def next_sentence_pairs(documents, coins, picks):
    demand_two(documents)
    chance = zip(coins, picks, strict=False)
    pairs = []
    for index, document in enumerate(documents):
        others = list(chain(*documents[:index], *documents[index + 1 :]))
        for (first, successor), (coin, pick) in zip(pairwise(document), chance, strict=False):
            if coin < 0.5:
                pairs.append((first, successor, 0))
            else:
                pairs.append((first, others[int(pick * len(others))], 1))
    return pairs


@variants.function("positions")
def next_sentence_pairs(docs, coins, picks):
    demand_two(docs)
    flat = [(d, s) for d, doc in enumerate(docs) for s in doc]
    positives = [(i, d) for i, (d, _) in enumerate(flat[:-1]) if flat[i + 1][0] == d]
    result = []
    for k, (i, d) in enumerate(positives):
        other = [s for e, s in flat if e != d]
        label = int(coins[k] >= 0.5)
        second = (flat[i + 1][1], other[min(int(picks[k] * len(other)), len(other) - 1)])[label]
        result.append([flat[i][1], second, label])
    return result


@variants.function("generator")
def next_sentence_pairs(documents, coins, picks):
    demand_two(documents)

    def pairs():
        k = 0
        for document in documents:
            rest = [s for other in documents if other is not document for s in other]
            for place, first in enumerate(document[:-1]):
                wrong = coins[k] >= 0.5
                second = rest[int(len(rest) * picks[k])] if wrong else document[place + 1]
                yield first, second, 1 if wrong else 0
                k += 1

    return list(pairs())
