"""Calls beam_search with a small model made from a table."""

import torch

MOST_CALLS = 60


class ToyModel:
    """Log-probabilities after each row: from the sum of its ids' rows of the table.

    With memory = 0 only the last id counts; with more, the whole sequence does.
    """

    def __init__(self, table, memory):
        self.table, self.memory, self.calls = table, memory, 0

    def __call__(self, ids):
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise RuntimeError(f"step was called more than {MOST_CALLS} times: does it end?")
        ids = torch.as_tensor(ids)
        if ids.dim() != 2 or ids.numel() == 0:
            shape = tuple(ids.shape)
            raise TypeError(f"step takes ids of shape (rows, length); it got shape {shape}")
        distance = torch.arange(ids.size(1) - 1, -1, -1)
        weights = torch.tensor(self.memory, dtype=self.table.dtype) ** distance
        logits = torch.einsum("t,rtv->rv", weights, self.table[ids.long()])
        return logits.log_softmax(dim=-1)


def toy_model(namespace, _case, arguments):
    """Returns what the case looks at: the ids, the score, or the pair as it was returned."""
    look_at = arguments["look_at"]
    names = ("prompt", "eos_id", "beam_size", "max_new_tokens", "alpha")
    model = ToyModel(arguments["table"], arguments["memory"])
    found = namespace["beam_search"](model, *(arguments[name] for name in names))
    if look_at == "pair" or not (isinstance(found, tuple | list) and len(found) == 2):
        return found
    ids, score = found
    try:
        if look_at == "score":
            return torch.tensor(float(score), dtype=torch.float64)
        return torch.tensor([int(token) for token in ids], dtype=torch.long)
    except (TypeError, ValueError):
        return found
