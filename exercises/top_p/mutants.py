"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

SOFTMAX = "probs = logits.softmax(dim=-1)"
SORT = "ordered, tokens = probs.sort(dim=-1, descending=True)"
BEFORE = "before = ordered.cumsum(dim=-1) - ordered"
KEPT = "kept = ordered.masked_fill(before >= p, 0.0)"
NORMALISE = "    kept = kept / kept.sum(dim=-1, keepdim=True)\n"
RESULT = "return torch.zeros_like(probs).scatter(-1, tokens, kept)"

# --- probabilities
variants.edit("no-softmax", (SOFTMAX, "probs = logits"))
variants.edit("softmax-over-batch", (SOFTMAX, "probs = logits.softmax(dim=0)"))
variants.edit(
    "unstable-exp", (SOFTMAX, "probs = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)")
)
variants.edit(
    "sorted-logits-added",
    (BEFORE, "before = logits.sort(dim=-1, descending=True).values.cumsum(dim=-1)"),
)

# --- the order
variants.edit("least-probable-first", (SORT, SORT.replace(", descending=True", "")))
variants.edit(
    "not-sorted", (SORT, "ordered, tokens = probs, torch.arange(probs.size(-1)).expand_as(probs)")
)
variants.edit("left-in-order", (RESULT, "return kept"))
variants.edit("gathered-not-scattered", (RESULT, "return kept.gather(-1, tokens)"))
variants.edit(
    "first-rows-order", (RESULT, RESULT.replace("tokens,", "tokens[:1].expand_as(tokens),"))
)

# --- the cut
variants.edit(
    "crossing-token-dropped",
    (BEFORE, "before = ordered.cumsum(dim=-1)"),
    (KEPT, "kept = ordered.masked_fill(before > p, 0.0)"),
)
variants.edit(
    "crossing-token-dropped-but-first-kept",
    (BEFORE, "before = ordered.cumsum(dim=-1)\n    before[:, 0] = 0.0"),
    (KEPT, "kept = ordered.masked_fill(before > p, 0.0)"),
)
variants.edit(
    "one-more-kept",
    (BEFORE, BEFORE + "\n    before = before.roll(1, dims=-1)\n    before[:, 0] = 0.0"),
)
variants.edit("each-against-p", (KEPT, KEPT.replace("before >= p", "ordered < p")))
variants.edit("each-against-one-minus-p", (KEPT, KEPT.replace("before >= p", "ordered < 1 - p")))
variants.edit(
    "share-of-the-vocabulary",
    (BEFORE, "before = torch.arange(probs.size(-1)).expand_as(probs) / probs.size(-1)"),
)
variants.edit(
    "relative-to-the-best", (KEPT, KEPT.replace("before >= p", "ordered < p * ordered[:, :1]"))
)
variants.edit(
    "cut-in-all-rows-alike", (KEPT, KEPT.replace("before >= p", "(before >= p).all(dim=0)"))
)
variants.edit(
    "sum-over-all-rows",
    (BEFORE, "before = (ordered.flatten().cumsum(0) - ordered.flatten()).view_as(ordered)"),
)
variants.edit("tail-kept", (KEPT, KEPT.replace(">=", "<")))
variants.edit("one-minus-p", (KEPT, KEPT.replace(">= p", ">= 1 - p")))

# --- the result
variants.edit("not-renormalised", (NORMALISE, ""))
variants.edit("normalised-over-batch", (NORMALISE, NORMALISE.replace("dim=-1", "dim=0")))
variants.edit("normalised-by-all", (NORMALISE, NORMALISE.replace("dim=-1, keepdim=True", "")))
variants.edit(
    "softmax-again",
    (NORMALISE, '    kept = kept.masked_fill(kept == 0, float("-inf")).softmax(dim=-1)\n'),
)
variants.edit(
    "zero-logits",
    (KEPT, "kept = logits.gather(-1, tokens).masked_fill(before >= p, 0.0)"),
    (NORMALISE, "    kept = kept.softmax(dim=-1)\n"),
)
variants.edit(
    "logits-returned",
    (KEPT, 'kept = logits.gather(-1, tokens).masked_fill(before >= p, float("-inf"))'),
    (NORMALISE, ""),
)
variants.edit("log-probabilities-returned", (RESULT, RESULT + ".log()"))
variants.edit("equal-shares", (KEPT, KEPT + "\n    kept = (kept > 0).to(kept.dtype)"))
variants.edit("mask-returned", (RESULT, RESULT + " > 0"))
variants.edit(
    "draws-a-token",
    (
        RESULT,
        RESULT.replace("return ", "filtered = ")
        + "\n    return torch.zeros_like(probs).scatter(-1, filtered.multinomial(1), 1.0)",
    ),
)

# --- the contract
variants.edit("returns-a-pair", (RESULT, "return kept, tokens"))
variants.edit(
    "writes-into-logits", (SOFTMAX, "logits -= logits.amax(dim=-1, keepdim=True)\n    " + SOFTMAX)
)
variants.edit("float32-result", (SOFTMAX, "probs = logits.float().softmax(dim=-1)"))
