"""Next-sentence pairs: the reference, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

PAIRS = "next_sentence_pairs"
exercise = Exercise(__file__, order=240, minutes=15, parts=(PAIRS,))


@exercise.oracle(PAIRS, axes="pair first-second-label")
def reference(documents, coins, picks):
    """Devlin et al. (2019), section 3.1, task 2: over one long list of all sentences."""
    owner = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
    sentences = np.array([s for document in documents for s in document])
    if len(set(owner.tolist())) < 2:
        raise ValueError("nothing to draw from")
    pairs = []
    for i in np.flatnonzero(owner[:-1] == owner[1:]):
        if coins[len(pairs)] < 0.5:
            pairs.append([sentences[i], sentences[i + 1], 0])
        else:
            others = sentences[owner != owner[i]]
            pairs.append([sentences[i], others[int(picks[len(pairs)] * len(others))], 1])
    return np.array(pairs)


def call(documents: list[list[int]], coins: list[float], picks: list[float], label: str) -> Case:
    """A call."""
    return Case(PAIRS, {"documents": documents, "coins": coins, "picks": picks}, label)


def library(draw: Draw, label: str = "documents of all lengths") -> Case:
    """Documents of 1 to 6 sentences; sentence 203 is the third one of document 2."""
    (count,) = draw.dims("documents", smallest=4)
    lengths = [1, 4, *draw.integers(2, 7, count - 2).tolist()]
    documents = [[100 * d + s for s in range(1, n + 1)] for d, n in enumerate(lengths, 1)]
    total = sum(lengths)
    coins, picks = draw.rng.random((2, total)).round(4).tolist()
    coins[:2] = [0.2, 0.7]
    return call(documents, coins, picks, label)


def document_of(sentences: np.ndarray) -> np.ndarray:
    """Which document a sentence of ``library`` stands in."""
    return sentences // 100


def table(trial: Trial) -> np.ndarray:
    """The pairs as rows of three numbers."""
    got, wanted = numbers(trial), trial.expected.shape
    fact = f"Got {len(got) if got.ndim else 'no'} pairs; there must be {wanted[0]} of three items."
    expect(got.shape == wanted, fact, trial)
    return got


@exercise.check(Stage.CONTRACT)
def returns_a_list_of_triples(draw):
    (trial,) = yield [call([[1, 2], [7]], [0.1], [0.1], "two documents, one pair")]
    value = trial.outcome.value
    kind = type(value).__name__
    expect(isinstance(value, list), f"Expected a list, got an object of type {kind}.", trial)
    got = numbers(trial)
    expect(got.ndim == 2 and got.shape[1] == 3, f"Expected triples, got {value}.", trial)


@exercise.check(Stage.ISOLATED)
def a_true_successor(draw):
    return [call([[1, 2], [7]], [0.1], [0.1], "coin 0.1: the true successor")]


@exercise.check(Stage.ISOLATED)
def a_drawn_sentence(draw):
    return [
        call([[1, 2], [7]], [0.9], [0.6], "coin 0.9; the other document holds one sentence"),
        call([[1, 2], [7, 8, 9]], [0.9, 0.1, 0.1], [0.99, 0.1, 0.1], "pick 0.99 of three"),
    ]


@exercise.check(Stage.ISOLATED)
def every_sentence_with_a_successor(draw):
    return [call([[1, 2, 3, 4], [7]], [0.1] * 3, [0.1] * 3, "one document of four sentences")]


@exercise.check(Stage.ISOLATED)
def documents_stay_apart(draw):
    return [call([[1, 2], [7, 8], [9]], [0.1] * 4, [0.1] * 4, "three documents, all coins 0.1")]


@exercise.check(Stage.ORACLE)
def equals_pair_by_pair(draw):
    documents = [[1, 2, 3], [7, 8]]
    example = call(documents, [0.1, 0.9, 0.6], [0.0, 0.5, 0.9], "the example")
    return [example, library(draw)]


@exercise.check(Stage.PROPERTIES)
def drawn_sentences_come_from_elsewhere(draw):
    case = library(draw)
    case = case.but("all coins 0.9", coins=[0.9] * len(case.arguments["coins"]))
    (trial,) = yield [case]
    rows = table(trial)
    inside = document_of(rows[:, 0]) == document_of(rows[:, 1])
    fact = f"{int(inside.sum())} of {len(rows)} drawn sentences are from the same document."
    expect(not inside.any(), fact, trial)


@exercise.check(Stage.PROPERTIES)
def every_other_sentence_can_be_drawn(draw):
    picks = [0.0, 0.26, 0.51, 0.99]
    calls = [call([[1, 2], [7, 8], [9, 10]], [0.9] * 3, [pick] * 3, "") for pick in picks]
    trials = yield [case.but(f"pick {case.arguments['picks'][0]}") for case in calls]
    drawn = [int(table(trial)[0, 1]) for trial in trials]
    fact = f"The picks {picks} drew {drawn} for sentence 1; it must be 7, 8, 9 and 10."
    expect(drawn == [7, 8, 9, 10], fact, trials[-1])


@exercise.check(Stage.EDGES)
def short_and_empty_documents(draw):
    documents = [[], [1], [2, 3], [], [4]]
    return [
        call(documents, [0.9], [0.99], "empty documents and documents of one sentence"),
        call([[1], [2]], [], [], "no sentence has a successor"),
    ]


@exercise.check(Stage.EDGES)
def nothing_to_draw_from(draw):
    return [
        call([[1, 2, 3]], [0.9, 0.9], [0.1, 0.1], "a single document"),
        call([[1, 2], []], [0.1], [0.1], "the second document is empty"),
    ]
