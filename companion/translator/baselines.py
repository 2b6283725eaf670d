"""What no learning, or hardly any, achieves: a score means little without them beside it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence


class NearestNeighbour:
    """Answers with the translation of the most similar sentence of the training set.

    Similarity is the share of character n-grams in common (Dice's coefficient, 1- and 2-grams);
    of equally similar sentences the first in the training set counts. It measures how much of a
    test set can be answered from memory.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        first: dict[str, str] = {}
        for source, target in pairs:
            first.setdefault(source, target)
        self._targets = list(first.values())
        self._grams = [_grams(source) for source in first]
        self._index: dict[str, list[int]] = defaultdict(list)
        for number, grams in enumerate(self._grams):
            for gram in grams:
                self._index[gram].append(number)

    def translate(self, texts: Sequence[str]) -> list[str]:
        """One stored translation a text; a text that shares nothing with any gets an empty one."""
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> str:
        grams = _grams(text)
        shared: Counter[int] = Counter()
        # Grams that stand in most sentences tell nothing and cost most: start from the rare ones.
        for gram in sorted(grams, key=lambda gram: (len(self._index.get(gram, ())), gram))[:12]:
            shared.update(self._index.get(gram, ()))
        candidates = sorted(shared, key=lambda number: (-shared[number], number))[:200]
        if not candidates:
            return ""
        best = max(candidates, key=lambda number: (_dice(grams, self._grams[number]), -number))
        return self._targets[best]


def _grams(text: str) -> frozenset[str]:
    return frozenset([*text, *(text[i : i + 2] for i in range(len(text) - 1))])


def _dice(left: frozenset[str], right: frozenset[str]) -> float:
    return 2 * len(left & right) / (len(left) + len(right))


class WordDictionary:
    """Replaces word by word, in the order of the source, by the most frequent translation.

    Words are found by taking the longest known word first; what is unknown is left out. It measures
    how much of a test set needs more than a dictionary: order, agreement, tense, articles.
    """

    def __init__(self, translations: Iterable[tuple[str, str]]) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for word, translation in translations:
            counts[word][translation] += 1
        self._entries = {
            word: min(found, key=lambda t: (-found[t], t)) for word, found in counts.items()
        }
        self._longest = max(map(len, self._entries), default=1)

    def __len__(self) -> int:
        return len(self._entries)

    def translate(self, texts: Sequence[str]) -> list[str]:
        """One string of words a text."""
        return [" ".join(filter(None, self._words(text))) for text in texts]

    def _words(self, text: str) -> Iterable[str]:
        start = 0
        while start < len(text):
            ends = range(min(len(text), start + self._longest), start, -1)
            end = next((e for e in ends if text[start:e] in self._entries), start + 1)
            yield self._entries.get(text[start:end], "")
            start = end
