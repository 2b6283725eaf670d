"""Right answers that look different; each must pass."""

from itertools import takewhile
from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))


@variants.function("while-loop")
def greedy(step, prompt, eos_id, max_new_tokens):
    generated = []
    while len(generated) < max_new_tokens:
        probabilities = torch.softmax(step(prompt + generated), dim=-1)
        best = torch.argmax(probabilities).item()
        if best == eos_id:
            return generated
        generated += [best]
    return generated


@variants.function("recursive")
def greedy(model, ids, end, room):
    if room == 0 or (token := int(model(ids).topk(1).indices)) == end:
        return []
    return [token, *greedy(model, [*ids, token], end, room - 1)]


@variants.function("tensor-of-ids")
def greedy(step, prompt, eos_id, max_new_tokens):
    ids = torch.tensor(prompt)
    for _ in range(max_new_tokens):
        token = step(ids).log_softmax(-1).argmax(-1, keepdim=True)
        if token == eos_id:
            break
        ids = torch.cat([ids, token])
    return ids[len(prompt) :]


@variants.function("take-while")
def greedy(step, prompt, eos_id, max_new_tokens):
    def tokens():
        ids = tuple(prompt)
        for _ in range(max_new_tokens):
            logits = step(list(ids)).tolist()
            token = logits.index(max(logits))
            yield token
            ids += (token,)

    return list(takewhile(lambda token: token != eos_id, tokens()))
