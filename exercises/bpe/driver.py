"""Looks at what a call left of the caller's own lists."""

import itertools

import torch


def first_argument_afterwards(namespace, case, arguments):
    """The first argument after the call, in one row."""
    first, *others = arguments.values()
    namespace[case["function"]](first, *others)
    return in_one_row(first if isinstance(first[0], list) else [first])


def its_lists_afterwards(namespace, case, arguments):
    """The lists that were in the first argument, even if others have taken their places."""
    first, *others = arguments.values()
    lists = list(first)
    namespace[case["function"]](first, *others)
    return in_one_row(lists)


def in_one_row(lists):
    return torch.tensor(list(itertools.chain.from_iterable(lists)))
