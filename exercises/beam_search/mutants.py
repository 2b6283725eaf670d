"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

import torch

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PENALTY = "return ((5 + length) / 6) ** alpha"
START = "beam, scores = torch.tensor([prompt]), torch.zeros(1)"
ROUNDS = "for length in range(1, max_new_tokens + 1):"
TOTALS = "totals = (scores[:, None] + log_probs).flatten()"
TOPK = "scores, best = totals.topk(min(beam_size, len(totals)))"
SPLIT = "parents, tokens = best // vocab, best % vocab"
EXTEND = "beam[parents], tokens[:, None]"
FINISH = "finished.append((score / length_penalty(length, alpha), ids[len(prompt) : -1]))"
FILTER = "        beam, scores = beam[~ended], scores[~ended]\n"
EMPTY = "        if len(beam) == 0:\n            break\n"
NONE = """    if not finished:
        score = float(scores.max()) / length_penalty(max_new_tokens, alpha)
        return beam[scores.argmax()].tolist()[len(prompt) :], score
"""
BEST = "score, ids = max(finished)"
LIVE = """for ids, score in zip(beam.tolist(), scores.tolist(), strict=True):
        finished.append((score / length_penalty(max_new_tokens, alpha), ids[len(prompt) :]))
    """

# --- length_penalty
variants.edit("penalty-without-constants", (PENALTY, "return length**alpha"))
variants.edit("penalty-times-alpha", (PENALTY, PENALTY.replace("**", "*")))
variants.edit("penalty-six-outside", (PENALTY, "return (5 + length) ** alpha / 6"))
variants.edit("penalty-upside-down", (PENALTY, PENALTY.replace("alpha", "-alpha")))

# --- scores
variants.edit("scores-forgotten", (TOTALS, "totals = log_probs.flatten()"))
variants.edit("probabilities-added", ("log_probs = step(beam)", "log_probs = step(beam).exp()"))
variants.edit(
    "end-adds-nothing",
    (TOPK, "before = scores\n        " + TOPK),
    ("scores[ended].tolist()", "before[parents][ended].tolist()"),
)

# --- the beam
variants.edit(
    "one-beginning",
    (START, "beam, scores = torch.tensor([prompt] * beam_size), torch.zeros(beam_size)"),
)
variants.edit(
    "each-for-itself",
    (
        TOPK,
        TOPK
        + """
        if length > 1:
            scores, tokens = (scores[:, None] + log_probs).max(dim=1)""",
    ),
)
variants.edit(
    "parents-ignored", (EXTEND, EXTEND.replace("parents", "torch.arange(len(best)) % len(beam)"))
)
variants.edit("divided-by-beam-size", (SPLIT, SPLIT.replace("best // vocab", "best // beam_size")))
variants.edit("ended-stay", (FILTER, ""))
variants.edit(
    "beam-shrinks", ("min(beam_size, len(totals))", "min(beam_size - len(finished), len(totals))")
)
variants.edit("beam-too-wide", ("min(beam_size, len(totals))", "beam_size"))

# --- the end of the search
variants.edit(
    "stops-when-best-ends", (EMPTY, EMPTY.replace("len(beam) == 0", "len(beam) == 0 or ended[0]"))
)
variants.edit("stops-at-first-end", (EMPTY, EMPTY.replace("len(beam) == 0", "ended.any()")))
variants.edit(
    "stops-at-beam-size-finished",
    (EMPTY, EMPTY.replace("len(beam) == 0", "len(beam) == 0 or len(finished) >= beam_size")),
)
variants.edit("goes-on-empty", (EMPTY, ""))
variants.edit("one-too-many", (ROUNDS, ROUNDS.replace("+ 1", "+ 2")))
variants.edit("one-too-few", (ROUNDS, ROUNDS.replace(" + 1", "")))

# --- comparing what has finished
variants.edit("not-normalised", (FINISH, FINISH.replace(" / length_penalty(length, alpha)", "")))
variants.edit("penalty-multiplied", (FINISH, FINISH.replace("score /", "score *")))
variants.edit(
    "penalty-every-round",
    (TOPK, TOPK + "\n        scores = scores / length_penalty(length, alpha)"),
    (FINISH, FINISH.replace(" / length_penalty(length, alpha)", "")),
)
variants.edit("end-not-counted", (FINISH, FINISH.replace("length,", "length - 1,")))
variants.edit("prompt-counted", (FINISH, FINISH.replace("length,", "length + len(prompt),")))
variants.edit("lowest-score", (BEST, "score, ids = min(finished)"))
variants.edit("unfinished-compete", (NONE, "    " + LIVE.rstrip(" ")))
variants.edit("none-finished-crashes", (NONE, ""))
variants.edit(
    "none-finished-empty", (NONE, '    if not finished:\n        return [], float("-inf")\n')
)
variants.edit(
    "unfinished-not-normalised",
    (NONE, NONE.replace(" / length_penalty(max_new_tokens, alpha)", "")),
)

# --- the result
variants.edit("end-included", (FINISH, FINISH.replace(" : -1]", " :]")))
variants.edit(
    "prompt-included",
    (FINISH, FINISH.replace("len(prompt) : -1", ":-1")),
    (NONE, NONE.replace("[len(prompt) :]", "")),
)
variants.edit(
    "sum-returned", (BEST, BEST + "\n    score = score * length_penalty(len(ids) + 1, alpha)")
)
variants.edit("ids-only", ("return ids, score", "return ids"))


@variants.function("ended-hold-places")
def beam_search(step, prompt, eos_id, beam_size, max_new_tokens, alpha):
    beam = [(0.0, list(prompt), False)]
    for _ in range(max_new_tokens):
        grown = [hypothesis for hypothesis in beam if hypothesis[2]]
        for score, ids, ended in beam:
            if not ended:
                row = step(torch.tensor([ids]))[0].tolist()
                grown += [(score + p, [*ids, t], t == eos_id) for t, p in enumerate(row)]
        beam = sorted(grown, reverse=True)[:beam_size]
    chosen = [hypothesis for hypothesis in beam if hypothesis[2]] or beam

    def value(hypothesis):
        length = len(hypothesis[1]) - len(prompt)
        return hypothesis[0] / ((5 + length) / 6) ** alpha

    best = max(chosen, key=value)
    return [token for token in best[1][len(prompt) :] if token != eos_id], value(best)
