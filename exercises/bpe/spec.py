"""Byte-pair encoding: the references and what must hold."""

from itertools import pairwise

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

PAIR, MERGE, LEARN, ENCODE = "most_frequent_pair", "merge_pair", "learn_merges", "encode"
FIRST = 100  # id of the first symbol that is made
exercise = Exercise(__file__, order=320, minutes=25, parts=(PAIR, MERGE, LEARN, ENCODE))


@exercise.oracle(PAIR, axes="member")
def pair_reference(words, counts):
    """The text is written out, every word as often as it stands there; a matrix counts."""
    size = 1 + max((max(word) for word in words if word), default=0)
    table = np.zeros((size, size), dtype=np.int64)
    for word, count in zip(words, counts, strict=True):
        for _ in range(count):
            np.add.at(table, (word[:-1], word[1:]), 1)
    if not table.any():
        raise ValueError("no pair")
    return np.array(np.unravel_index(table.argmax(), table.shape))  # the first of the largest


@exercise.oracle(MERGE, axes="position")
def merge_reference(word, pair, new_id):
    """From the left: the first occurrence, then the rest of the word by itself."""
    for i in range(len(word) - 1):
        if (word[i], word[i + 1]) == tuple(pair):
            rest = merge_reference(word[i + 2 :], pair, new_id).tolist()
            return np.array([*word[:i], new_id, *rest], dtype=np.int64)
    return np.array(word, dtype=np.int64)


@exercise.oracle(LEARN, axes="merge member")
def learn_reference(words, counts, n_merges, first_new_id):
    """Recursive: one merge, then the others on what it leaves."""
    if n_merges == 0 or all(len(word) < 2 for word in words):
        return np.array([], dtype=np.int64)
    pair = pair_reference(words, counts).tolist()
    words = [merge_reference(word, pair, first_new_id).tolist() for word in words]
    rest = learn_reference(words, counts, n_merges - 1, first_new_id + 1).tolist()
    return np.array([pair, *rest], dtype=np.int64)


@exercise.oracle(ENCODE, axes="position")
def encode_reference(word, merges, first_new_id):
    """As GPT-2's tokenizer does it: again and again the earliest merge that is possible."""
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    word = list(word)
    while here := [ranks[pair] for pair in pairwise(word) if pair in ranks]:
        rank = min(here)
        word = merge_reference(word, merges[rank], first_new_id + rank).tolist()
    return np.array(word, dtype=np.int64)


def pair(words: list[list[int]], counts: list[int], label: str) -> Case:
    """A call of most_frequent_pair."""
    return Case(PAIR, {"words": words, "counts": counts}, label)


def merge(word: list[int], label: str, which: tuple[int, int] = (1, 2)) -> Case:
    """A call of merge_pair."""
    return Case(MERGE, {"word": word, "pair": which, "new_id": FIRST}, label)


def learn(words: list[list[int]], counts: list[int], n_merges: int, label: str) -> Case:
    """A call of learn_merges."""
    arguments = {"words": words, "counts": counts, "n_merges": n_merges, "first_new_id": FIRST}
    return Case(LEARN, arguments, label)


def code(word: list[int], merges: list[tuple[int, int]], label: str) -> Case:
    """A call of encode."""
    return Case(ENCODE, {"word": word, "merges": merges, "first_new_id": FIRST}, label)


def random_text(draw: Draw) -> tuple[list[list[int]], list[int]]:
    """Six words of few symbols, and how often each stands there."""
    words = [draw.integers(1, 5, int(draw.integers(2, 8))).tolist() for _ in range(6)]
    return words, draw.integers(1, 5, 6).tolist()


LOW = [[1, 2, 3], [1, 2, 3, 4], [5, 4, 3]]  # low, lowe, …: (1, 2) and (2, 3) stand there alike


# --- most_frequent_pair


@exercise.check(Stage.ISOLATED, part=PAIR)
def one_word_one_best_pair(draw):
    return [pair([[3, 1, 2, 4, 1, 2]], [1], "(1, 2) stands there twice, the others once")]


@exercise.check(Stage.ISOLATED, part=PAIR)
def words_count_as_often_as_they_stand_there(draw):
    return [pair([[1, 2], [1, 2], [3, 4]], [1, 1, 5], "(1, 2) in two words, (3, 4) five times")]


@exercise.check(Stage.ISOLATED, part=PAIR)
def equal_pairs_give_the_smallest(draw):
    return [pair([[1, 5], [3, 4], [1, 2]], [2, 2, 2], "three pairs, each twice")]


@exercise.check(Stage.ISOLATED, part=PAIR)
def every_two_neighbours_are_a_pair(draw):
    return [
        pair([[7, 7, 7, 7], [1, 2]], [1, 2], "(7, 7) stands in [7, 7, 7, 7] three times"),
        pair([[1, 2], [2, 1], [3, 4]], [2, 2, 3], "(1, 2) and (2, 1) are two pairs"),
        pair([[5], [6], [5], [6], [1, 2]], [2, 2, 2, 2, 1], "nothing reaches into the next word"),
    ]


