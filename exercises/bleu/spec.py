"""Corpus BLEU: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

BLEU = "corpus_bleu"
exercise = Exercise(__file__, order=310, minutes=30, parts=(BLEU,))


@exercise.oracle(BLEU, axes="")
def reference(hypotheses, references, max_n):
    """Papineni et al. (2002), §2, ticking off one n-gram after the other, without any counter."""
    found, looked_at = np.zeros(max_n), np.zeros(max_n)
    c = r = 0
    for hypothesis, options in zip(hypotheses, references, strict=True):
        for n in range(1, max_n + 1):
            seen = []
            pieces = [pieces_of(option, n) for option in options]
            for piece in pieces_of(hypothesis, n):
                seen.append(piece)
                looked_at[n - 1] += 1
                found[n - 1] += any(p.count(piece) >= seen.count(piece) for p in pieces)
        c += len(hypothesis)
        lengths = sorted(len(option) for option in options)
        r += lengths[int(np.argmin([abs(length - len(hypothesis)) for length in lengths]))]
    if not found.all():
        return np.array(0.0)
    brevity = 1.0 if c > r else np.exp(1 - r / c)
    return np.array(100 * brevity * np.prod(found / looked_at) ** (1 / max_n))


def pieces_of(tokens, n):
    return [tokens[i : i + n] for i in range(len(tokens)) if i + n <= len(tokens)]


def pairs(label: str, *sentences: tuple[str, ...], max_n: int = 4) -> Case:
    """Each sentence: the hypothesis, then its references."""
    arguments = {
        "hypotheses": [hypothesis.split() for hypothesis, *_ in sentences],
        "references": [[option.split() for option in options] for _, *options in sentences],
        "max_n": max_n,
    }
    return Case(BLEU, arguments, label, dtype="float64")


def corpus(draw: Draw, label: str, options: int, max_n: int = 4) -> Case:
    """References are random; hypotheses copy one with some words changed, left out or doubled."""
    words = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "big"])
    sentences = []
    for _ in range(4):
        length = int(draw.integers(8, 14))
        first = draw.rng.choice(words, length)
        # The other references are longer and shorter, so that their lengths matter.
        others = [
            draw.rng.permuted(first)[: length - 3 * k] if k % 2 else [*first, *first[: k + 1]]
            for k in range(1, options)
        ]
        kept = [word for word in first for _ in range(int(draw.rng.choice([0, 1, 2], p=MOSTLY)))]
        sentences.append(tuple(" ".join(s) for s in (kept or first[:1], first, *others)))
    return pairs(label, *sentences, max_n=max_n)


MOSTLY = [0.1, 0.8, 0.1]


@exercise.check(Stage.CONTRACT)
def returns_one_number(draw):
    (trial,) = yield [pairs("two sentences", ("a b c d e", "a b c d f"), ("a b c d", "a b c d"))]
    value = numbers(trial)
    expect(value.size == 1, f"Expected one number, got {value.size} of them.", trial)


@exercise.check(Stage.ISOLATED)
def a_perfect_translation_has_100(draw):
    return [pairs("the reference itself", ("the cat sat on the mat",) * 2)]


@exercise.check(Stage.ISOLATED)
def single_words(draw):
    return [pairs("3 of 5 words match, max_n = 1", ("a b c x y", "c d a b e"), max_n=1)]


@exercise.check(Stage.ISOLATED)
def a_word_matches_no_more_often_than_it_stands_there(draw):
    sentence = ("the the the the the the the", "the cat is on the mat", "there is a cat on the mat")
    return [pairs("seven times 'the', max_n = 1; it stands there twice", sentence, max_n=1)]


@exercise.check(Stage.ISOLATED)
def each_word_may_come_from_another_reference(draw):
    return [pairs("2 words in each of two references, max_n = 1", OPTIONS, max_n=1)]


OPTIONS = ("a b c d", "a b x y", "z w c d")


@exercise.check(Stage.ISOLATED)
def pairs_of_words(draw):
    return [pairs("max_n = 2: 4 of 5 words, 3 of 4 pairs", ("a b c d x", "a b c d e"), max_n=2)]


@exercise.check(Stage.ISOLATED)
def short_translations_are_punished(draw):
    return [pairs("4 words against 6, max_n = 1", ("a b c d", "a b c d e f"), max_n=1)]


@exercise.check(Stage.ISOLATED)
def long_translations_are_not_rewarded(draw):
    return [pairs("6 words against 4, max_n = 1", ("a b c d e f", "a b c d"), max_n=1)]


@exercise.check(Stage.ISOLATED)
def the_closest_reference_gives_the_length(draw):
    longer = ("a b c d", "a b c d e", "a b c d e f g h")
    shorter = ("a b c d e", "a b", "a b c d e f", "a b c d e f g h i")
    equal = ("a b c d", "a b c", "a b c d e")
    return [
        pairs("4 words; references of 3 and 5", equal, max_n=1),
        pairs("4 words; references of 5 and 8", longer, max_n=1),
        pairs("5 words; references of 2, 6 and 9", shorter, max_n=1),
    ]


@exercise.check(Stage.ISOLATED)
def counts_are_added_over_the_corpus(draw):
    return [pairs("1 of 1 word, and 1 of 9, max_n = 1", ("a", "a"), NINE, max_n=1)]


NINE = ("a x x x x x x x x", "a b c d e f g h i")


@exercise.check(Stage.ORACLE)
def equals_the_definition(draw):
    one = [corpus(draw, "one reference", 1) for _ in range(3)]
    two = [corpus(draw, "two references", 2) for _ in range(2)]
    return [*one, *two, corpus(draw, "three references, max_n = 3", 3, max_n=3)]


@exercise.check(Stage.PROPERTIES)
def the_order_of_the_sentences_does_not_matter(draw):
    case = corpus(draw, "in order", 2)
    turned = {name: case.arguments[name][::-1] for name in ("hypotheses", "references")}
    first, second = yield [case, case.but("in reverse order", **turned)]
    a, b = float(numbers(first).ravel()[0]), float(numbers(second).ravel()[0])
    expect(np.isclose(a, b), f"The same sentences in reverse order: {a:.4f} and {b:.4f}.", second)


@exercise.check(Stage.EDGES)
def no_match_at_all_gives_0(draw):
    return [
        pairs("not one word matches", ("x y z v w", "a b c d e")),
        pairs("words match, but no four in a row", ("a b c x d e f", "a b c d e f g")),
    ]


@exercise.check(Stage.EDGES)
def sentences_shorter_than_four_words(draw):
    return [
        pairs("a short sentence beside a long one", ("yes", "yes"), ("a b c d e f", "a b c d e g")),
        pairs("only short ones: there is no 4-gram", ("yes", "yes"), ("a b", "a b")),
    ]


@exercise.check(Stage.EDGES)
def empty_translations(draw):
    return [
        pairs("one of two is empty", ("", "a b c d"), ("a b c d e", "a b c d e")),
        pairs("nothing was translated", ("", "a b c d")),
    ]
