"""Calls greedy with a small model made from a table."""

import torch


class ToyModel:
    """Logits after ids: the sum of their rows of the table, the last counting most.

    With memory = 0 only the last id counts; with more, the whole sequence does.
    """

    def __init__(self, table, memory, most_calls):
        self.table, self.memory, self.most_calls = table, memory, most_calls
        self.calls = 0

    def __call__(self, ids):
        self.calls += 1
        if self.calls > self.most_calls:
            raise RuntimeError(f"step was called more than {self.most_calls} times: does it end?")
        ids = torch.as_tensor(ids)
        if ids.dim() != 1 or len(ids) == 0:
            shape = tuple(ids.shape)
            raise TypeError(f"step takes a list of at least one id; it got shape {shape}")
        distance = torch.arange(len(ids) - 1, -1, -1)
        weights = torch.tensor(self.memory, dtype=self.table.dtype) ** distance
        return weights @ self.table[ids.long()]


def toy_model(namespace, _case, arguments):
    """Returns what the case looks at: the ids, the number of calls, or the prompt afterwards."""
    limit = arguments["max_new_tokens"]
    model = ToyModel(arguments["table"], arguments["memory"], limit + 20)
    prompt = list(arguments["prompt"])
    found = namespace["greedy"](model, prompt, arguments["eos_id"], limit)
    look_at = arguments["look_at"]
    if look_at == "calls":
        return torch.tensor(model.calls)
    if look_at == "prompt":
        return torch.tensor(prompt)
    return ids_of(found)


def ids_of(found):
    """A list of ids as a tensor; whatever else was returned stays as it is."""
    try:
        return torch.tensor([int(token) for token in found], dtype=torch.long)
    except (TypeError, ValueError):
        return found
