"""Greedy decoding: always the most probable next token.

Fill in the function below, then run, from the folder that holds `exercises`:

    python -m exercises check greedy
"""

from collections.abc import Callable

from torch import Tensor


def greedy(
    step: Callable[[list[int]], Tensor], prompt: list[int], eos_id: int, max_new_tokens: int
) -> list[int]:
    """Continue the prompt, one token at a time, each time with the most probable one.

    Args:
        step: the model. step(ids) gives the logits, (vocab,), of the token that comes after ids.
            It wants *all* ids so far, and each call is expensive.
        prompt: at least one id. It may contain eos_id (some models start with it); the caller
            goes on using this list.
        eos_id: the token that ends a sequence. Once it is chosen, step is not called again.
        max_new_tokens: at most so many tokens are generated; the prompt does not count.

    Returns:
        The generated ids, without the prompt and without eos_id.

    Example: a model that only counts up, eos_id = 5
        greedy(step, [2], 5, max_new_tokens=10) is [3, 4]
        greedy(step, [1], 5, max_new_tokens=2)  is [2, 3]
    """
    raise NotImplementedError
