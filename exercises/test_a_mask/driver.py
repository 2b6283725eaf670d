"""The implementations that the learner's test is tried on; trusted code, run in the child."""

import torch

from exercises.engine.isolated.testing import run_test


def triangle(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)


def compared(query_len, key_len):
    return torch.arange(key_len) <= torch.arange(key_len - query_len, key_len)[:, None]


def rows_of_the_square(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[key_len - query_len :]


def transposed_in_memory(query_len, key_len):
    return torch.ones(key_len, query_len, dtype=torch.bool).triu(query_len - key_len).T


def shows_everything(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool)


def inverted(query_len, key_len):
    return ~triangle(query_len, key_len)


def sees_the_next(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len + 1)


def misses_itself(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len - 1)


def top_left(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()


def hides_the_stored(query_len, key_len):
    return triangle(query_len, key_len).triu(key_len - query_len) | (
        triangle(query_len, key_len) & (torch.arange(key_len) >= key_len - query_len)
    )


def forgets_after_four(query_len, key_len):
    return triangle(query_len, key_len).triu(key_len - query_len - 3)


def right_number_wrong_places(query_len, key_len):
    return triangle(query_len, key_len).flip(1)


def always_square(_, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()


def zeros_and_ones(query_len, key_len):
    return triangle(query_len, key_len).float()


def four_axes(query_len, key_len):
    return triangle(query_len, key_len)[None, None]


def on_all(namespace, case, arguments):
    return run_test(namespace, case["function"], globals(), arguments)
