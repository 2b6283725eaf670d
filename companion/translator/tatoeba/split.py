"""A split that does not leak: sentences that share a source or a translation stay together.

Drawing pairs at random leaves a fifth of the test sources in the training data as well, because
Tatoeba has many translations of one sentence. Pairs are therefore the edges of a graph whose nodes
are sentences, and whole connected components go to one part.

The test set is fixed: `test_ids.txt` lists the Tatoeba ids of its Chinese sentences. It was drawn
once, before any model was trained, from all pairs (no length filter), and is pinned by a hash.
Other files of Tatoeba's, older or newer, get the same test sentences through these ids.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import NamedTuple

from companion.translator.tatoeba.cleaning import CleanPair
from companion.translator.tatoeba.reading import DataError

TEST_IDS_SHA256 = "162fcfc8e00e4cda3113d8f27b3a0394a23b58749faccbd0f39d2c5c5ea68a2b"
TEST_SOURCES, DEV_SOURCES = 2500, 1500
"""How many different sources are drawn at least."""

Component = list[CleanPair]


class Split(NamedTuple):
    """The pairs of each part."""

    train: list[CleanPair]
    dev: list[CleanPair]
    test: list[CleanPair]


def split(pairs: Sequence[CleanPair]) -> Split:
    """Whole components to test (the fixed ids), to dev (drawn by hash), to training (the rest).

    Where no pair carries a fixed id (a corpus of your own), the test part is drawn by hash as well.
    """
    parts = components(pairs)
    fixed = fixed_test_ids()
    held_out = [part for part in parts if any(pair.source_id in fixed for pair in part)]
    rest = [part for part in parts if not any(pair.source_id in fixed for pair in part)]
    if not held_out:
        held_out, rest = draw(rest, "test", TEST_SOURCES)
    dev, rest = draw(rest, "dev", DEV_SOURCES)
    return Split(*([pair for part in some for pair in part] for some in (rest, dev, held_out)))


def components(pairs: Iterable[CleanPair]) -> list[Component]:
    """Connected components, each in the order of the file, the components by their first pair."""
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    pairs = list(pairs)
    for pair in pairs:
        parent[root(f"source {pair.source_key}")] = root(f"target {pair.target_key}")
    grouped: dict[str, Component] = defaultdict(list)
    for pair in pairs:
        grouped[root(f"source {pair.source_key}")].append(pair)
    return list(grouped.values())


def draw(
    parts: Sequence[Component], purpose: str, sources: int
) -> tuple[list[Component], list[Component]]:
    """Components with at least `sources` different sources, and the rest, each in file order.

    A component's place in the draw is a hash of its own text, so that it does not depend on what
    else the file holds, nor on Python's random generator. A corpus of fewer than ten times as many
    sources gives a tenth.
    """
    total = sum(_sources(part) for part in parts)
    wanted, found, chosen = min(sources, max(1, total // 10)), 0, set()
    for index in sorted(range(len(parts)), key=_order(parts, purpose)):
        if found >= wanted:
            break
        chosen.add(index)
        found += _sources(parts[index])
    drawn = [part for index, part in enumerate(parts) if index in chosen]
    return drawn, [part for index, part in enumerate(parts) if index not in chosen]


def _sources(part: Component) -> int:
    return len({pair.source_key for pair in part})


def _order(parts: Sequence[Component], purpose: str) -> Callable[[int], str]:
    def digest(index: int) -> str:
        name = min(pair.source_key for pair in parts[index])
        return hashlib.sha256(f"{purpose}/{name}".encode()).hexdigest()

    return digest


def fixed_test_ids() -> frozenset[int]:
    """The fixed test set's Tatoeba ids. Raises DataError when the list was changed."""
    file = resources.files("companion.translator.tatoeba") / "test_ids.txt"
    content = file.read_text(encoding="utf-8")
    if hashlib.sha256(content.encode()).hexdigest() != TEST_IDS_SHA256:
        raise DataError(f"{file} is not the list that published scores were measured on")
    return frozenset(map(int, content.split()))
