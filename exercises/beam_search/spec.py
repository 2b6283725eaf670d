"""Beam search: the reference and what must hold."""

import itertools

import numpy as np

from exercises.engine.case import Case, Draw, describe
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

PENALTY, SEARCH = "length_penalty", "beam_search"
EOS = 0
exercise = Exercise(__file__, order=270, minutes=30, parts=(PENALTY, SEARCH))


@exercise.oracle(PENALTY, axes="")
def penalty_reference(length, alpha):
    """Wu et al. (2016), equation 14, through the logarithm."""
    return np.exp(alpha * (np.log(length + 5) - np.log(6)))


@exercise.oracle(SEARCH, axes="position")
def search_reference(
    table, memory, prompt, eos_id, beam_size, max_new_tokens, alpha, look_at="pair"
):
    """Hypotheses as tuples in sorted lists; ended ones are told by their last token."""
    live, done = [(0.0, ())], []
    for _ in range(max_new_tokens):
        extended = [
            (score + gain, (*ids, token))
            for score, ids in live
            for token, gain in enumerate(log_probs(table, memory, (*prompt, *ids)))
        ]
        kept = sorted(extended, reverse=True)[:beam_size]
        done += [hypothesis for hypothesis in kept if hypothesis[1][-1] == eos_id]
        live = [hypothesis for hypothesis in kept if hypothesis[1][-1] != eos_id]
    score, ids = max((s / penalty_reference(len(ids), alpha), ids) for s, ids in done or live)
    answer = [token for token in ids if token != eos_id], score
    return answer if look_at == "pair" else np.array(answer[look_at == "score"])


def log_probs(table, memory, ids):
    """The toy model of driver.py, one token after the other."""
    logits = np.zeros(table.shape[1])
    for token in ids:
        logits = memory * logits + table[token]
    return logits - np.log(np.exp(logits).sum())


def exhaustive(table, memory, prompt, eos_id, max_new_tokens, alpha):
    """Scores of all finished sequences, by trying every one."""
    others = [token for token in range(table.shape[1]) if token != eos_id]
    scores = {}
    for length in range(max_new_tokens):
        for body in itertools.product(others, repeat=length):
            ids = (*body, eos_id)
            gains = [log_probs(table, memory, (*prompt, *ids[:i]))[ids[i]] for i in range(len(ids))]
            scores[body] = sum(gains) / penalty_reference(len(ids), alpha)
    return scores


def by_hand(label: str, rows: dict[int, list[float]], **changes) -> Case:
    """A model that sees the last token only; rows of probabilities in percent, 0 ends."""
    size = len(next(iter(rows.values())))
    table = np.full((size, size), 100 / size)
    for token, row in rows.items():
        table[token] = row
    arguments = {
        "table": np.log(np.maximum(table, 1e-4)),
        "memory": 0.0,
        "prompt": [1],
        "eos_id": EOS,
        "beam_size": 2,
        "max_new_tokens": 4,
        "alpha": 0.0,
        "look_at": "ids",
    }
    return Case(SEARCH, {**arguments, **changes}, label, dtype="float64", via="toy_model")


def random_case(draw: Draw, label: str, **changes) -> Case:
    """A random model that looks at the whole sequence, for which every token may be the end."""
    vocab, beam, length, room = draw.dims("vocab", "beam", "prompt", "room", smallest=3)
    eos_id = int(draw.integers(0, vocab))
    table = 1.5 * draw.normal(vocab, vocab)
    table[:, eos_id] -= draw.rng.uniform(0, 3)  # so that some end soon, some late, some never
    case = by_hand(label, {0: [1.0] * vocab}, table=table, memory=0.5, eos_id=eos_id)
    prompt = draw.integers(0, vocab, length).tolist()
    return case.but(prompt=prompt, beam_size=beam, max_new_tokens=room, **changes)


def both(case: Case) -> list[Case]:
    """The same call twice: once the ids are looked at, once the score."""
    return [case, case.but(look_at="score")]


# --- length_penalty


@exercise.check(Stage.ISOLATED, part=PENALTY)
def one_token_has_penalty_one(draw):
    return [Case(PENALTY, {"length": 1, "alpha": alpha}) for alpha in (0.6, 2.0)]


@exercise.check(Stage.ISOLATED, part=PENALTY)
def without_alpha_no_penalty(draw):
    return [Case(PENALTY, {"length": 7, "alpha": 0.0}, "alpha = 0")]


@exercise.check(Stage.ORACLE, part=PENALTY)
def penalty_equals_the_formula(draw):
    lengths = draw.dims("short", "long")
    return [
        Case(PENALTY, {"length": n, "alpha": a}) for n, a in zip(lengths, (1.0, 0.6), strict=True)
    ]


# --- beam_search


