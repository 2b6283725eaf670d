"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

CHOICE = "token = int(step(ids).argmax())"
END = """        if token == eos_id:
            break
"""
APPEND = "        ids.append(token)\n"
ASK = "int(step(ids)"
RESULT = "return ids[len(prompt) :]"
LOOP = "for _ in range(max_new_tokens):"

# --- the choice
variants.edit("least-probable", ("argmax", "argmin"))
variants.edit("samples", (CHOICE, "token = int(step(ids).softmax(dim=-1).multinomial(1))"))
variants.edit("probability-not-token", ("argmax", "max"))
variants.edit(
    "end-never-chosen",
    (CHOICE, CHOICE.replace("step(ids)", "_without(step(ids), eos_id)")),
    (
        "def greedy(",
        "def _without(logits, eos_id):\n    logits = logits.clone()\n"
        '    logits[eos_id] = float("-inf")\n    return logits\n\n\ndef greedy(',
    ),
)

# --- what the model is given
variants.edit("prompt-every-time", (ASK, "int(step(prompt)"))
variants.edit("last-token-only", (ASK, "int(step(ids[-1:])"))
variants.edit("prompt-forgotten", (ASK, "int(step(ids[len(prompt) :] or prompt)"))
variants.edit(
    "newest-first",
    ("ids.append(token)", "ids.insert(0, token)"),
    (RESULT, "return ids[: len(ids) - len(prompt)][::-1]"),
)

# --- the end
variants.edit("end-ignored", (END, ""))
variants.edit("end-included", (END + APPEND, APPEND + END))
variants.edit(
    "end-anywhere",
    (END + APPEND, APPEND + END.replace("token == eos_id", "eos_id in ids")),
    (
        RESULT,
        "new = ids[len(prompt) :]\n    return new[: new.index(eos_id)] if eos_id in new else new",
    ),
)
variants.edit(
    "runs-to-the-limit",
    (END, ""),
    (
        RESULT,
        "new = ids[len(prompt) :]\n    return new[: new.index(eos_id)] if eos_id in new else new",
    ),
)
variants.edit(
    "drops-the-last-token",
    (
        END,
        END.replace("break", "return ids[len(prompt) : -1]"),
    ),
)

# --- the limit
variants.edit("no-limit", (LOOP, "while True:"))
variants.edit("one-too-many", (LOOP, "for _ in range(max_new_tokens + 1):"))
variants.edit("one-too-few", (LOOP, "for _ in range(max_new_tokens - 1):"))
variants.edit("prompt-counts", (LOOP, "while len(ids) < max_new_tokens:"))
variants.edit("at-least-one", (LOOP, "for _ in range(max(max_new_tokens, 1)):"))

# --- the result
variants.edit("prompt-included", (RESULT, "return ids"))
variants.edit("last-token-returned", (RESULT, "return ids[-1]"))
variants.edit(
    "writes-into-prompt",
    ("ids = list(prompt)", "ids, start = prompt, len(prompt)"),
    (RESULT, "return ids[start:]"),
)
