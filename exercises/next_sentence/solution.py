"""Next-sentence prediction: pairs that belong together, and pairs that do not.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check next_sentence
"""

# A sentence is any object; the checks use numbers, so that results are easy to read.
Sentence = int


def next_sentence_pairs(
    documents: list[list[Sentence]], coins: list[float], picks: list[float]
) -> list[tuple[Sentence, Sentence, int]]:
    """A pair for every sentence that has a successor in its own document, in order.

    All chance comes in from outside: pair number k (counted through all documents) uses coins[k]
    and picks[k].

        coins[k] < 0.5     second = the true successor                          label 0 (IsNext)
        otherwise          second = a sentence of *another* document, drawn     label 1

    To draw, put the sentences of all other documents in one list, in order, and take the one with
    the index int(picks[k] * length of that list).

    Args:
        documents: sentences in order; a document may hold one sentence, or none
        coins, picks: random numbers from 0 up to but not including 1, at least one for each pair

    Returns:
        a list of (first, second, label)

    Raises:
        ValueError: if fewer than two documents hold a sentence, so that none could be drawn.

    Example: documents [[1, 2, 3], [7, 8]], coins [0.1, 0.9, 0.6], picks [0.0, 0.5, 0.9]
        [(1, 2, 0),     coin 0.1: the true successor
         (2, 8, 1),     coin 0.9: from [7, 8], index int(0.5 · 2) = 1
         (7, 3, 1)]     coin 0.6: from [1, 2, 3], index int(0.9 · 3) = 2
    """
    # solution:
    filled = [document for document in documents if document]
    if len(filled) < 2:
        raise ValueError(f"two documents with sentences are needed, not {len(filled)}")
    pairs = []
    for index, document in enumerate(filled):
        others = [s for i, other in enumerate(filled) if i != index for s in other]
        for place in range(len(document) - 1):
            k = len(pairs)
            if coins[k] < 0.5:
                pairs.append((document[place], document[place + 1], 0))
            else:
                drawn = others[int(picks[k] * len(others))]
                pairs.append((document[place], drawn, 1))
    return pairs
    # end
