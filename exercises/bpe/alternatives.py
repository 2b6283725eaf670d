"""Right answers that look different; each must pass."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("sorted-by-count-and-pair")
def most_frequent_pair(words, counts):
    table = defaultdict(int)
    for k in range(len(words)):
        for i in range(len(words[k]) - 1):
            table[words[k][i], words[k][i + 1]] += counts[k]
    if len(table) == 0:
        raise ValueError("nothing to merge")
    return sorted((-times, pair) for pair, times in table.items())[0][1]


@variants.function("largest-count-then-smallest-pair")
def most_frequent_pair(words, counts):
    text = [w for w, c in zip(words, counts, strict=True) for _ in range(c)]
    pairs = [pair for w in text for pair in pairwise(w)]
    most = max(map(pairs.count, pairs))
    return list(min(pair for pair in set(pairs) if pairs.count(pair) == most))


@variants.function("look-back")
def merge_pair(word, pair, new_id):
    merged, free = [], False
    for symbol in word:
        if free and (merged[-1], symbol) == tuple(pair):
            merged[-1], free = new_id, False
        else:
            merged.append(symbol)
            free = True
    return merged


@variants.function("pop-from-a-copy")
def merge_pair(word, pair, new_id):
    rest, merged = list(word), []
    while rest:
        if rest[:2] == list(pair):
            del rest[:2]
            merged += [new_id]
        else:
            merged += [rest.pop(0)]
    return merged


@variants.function("until-value-error")
def learn_merges(words, counts, n_merges, first_new_id):
    def best(state):
        seen = defaultdict(int)
        for word, count in zip(state, counts, strict=True):
            for pair in pairwise(word):
                seen[pair] += count
        return max(seen, key=lambda p: (seen[p], -p[0], -p[1])) if seen else None

    def merged(word, pair, new):
        for i in range(len(word) - 1):
            if tuple(word[i : i + 2]) == pair:
                return [*word[:i], new, *merged(word[i + 2 :], pair, new)]
        return word

    state, found = [list(word) for word in words], []
    while len(found) < n_merges and (pair := best(state)) is not None:
        state = [merged(word, pair, first_new_id + len(found)) for word in state]
        found.append(list(pair))
    return found


@variants.function("earliest-merge-that-is-possible")
def encode(word, merges, first_new_id):
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    word = list(word)
    while True:
        pairs = set(pairwise(word)) & ranks.keys()
        if not pairs:
            return word
        pair = min(pairs, key=ranks.__getitem__)
        i = 0
        while i < len(word) - 1:
            if (word[i], word[i + 1]) == pair:
                word[i : i + 2] = [first_new_id + ranks[pair]]
            i += 1
