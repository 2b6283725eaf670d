"""How many test sentences also stand in the training data, drawn at random or by components.

    cd book && python -m experiments.tatoeba_split

Needs the data: pip install 'transformer-companion[tatoeba]'.
"""

import random
import time

from course import experiments

from companion.translator.tatoeba.cleaning import CleanPair, clean
from companion.translator.tatoeba.reading import read_pairs
from companion.translator.tatoeba.split import components

SEEDS = [0, 1, 2, 3, 4]
TEST_PAIRS = 2500


def shares(train: list[CleanPair], test: list[CleanPair]) -> tuple[float, float]:
    """The shares of different test sources and test translations that training has as well."""
    sources = {pair.source_key for pair in test}
    targets = {pair.target_key for pair in test}
    return (
        len(sources & {pair.source_key for pair in train}) / len(sources),
        len(targets & {pair.target_key for pair in train}) / len(targets),
    )


def at_random(pairs: list[CleanPair], seed: int) -> tuple[float, float]:
    """Single pairs are drawn."""
    order = random.Random(seed).sample(pairs, len(pairs))
    return shares(order[TEST_PAIRS:], order[:TEST_PAIRS])


def by_components(pairs: list[CleanPair], seed: int) -> tuple[float, float]:
    """Whole components are drawn, until there are as many pairs."""
    parts = components(pairs)
    random.Random(seed).shuffle(parts)
    test: list[CleanPair] = []
    while len(test) < TEST_PAIRS:
        test.extend(parts.pop())
    return shares([pair for part in parts for pair in part], test)


def main() -> None:
    """Draw with every seed and store the shares."""
    started = time.perf_counter()
    pairs, _ = clean(read_pairs().rows)
    results = {}
    for name, split in (("random", at_random), ("components", by_components)):
        found = [split(pairs, seed) for seed in SEEDS]
        results[name] = {
            "sources": [round(sources, 4) for sources, _ in found],
            "targets": [round(targets, 4) for _, targets in found],
        }
    experiments.save(
        __file__,
        configuration={"test_pairs": TEST_PAIRS},
        seeds=SEEDS,
        results=results,
        seconds=time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
