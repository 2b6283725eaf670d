"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PAIRS = "for pair in pairwise(word):"
ADD = "totals[pair] += count"
NONE = """    if not totals:
        raise ValueError("no word has two symbols that could be merged")
"""
BEST = "return min(totals, key=lambda pair: (-totals[pair], pair))"
WHILE = "while i < len(word):"
MATCH = "if tuple(word[i : i + 2]) == tuple(pair):"
TWO = "            i += 2\n"
MERGED = "    return merged\n"
NEW_IDS = "for new_id in range(first_new_id, first_new_id + n_merges):"
STOP = "        if all(len(word) < 2 for word in words):\n            break\n"
CHOOSE = "best = most_frequent_pair(words, counts)"
REPLACE = "words = [merge_pair(word, best, new_id) for word in words]"
MERGES = "for new_id, learned in enumerate(merges, first_new_id):"
APPLY = "word = merge_pair(word, learned, new_id)"

NEXT = """def _next(words, counts, merges):
    totals = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            totals[pair] += 0 if pair in merges else count
    best = min(totals, key=lambda pair: (-totals[pair], pair))
    return best if totals[best] else None


"""

# --- most_frequent_pair
variants.edit("counts-ignored", (ADD, "totals[pair] += 1"))
variants.edit("once-a-word", (PAIRS, "for pair in set(pairwise(word)):"))
variants.edit("first-pair", (BEST, "return next(iter(totals))"))
variants.edit("least-frequent-pair", (BEST, BEST.replace("-totals", "totals")))
variants.edit(
    "ties-to-the-largest", (BEST, BEST.replace("min", "max").replace("-totals", "totals"))
)
variants.edit("ties-to-the-first", (BEST, "return max(totals, key=totals.__getitem__)"))
variants.edit(
    "overlaps-left-out",
    (PAIRS, PAIRS.replace("pairwise(word)", "_apart(word)")),
    (
        "def most_frequent_pair(",
        """def _apart(word):
    last = None
    for i, pair in enumerate(pairwise(word)):
        if pair[0] != pair[1] or last != i - 1:
            last = i if pair[0] == pair[1] else None
            yield pair


def most_frequent_pair(""",
    ),
)
variants.edit("order-ignored", (ADD, ADD.replace("pair", "tuple(sorted(pair))")))
variants.edit(
    "across-words",
    (PAIRS, "for pair in pairwise([*word, *following]):"),
    (
        "for word, count in zip(words, counts, strict=True):",
        "for word, count, following in zip(words, counts, [*words[1:], []], strict=True):\n"
        "        following = following[:1]",
    ),
)
variants.edit("no-pair-gives-none", (NONE, "    if not totals:\n        return None\n"))
variants.edit(
    "no-pair-index-error",
    (NONE, ""),
    (BEST, "return sorted(totals, key=lambda pair: (-totals[pair], pair))[0]"),
)
variants.edit(
    "count-returned-too", (BEST, "best = " + BEST[7:] + "\n    return *best, totals[best]")
)

# --- merge_pair
variants.edit("overlapping", (TWO, TWO.replace("2", "1")))
variants.edit("first-only", (MATCH, MATCH.replace("if ", "if new_id not in merged and ")))
variants.edit(
    "from-the-right",
    ("merged, i = [], 0", "word, pair, merged, i = word[::-1], pair[::-1], [], 0"),
    (MERGED, "    return merged[::-1]\n"),
)
variants.edit("last-symbol-lost", (WHILE, "while i < len(word) - 1:"))
variants.edit("end-crashes", (MATCH, "if (word[i], word[i + 1]) == tuple(pair):"))
variants.edit("either-symbol", (MATCH, "if word[i] in pair:"), (TWO, TWO.replace("2", "1")))
variants.edit("first-symbol-decides", (MATCH, "if word[i] == pair[0]:"))
variants.edit("either-order", (MATCH, "if sorted(word[i : i + 2]) == sorted(pair):"))
variants.edit("pair-kept-too", ("merged.append(new_id)", "merged += [*pair, new_id]"))
variants.edit("writes-into-word", (MERGED, "    word[:] = merged\n    return word\n"))

# --- learn_merges
variants.edit("words-not-merged", (REPLACE, REPLACE.replace("words =", "_ =")))
variants.edit(
    "first-counts-for-all",
    ("    merges = []\n", "    merges, at_first = [], list(words)\n"),
    (CHOOSE, "best = _next(at_first, counts, merges)\n        if best is None:\n            break"),
    ("def learn_merges(", NEXT + "def learn_merges("),
)
variants.edit("one-id-for-all", (REPLACE, REPLACE.replace("new_id", "first_new_id", 1)))
variants.edit(
    "ids-from-one-later",
    (NEW_IDS, "for new_id in range(first_new_id + 1, first_new_id + n_merges + 1):"),
)
variants.edit("one-merge-too-few", (NEW_IDS, NEW_IDS.replace("n_merges)", "n_merges - 1)")))
variants.edit(
    "first-word-only", (REPLACE, "words = [merge_pair(words[0], best, new_id), *words[1:]]")
)
variants.edit("no-pair-left-crashes", (STOP, ""))
variants.edit("new-ids-returned", ("merges.append(best)", "merges.append((new_id, new_id))"))
variants.edit("writes-into-words", (REPLACE, "words[:] = " + REPLACE[8:]))

# --- encode
variants.edit(
    "latest-first",
    (MERGES, "for new_id, learned in reversed(list(enumerate(merges, first_new_id))):"),
)
variants.edit(
    "first-merge-only", (APPLY, APPLY + "\n        if new_id in word:\n            break")
)
variants.edit("ids-from-zero", (MERGES, MERGES.replace(", first_new_id", "")))
variants.edit(
    "leftmost-pair-first",
    (MERGES, MERGES.replace("merges, first", "[], first")),
    (
        "    return word\n",
        """    ids = {pair: new_id for new_id, pair in enumerate(map(tuple, merges), first_new_id)}
    i = 0
    while i < len(word) - 1:
        if tuple(word[i : i + 2]) in ids:
            word = [*word[:i], ids[tuple(word[i : i + 2])], *word[i + 2 :]]
            i = 0
        else:
            i += 1
    return word
""",
    ),
)