@exercise.check(Stage.CONTRACT, part=SEARCH)
def returns_ids_and_score(draw):
    (trial,) = yield [by_hand("any model", {1: [20, 10, 50, 20]}, look_at="pair")]
    value = trial.outcome.value
    pair = isinstance(value, tuple | list) and len(value) == 2 and isinstance(value[0], list)
    expect(pair, f"Expected the pair (ids, score); it returned {describe(value)}.", trial)


@exercise.check(Stage.ISOLATED, part=SEARCH)
def a_beam_of_one_is_greedy(draw):
    counting = {1: [1, 1, 95, 3], 2: [2, 1, 1, 96], 3: [90, 4, 3, 3]}
    case = by_hand("1, 2, 3, end; beam of 1", counting, beam_size=1)
    return [case, case.but("room for two tokens only", max_new_tokens=2)]


@exercise.check(Stage.ISOLATED, part=SEARCH)
def log_probabilities_add_up(draw):
    rows = {1: [1, 1, 95, 3], 2: [2, 1, 1, 96], 3: [90, 4, 3, 3]}
    return [by_hand("0.95 · 0.96 · 0.9, as a logarithm", rows, beam_size=1, look_at="score")]


@exercise.check(Stage.ISOLATED, part=SEARCH)
def a_worse_start_may_win(draw):
    rows = {1: [2, 3, 55, 40], 2: [30, 35, 20, 15], 3: [95, 2, 2, 1]}
    return both(by_hand("0.55 · 0.30 for [2], 0.40 · 0.95 for [3]", rows))


@exercise.check(Stage.ISOLATED, part=SEARCH)
def extensions_keep_their_own_beginning(draw):
    rows = {1: [1, 1, 50, 48, 0], 2: [30, 30, 20, 20, 0], 3: [1, 1, 1, 1, 96], 4: [97, 1, 1, 1, 0]}
    return both(by_hand("the second beginning overtakes the first: [3, 4]", rows))


@exercise.check(Stage.ISOLATED, part=SEARCH)
def the_search_goes_on_after_an_end(draw):
    second = {1: [30, 1, 65, 4], 2: [1, 3, 1, 95], 3: [95, 3, 1, 1]}
    first = {1: [40, 1, 35, 24], 2: [1, 3, 1, 95], 3: [95, 3, 1, 1]}
    twice = {1: [35, 1, 40, 24], 2: [50, 3, 2, 45], 3: [90, 5, 3, 2]}
    return [
        by_hand("the second best extension ends at once, with 0.30", second),
        by_hand("the best extension ends at once, with 0.40; alpha = 2", first, alpha=2.0),
        by_hand("two have ended, and a third will be better; alpha = 3", twice, alpha=3.0),
    ]


@exercise.check(Stage.ISOLATED, part=SEARCH)
def what_has_ended_is_not_extended(draw):
    rows = {0: [1, 1, 2, 96], 1: [40, 1, 55, 4], 2: [30, 30, 20, 20], 3: [95, 2, 2, 1]}
    return both(by_hand("after the end token 3 would follow, with 0.96", rows, alpha=1.0))


@exercise.check(Stage.ORACLE, part=SEARCH)
def equals_the_reference_search(draw):
    alphas = (0.0, 0.6, 1.0, 2.0)
    cases = [random_case(draw, f"random model, alpha = {a}", alpha=a) for a in 2 * alphas]
    return [case for made in cases for case in both(made)]


@exercise.check(Stage.PROPERTIES, part=SEARCH)
def a_beam_wide_enough_finds_the_best(draw):
    case = random_case(draw, "a beam that holds everything", alpha=1.0)
    vocab, room = 4, 3
    case = case.but(table=draw.normal(vocab, vocab), eos_id=1, beam_size=vocab**room)
    case = case.but(prompt=[2, 0], max_new_tokens=room)
    (trial,) = yield [case]
    names = ("table", "memory", "prompt", "eos_id", "max_new_tokens", "alpha")
    scores = exhaustive(**{name: case.arguments[name] for name in names})
    best = max(scores, key=scores.__getitem__)
    got = numbers(trial).ravel().tolist()
    fact = f"Of all sequences {list(best)} has the best score, {scores[best]:.4f}; got {got}"
    reached = scores.get(tuple(got), -np.inf)
    expect(reached > scores[best] - 1e-9, f"{fact}, with {reached:.4f}.", trial)


@exercise.check(Stage.EDGES, part=SEARCH)
def when_none_has_finished_the_best_beginning(draw):
    rows = {1: [0, 12, 31, 57], 2: [0, 23, 35, 42], 3: [0, 37, 34, 29]}
    return both(by_hand("no sequence ends within three tokens", rows, max_new_tokens=3, alpha=1.0))


@exercise.check(Stage.EDGES, part=SEARCH)
def beams_wider_than_the_vocabulary(draw):
    return both(by_hand("beam of 7, four tokens", {1: [1, 10, 59, 30]}, beam_size=7))
