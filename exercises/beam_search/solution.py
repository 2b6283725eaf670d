"""Beam search: keep the few best beginnings, not only one.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check beam_search
"""

from collections.abc import Callable

import torch
from torch import Tensor


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6) ** alpha: what a sequence's log-probability is divided by.

    Longer sequences have smaller probabilities; this makes up for some of it. alpha = 0 makes up
    for nothing. (Wu et al., 2016, equation 14.)
    """
    # solution:
    return ((5 + length) / 6) ** alpha
    # end


def beam_search(
    step: Callable[[Tensor], Tensor],
    prompt: list[int],
    eos_id: int,
    beam_size: int,
    max_new_tokens: int,
    alpha: float,
) -> tuple[list[int], float]:
    """Find a probable continuation of the prompt, keeping beam_size beginnings at a time.

    The beam starts with the prompt alone, at score 0. Each of max_new_tokens rounds:
      1. extends every beginning in the beam by every token; the score of the longer one is the
         beginning's score plus the token's log-probability;
      2. takes the beam_size best of *all* these extensions together (all, if there are fewer);
      3. of those, the ones that end in eos_id leave the beam and are kept aside as finished; the
         others are the next round's beam. An empty beam ends the search.

    Args:
        step: the model. step(beginnings), ids of shape (rows, length), gives log-probabilities of
            the next token, (rows, vocab).
        prompt: the ids to start from.
        alpha: for length_penalty.

    Returns:
        The best finished sequence and its score. Finished sequences are compared by their score
        divided by length_penalty(n, alpha), where n counts the generated tokens, eos_id included;
        that quotient is the score that is returned. Only if none has finished, it is the best of
        the beam instead, with n its generated tokens. The ids come without prompt and eos_id.
    """
    # solution:
    beam, scores = torch.tensor([prompt]), torch.zeros(1)
    finished = []
    for length in range(1, max_new_tokens + 1):
        log_probs = step(beam)
        vocab = log_probs.size(1)
        totals = (scores[:, None] + log_probs).flatten()
        scores, best = totals.topk(min(beam_size, len(totals)))
        parents, tokens = best // vocab, best % vocab
        beam = torch.cat([beam[parents], tokens[:, None]], dim=1)
        ended = tokens == eos_id
        for ids, score in zip(beam[ended].tolist(), scores[ended].tolist(), strict=True):
            finished.append((score / length_penalty(length, alpha), ids[len(prompt) : -1]))
        beam, scores = beam[~ended], scores[~ended]
        if len(beam) == 0:
            break
    if not finished:
        score = float(scores.max()) / length_penalty(max_new_tokens, alpha)
        return beam[scores.argmax()].tolist()[len(prompt) :], score
    score, ids = max(finished)
    return ids, score
    # end
