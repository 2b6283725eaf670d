"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

FILLED = "filled = [document for document in documents if document]"
CHECK = (
    "    if len(filled) < 2:\n"
    '        raise ValueError(f"two documents with sentences are needed, not {len(filled)}")\n'
)
OTHERS = "others = [s for i, other in enumerate(filled) if i != index for s in other]"
PLACES = "for place in range(len(document) - 1):"
NUMBER = "k = len(pairs)"
COIN = "if coins[k] < 0.5:"
NEXT = "pairs.append((document[place], document[place + 1], 0))"
DRAWN = "drawn = others[int(picks[k] * len(others))]"
NOT_NEXT = "pairs.append((document[place], drawn, 1))"

# --- what is drawn
variants.edit("from-the-same-document", (OTHERS, "others = document"))
variants.edit("from-everywhere", (OTHERS, "others = [s for other in filled for s in other]"))
variants.edit(
    "all-but-the-successor",
    (
        DRAWN,
        "others = [s for other in filled for s in other if s != document[place + 1]]\n"
        "                " + DRAWN,
    ),
)
variants.edit("from-the-next-document", (OTHERS, "others = filled[(index + 1) % len(filled)]"))
variants.edit(
    "document-first",
    (
        DRAWN,
        "rest = filled[:index] + filled[index + 1 :]\n"
        "                other = rest[int(picks[k] * len(rest))]\n"
        "                drawn = other[int(picks[k] * len(other))]",
    ),
)
variants.edit("previous-sentence", (DRAWN, "drawn = document[place - 1]"))
variants.edit(
    "order-swapped", (NOT_NEXT, "pairs.append((document[place + 1], document[place], 1))")
)
variants.edit("never-the-last", (DRAWN, DRAWN.replace("len(others)", "(len(others) - 1)")))
variants.edit(
    "pick-rounded",
    (DRAWN, DRAWN.replace("int(picks[k] * len(others))", "round(picks[k] * (len(others) - 1))")),
)
variants.edit("always-the-first", (DRAWN, "drawn = others[0]"))
variants.edit("first-is-drawn", (NOT_NEXT, "pairs.append((drawn, document[place + 1], 1))"))
variants.edit("label-only", (NOT_NEXT, "pairs.append((document[place], document[place + 1], 1))"))

# --- which pairs
variants.edit(
    "crosses-documents",
    (
        PLACES,
        "following = filled[index + 1][:1] if index + 1 < len(filled) else []\n"
        "        document = document + following\n        " + PLACES,
    ),
)
variants.edit("every-second", (PLACES, "for place in range(0, len(document) - 1, 2):"))
variants.edit("last-pair-missed", (PLACES, "for place in range(len(document) - 2):"))
variants.edit("no-successor-crashes", (PLACES, "for place in range(len(document)):"))
variants.edit("first-document-only", ("enumerate(filled):", "enumerate(filled[:1]):"))
variants.edit("numbers-per-document", (NUMBER, "k = place"))
variants.edit(
    "skips-one-successor",
    (NEXT, "pairs.append((document[place], document[(place + 2) % len(document)], 0))"),
)

# --- the coin and the label
variants.edit("coin-inverted", (COIN, "if coins[k] >= 0.5:"))
variants.edit("always-next", (COIN, "if True:"))
variants.edit("never-next", (COIN, "if False:"))
variants.edit(
    "labels-inverted",
    (NEXT, NEXT.replace(", 0)", ", 1)")),
    (NOT_NEXT, NOT_NEXT.replace(", 1)", ", 0)")),
)
variants.edit("label-always-zero", (NOT_NEXT, NOT_NEXT.replace(", 1)", ", 0)")))
variants.edit(
    "pairs-without-labels",
    (NEXT, NEXT.replace(", 0)", ")")),
    (NOT_NEXT, NOT_NEXT.replace(", 1)", ")")),
)
variants.edit("three-lists", ("return pairs", "return tuple(map(list, zip(*pairs)))"))

# --- the edges
variants.edit("one-document-crashes", (CHECK, ""))
variants.edit("one-document-all-next", (CHECK, ""), (COIN, "if coins[k] < 0.5 or not others:"))
variants.edit(
    "empty-documents-counted", (CHECK, CHECK.replace("len(filled) < 2", "len(documents) < 2"))
)
variants.edit(
    "one-sentence-documents-not-drawn",
    (OTHERS, OTHERS.replace("i != index for", "i != index and len(other) > 1 for")),
    (DRAWN, DRAWN.replace("others[", "(others or filled[index - 1])[")),
)
