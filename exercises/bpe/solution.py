"""Byte-pair encoding: learn which symbols belong together, and use it.

Fill in the four functions below, then run, from the folder that holds `exercises`:

    python -m exercises check bpe

A word is a list of symbols, and a symbol is a number: first a character or a byte, later a longer
piece. No pair ever reaches from one word into the next.
"""

from collections import Counter
from itertools import pairwise


def most_frequent_pair(words: list[list[int]], counts: list[int]) -> tuple[int, int]:
    """The pair of neighbouring symbols that stands in the text most often.

    Every two neighbours are a pair, so [7, 7, 7] has the pair (7, 7) twice. Of pairs that are
    equally frequent it is the smallest one, as Python compares tuples.

    Args:
        words: the different words of the text.
        counts: how often each of them stands in the text.

    Raises:
        ValueError: if there is no pair at all.

    Example: words [[1, 2, 3], [2, 3]] with counts [5, 2]: (1, 2) stands there 5 times, (2, 3) 7.
    """
    # solution:
    totals = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            totals[pair] += count
    if not totals:
        raise ValueError("no word has two symbols that could be merged")
    return min(totals, key=lambda pair: (-totals[pair], pair))
    # end


def merge_pair(word: list[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """The word with new_id in place of every occurrence of the pair, from left to right.

    A symbol is used only once: [7, 7, 7] with the pair (7, 7) becomes [new_id, 7]. The caller's
    word stays as it is.
    """
    # solution:
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i : i + 2]) == tuple(pair):
            merged.append(new_id)
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return merged
    # end


def learn_merges(
    words: list[list[int]], counts: list[int], n_merges: int, first_new_id: int
) -> list[tuple[int, int]]:
    """Merge the most frequent pair in all words, n_merges times; the pairs in this order.

    The first pair becomes the symbol first_new_id, the next one first_new_id + 1, and so on. Later
    pairs can contain earlier ones. If no pair is left, there are fewer merges. The caller's words
    stay as they are.
    """
    # solution:
    merges = []
    for new_id in range(first_new_id, first_new_id + n_merges):
        if all(len(word) < 2 for word in words):
            break
        best = most_frequent_pair(words, counts)
        words = [merge_pair(word, best, new_id) for word in words]
        merges.append(best)
    return merges
    # end


def encode(word: list[int], merges: list[tuple[int, int]], first_new_id: int) -> list[int]:
    """A new word in the learned symbols: the merges one after the other, in the learned order.

    merges[i] makes the symbol first_new_id + i.
    """
    # solution:
    for new_id, learned in enumerate(merges, first_new_id):
        word = merge_pair(word, learned, new_id)
    return word
    # end
