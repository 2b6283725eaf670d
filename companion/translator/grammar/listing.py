"""What the grammar has: its words, its constructions with examples, and a bare dictionary."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from companion.translator.grammar.derivation import Derivation
from companion.translator.grammar.pair import Pair, make_pair
from companion.translator.grammar.table import CONSTRUCTIONS

PUNCTUATION = frozenset("，？")
DIGITS = frozenset("零一二三四五六七八九十")


class Listed(NamedTuple):
    """A construction as the listing shows it."""

    name: str
    shows: str
    source: str
    target: str


def constructions(seed: int = 0) -> list[Listed]:
    """Every construction with an example, in the order of the table."""
    generator = random.Random(seed)
    listed = []
    for row in CONSTRUCTIONS:
        pair = make_pair(row, Derivation(generator))
        listed.append(Listed(row.name, row.shows, pair.source, pair.target))
    return listed


def word_types(pairs: Iterable[Pair]) -> Counter[str]:
    """How often each Chinese word occurs. Numerals count by their digits; marks do not count."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        for word in pair.source_words:
            if word in PUNCTUATION:
                continue
            if len(word) > 1 and DIGITS.issuperset(word):
                counts.update(word)
            else:
                counts[word] += 1
    return counts


def dictionary(pairs: Iterable[Pair]) -> dict[str, str]:
    """One English rendering for each Chinese word: the most frequent one by the gold alignment.

    This is what the word-by-word baseline looks words up in. A word that is aligned with nothing
    (了, 的, a measure word) is rendered by the empty string. Ties go to the rendering met first.
    """
    votes: dict[str, Counter[str]] = {}
    for pair in pairs:
        english: list[list[str]] = [[] for _ in pair.source_words]
        for source, target in pair.alignment:
            english[source].append(pair.target_words[target])
        for word, found in zip(pair.source_words, english, strict=True):
            votes.setdefault(word, Counter())[" ".join(found)] += 1
    return {word: counter.most_common(1)[0][0] for word, counter in votes.items()}
