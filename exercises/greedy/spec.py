"""Greedy decoding: the reference and what must hold."""

import numpy as np

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import expect, numbers

GREEDY = "greedy"
NEVER = -50.0  # a logit that no other loses to
exercise = Exercise(__file__, order=260, minutes=10, parts=(GREEDY,))


@exercise.oracle(GREEDY, axes="position")
def reference(table, memory, prompt, eos_id, max_new_tokens, look_at):
    """Recursive where the solution loops; the toy model's logits are kept as a running sum."""
    carried = np.zeros(table.shape[1])
    for token in prompt:
        carried = memory * carried + table[token]

    def continued(logits, room):
        """The generated ids and the number of calls of the model."""
        if room == 0:
            return [], 0
        token = int(np.argmax(logits))
        if token == eos_id:
            return [], 1
        rest, calls = continued(memory * logits + table[token], room - 1)
        return [token, *rest], calls + 1

    ids, calls = continued(carried, max_new_tokens)
    return np.array({"ids": ids, "calls": calls, "prompt": prompt}[look_at], dtype=np.int64)


def counting(label: str, prompt: list[int], limit: int, **changes) -> Case:
    """A model of seven tokens that counts up from the last one; 5 ends."""
    table = 4 * np.eye(7)[[1, 2, 3, 4, 5, 6, 0]]
    arguments = {
        "table": table,
        "memory": 0.0,
        "prompt": prompt,
        "eos_id": 5,
        "max_new_tokens": limit,
        "look_at": "ids",
    }
    return Case(GREEDY, {**arguments, **changes}, label, dtype="float64", via="toy_model")


def random_case(draw: Draw, label: str, ends: bool, **changes) -> Case:
    """A random model that looks at the whole sequence; it ends in mid-course, or never."""
    vocab, length, limit = draw.dims("vocab", "prompt", "limit", smallest=4)
    eos_id = int(draw.integers(0, vocab))
    table = draw.normal(vocab, vocab)
    table[:, eos_id] = NEVER
    prompt = (eos_id + draw.integers(1, vocab, length)) % vocab
    case = counting(label, prompt.tolist(), limit).but(eos_id=eos_id, table=table, memory=0.8)
    if ends:
        third = reference(**case.arguments)[2]
        table = table.copy()
        table[third, eos_id] = -1000 * NEVER
    return case.but(table=table, **changes)


@exercise.check(Stage.CONTRACT)
def returns_a_list_of_ids(draw):
    (trial,) = yield [counting("the example", [2], 10)]
    shape = numbers(trial).shape
    expect(len(shape) == 1, f"A list of ids was expected; what came back has shape {shape}.", trial)


@exercise.check(Stage.ISOLATED)
def one_token_is_the_most_probable(draw):
    return [counting("one new token, and the model counts up", [2], 1)]


@exercise.check(Stage.ISOLATED)
def each_token_is_fed_back(draw):
    return [counting("three new tokens, no end in sight", [0], 3)]


@exercise.check(Stage.ISOLATED)
def the_end_token_ends(draw):
    return [counting("5 ends, so it stops before 5", [2], 10)]


@exercise.check(Stage.ORACLE)
def equals_the_reference(draw):
    cases = [random_case(draw, "random model that never ends", ends=False) for _ in range(3)]
    return cases + [random_case(draw, "random model that ends", ends=True) for _ in range(3)]


@exercise.check(Stage.PROPERTIES)
def more_room_changes_no_token(draw):
    case = random_case(draw, "as drawn", ends=False)
    longer = case.but(
        "two more tokens allowed", max_new_tokens=case.arguments["max_new_tokens"] + 2
    )
    first, second = yield [case, longer]
    a, b = numbers(first).ravel().tolist(), numbers(second).ravel().tolist()
    fact = f"With less room the result is {a}; with two more tokens it must begin alike: {b}."
    expect(b[: len(a)] == a and len(b) == len(a) + 2, fact, second)


@exercise.check(Stage.PROPERTIES)
def the_model_is_asked_no_more_than_needed(draw):
    case = random_case(draw, "random model that ends", ends=True, look_at="calls")
    full = random_case(draw, "random model that never ends", ends=False, look_at="calls")
    for trial in (yield [case, full]):
        got, wanted = int(numbers(trial)), int(trial.expected)
        expect(got == wanted, f"step was called {got} times; {wanted} calls are needed.", trial)


@exercise.check(Stage.EDGES)
def the_prompt_stays_as_it_was(draw):
    (trial,) = yield [counting("the prompt after the call", [0, 1], 3, look_at="prompt")]
    got = numbers(trial).tolist()
    expect(got == [0, 1], f"The caller's prompt was [0, 1]; after the call it is {got}.", trial)


@exercise.check(Stage.EDGES)
def an_end_token_in_the_prompt_ends_nothing(draw):
    return [counting("the prompt starts with the end token", [5, 1], 2)]


@exercise.check(Stage.EDGES)
def nothing_to_generate(draw):
    return [
        counting("the model ends at once", [4], 3),
        counting("room for no token at all", [1], 0),
    ]
