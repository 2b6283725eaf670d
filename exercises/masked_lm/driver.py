"""Calls mask_tokens and lays its two results on top of each other, so that both are compared."""

import torch


def both(namespace, case, arguments):
    """One tensor (2, batch, time): the inputs and the labels."""
    found = namespace[case["function"]](*arguments.values())
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise TypeError(f"mask_tokens returns a pair (inputs, labels), not {describe(found)}")
    if not all(isinstance(item, torch.Tensor) for item in found):
        kinds = " and ".join(type(item).__name__ for item in found)
        raise TypeError(f"inputs and labels must be tensors, not {kinds}")
    shapes = [tuple(item.shape) for item in found]
    if shapes[0] != shapes[1]:
        raise ValueError(
            f"inputs have shape {shapes[0]} and labels {shapes[1]}: both must be (batch, time)"
        )
    return torch.stack(list(found))


def describe(value):
    """What came back instead, in a few words."""
    if isinstance(value, tuple | list):
        return f"{len(value)} items"
    return "nothing (None)" if value is None else f"one {type(value).__name__}"
