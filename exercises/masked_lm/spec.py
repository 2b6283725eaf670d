"""Masked-LM corruption: the reference, one token after the other, and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

MASK_TOKENS = "mask_tokens"
IGNORED = -100
exercise = Exercise(__file__, order=230, minutes=15, parts=(MASK_TOKENS,))


@exercise.oracle(MASK_TOKENS, axes="result sentence position")
def reference(tokens, choice, fate, substitutes, mask_id, special_ids):
    """Devlin et al. (2019), section 3.1 and appendix A.1. Result 0: inputs, result 1: labels."""
    inputs, labels = tokens.copy(), np.full_like(tokens, IGNORED)
    for place in np.ndindex(*tokens.shape):
        token = int(tokens[place])
        if token in special_ids or choice[place] >= 0.15:
            continue
        labels[place] = token
        if fate[place] < 0.8:
            inputs[place] = mask_id
        elif fate[place] < 0.9:
            inputs[place] = substitutes[place]
    return np.stack((inputs, labels))


def one(token: int, choice: float, fate: float, label: str, **ids: object) -> Case:
    """A single token; its substitute is 50, the mask 4, the specials are 0, 1 and 2."""
    arguments = {
        "tokens": np.array([[token]]),
        "choice": np.array([[choice]]),
        "fate": np.array([[fate]]),
        "substitutes": np.array([[50]]),
        "mask_id": 4,
        "special_ids": [0, 1, 2],
    }
    return Case(MASK_TOKENS, {**arguments, **ids}, label, via="both")


def sentences(draw: Draw, label: str = "", chosen: float = 0.5, **ids: object) -> Case:
    """Sentences between 1 and 2, padded with 0; about the share ``chosen`` is chosen."""
    batch, time = draw.dims("batch", "time", smallest=4)
    time *= 6
    lengths = np.r_[time, draw.integers(6, time, batch - 1)][:, None]
    place = np.arange(time)
    tokens = np.where(place < lengths, draw.integers(10, 40, batch, time), 0)
    tokens = np.where(place == 0, 1, np.where(place == lengths - 1, 2, tokens))
    arguments = {
        "tokens": tokens,
        "choice": draw.rng.random((batch, time)) * 0.15 / chosen,
        "fate": draw.rng.random((batch, time)) * 0.5 + 0.5,
        "substitutes": draw.integers(50, 90, batch, time),
        "mask_id": 4,
        "special_ids": [0, 1, 2],
    }
    label = label or f"about {chosen:.0%} chosen, many of them replaced or kept"
    return Case(MASK_TOKENS, {**arguments, **ids}, label, via="both")


def inputs_and_labels(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Both results, which must have the right shape to be looked at."""
    got, wanted = numbers(trial), trial.expected.shape
    expect(got.shape == wanted, f"The results have shape {got.shape[1:]}.", trial)
    return got[0], got[1]


@exercise.check(Stage.CONTRACT, judge="shape")
def returns_inputs_and_labels(draw):
    return [sentences(draw)]


@exercise.check(Stage.CONTRACT, judge="dtype")
def both_are_whole_numbers(draw):
    return [sentences(draw)]


@exercise.check(Stage.CONTRACT, judge="untouched")
def leaves_the_tokens_alone(draw):
    return [sentences(draw)]


@exercise.check(Stage.ISOLATED)
def a_token_that_is_not_chosen(draw):
    return [one(7, 0.5, 0.1, "choice 0.5: not chosen")]


@exercise.check(Stage.ISOLATED)
def a_chosen_token_is_masked(draw):
    return [one(7, 0.1, 0.3, "choice 0.1, fate 0.3: chosen and masked")]


@exercise.check(Stage.ISOLATED)
def a_chosen_token_is_replaced(draw):
    return [one(7, 0.1, 0.85, "choice 0.1, fate 0.85: chosen and replaced")]


@exercise.check(Stage.ISOLATED)
def a_chosen_token_is_kept(draw):
    return [one(7, 0.1, 0.95, "choice 0.1, fate 0.95: chosen, kept, and asked for all the same")]


@exercise.check(Stage.ISOLATED)
def a_special_token_is_spared(draw):
    return [
        one(0, 0.1, 0.3, "padding, choice 0.1"),
        one(2, 0.1, 0.85, "a separator, choice 0.1"),
    ]


@exercise.check(Stage.ORACLE)
def equals_token_by_token(draw):
    return [sentences(draw), sentences(draw, chosen=0.15), sentences(draw, chosen=0.9)]


@exercise.check(Stage.PROPERTIES)
def what_is_not_asked_for_is_unchanged(draw):
    case = sentences(draw)
    (trial,) = yield [case]
    inputs, labels = inputs_and_labels(trial)
    silent = labels == IGNORED
    spoilt = int((inputs != case.arguments["tokens"])[silent].sum())
    fact = f"{spoilt} tokens were changed that the model is not asked for."
    expect(bool(silent.any()) and spoilt == 0, fact, trial)


@exercise.check(Stage.PROPERTIES)
def labels_are_the_originals(draw):
    case = sentences(draw)
    (trial,) = yield [case]
    labels = inputs_and_labels(trial)[1]
    asked = labels != IGNORED
    wrong = int((labels != case.arguments["tokens"])[asked].sum())
    fact = f"{wrong} of {int(asked.sum())} labels are not the original token."
    expect(bool(asked.any()) and wrong == 0, fact, trial)


@exercise.check(Stage.PROPERTIES)
def all_three_fates_are_asked_for(draw):
    case = sentences(draw, chosen=0.9)
    (trial,) = yield [case]
    inputs, labels = inputs_and_labels(trial)
    asked, tokens = labels != IGNORED, case.arguments["tokens"]
    kept, masked = asked & (inputs == tokens), asked & (inputs == 4)
    counts = [int(part.sum()) for part in (masked, asked & ~kept & ~masked, kept)]
    fact = f"Asked for are {counts[0]} masked, {counts[1]} replaced and {counts[2]} kept tokens."
    expect(min(counts) > 0, fact, trial)


@exercise.check(Stage.EDGES)
def other_special_tokens(draw):
    return [
        one(103, 0.1, 0.3, "special ids 101, 102 and 103", special_ids=[101, 102, 103]),
        one(0, 0.1, 0.3, "0 is an ordinary token", special_ids=[101, 102, 103]),
        one(1, 0.1, 0.85, "nothing is special", special_ids=[]),
    ]


@exercise.check(Stage.EDGES)
def another_mask(draw):
    return [one(7, 0.1, 0.3, "mask 30521", mask_id=30521), sentences(draw, mask_id=103)]