@exercise.check(Stage.ORACLE, part=PAIR)
def equals_counting_the_text(draw):
    return [pair(*random_text(draw), "random words") for _ in range(6)]


@exercise.check(Stage.EDGES, part=PAIR)
def no_pair_at_all(draw):
    return [pair([[1], [2]], [3, 4], "words of one symbol"), pair([], [], "no words")]


# --- merge_pair


@exercise.check(Stage.ISOLATED, part=MERGE)
def every_occurrence_is_merged(draw):
    return [
        merge([1, 2], "the word is the pair"),
        merge([3, 1, 2, 4, 1, 2, 5], "twice (1, 2)"),
    ]


@exercise.check(Stage.ISOLATED, part=MERGE)
def everything_else_stays(draw):
    return [
        merge([3, 4, 5], "no such pair"),
        merge([2, 1, 1, 3, 2], "1 and 2, but never (1, 2)"),
        merge([1, 2, 1], "1 at the end"),
    ]


@exercise.check(Stage.ISOLATED, part=MERGE)
def a_symbol_is_used_once(draw):
    return [merge([7] * n, f"(7, 7) in {n} sevens", (7, 7)) for n in (3, 4, 5)]


@exercise.check(Stage.ORACLE, part=MERGE)
def equals_merging_by_hand(draw):
    words = [draw.integers(1, 4, n).tolist() for n in (9, 12, 15)]
    return [merge(word, "random symbols", tuple(word[3:5])) for word in words]


@exercise.check(Stage.EDGES, part=MERGE)
def empty_and_single_words(draw):
    return [merge([], "no symbol"), merge([1], "one symbol")]


@exercise.check(Stage.EDGES, part=MERGE)
def the_word_stays_as_it_was(draw):
    case = merge([1, 2, 3], "the word after the call").set(via="first_argument_afterwards")
    (trial,) = yield [case]
    got = numbers(trial).tolist()
    expect(got == [1, 2, 3], f"The caller's word was [1, 2, 3]; after the call it is {got}.", trial)


# --- learn_merges


@exercise.check(Stage.ISOLATED, part=LEARN)
def one_merge_is_the_most_frequent_pair(draw):
    return [learn([[1, 2], [3, 4]], [2, 3], 1, "one merge")]


@exercise.check(Stage.ISOLATED, part=LEARN)
def new_symbols_can_be_merged(draw):
    return [learn([[1, 2, 3], [4, 5]], [5, 2], 2, "first (1, 2), then the new symbol and 3")]


@exercise.check(Stage.ORACLE, part=LEARN)
def equals_merging_step_by_step(draw):
    small = learn(LOW, [5, 2, 3], 4, "low, lowe, …")
    return [small, *[learn(*random_text(draw), 5, "random words") for _ in range(4)]]


@exercise.check(Stage.EDGES, part=LEARN)
def it_ends_when_no_pair_is_left(draw):
    return [
        learn([[1, 2], [1]], [2, 1], 5, "one pair only, five merges wanted"),
        learn([[1, 2]], [2], 0, "no merge wanted"),
    ]


@exercise.check(Stage.EDGES, part=LEARN)
def the_words_stay_as_they_were(draw):
    case = learn([[1, 2, 3], [2, 3]], [1, 1], 2, "the words after the call, in one row")
    drivers = ("first_argument_afterwards", "its_lists_afterwards")
    for trial in (yield [case.set(via=driver) for driver in drivers]):
        got = numbers(trial).tolist()
        fact = f"The caller's words were [[1, 2, 3], [2, 3]]; after the call they hold {got}."
        expect(got == [1, 2, 3, 2, 3], fact, trial)


# --- encode


@exercise.check(Stage.ISOLATED, part=ENCODE)
def merges_build_on_each_other(draw):
    return [code([1, 2, 3], [(1, 2), (FIRST, 3)], "first (1, 2), then the new symbol and 3")]


@exercise.check(Stage.ISOLATED, part=ENCODE)
def the_learned_order_decides(draw):
    merges = [(2, 3), (1, 2)]
    return [code([1, 2, 3], merges, "(2, 3) was learned before (1, 2)")]


@exercise.check(Stage.ORACLE, part=ENCODE)
def equals_the_earliest_merge_first(draw):
    cases = []
    for _ in range(4):
        merges = [tuple(row) for row in learn_reference(*random_text(draw), 5, FIRST).tolist()]
        cases.append(code(draw.integers(1, 5, 12).tolist(), merges, "a random word"))
    return cases


@exercise.check(Stage.EDGES, part=ENCODE)
def nothing_to_merge(draw):
    return [code([3, 1], [(1, 3)], "no pair was learned"), code([1, 2], [], "no merges")]
