"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PADDING = (
    "padding = targets == pad_id\n"
    "    losses = token_losses(logits, targets).masked_fill(padding, 0.0)\n"
    "    return losses.sum() / (~padding).sum().clamp(min=1)"
)
LOSSES = ".masked_fill(padding, 0.0)\n    return losses.sum() /"
WORDS = "(~padding).sum().clamp(min=1)"
RETURN = f"return losses.sum() / {WORDS}"
GATHER = "-log_probs.gather"

variants.stub("still-there")

# --- half a mend: other denominators
variants.edit("sum", (RETURN, "return losses.sum()"))
variants.edit("by-batch", (WORDS, "targets.size(0)"))
variants.edit("by-time", (WORDS, "targets.size(1)"))
variants.edit("by-padding", (WORDS, "padding.sum().clamp(min=1)"))
variants.edit(
    "mean-of-sentences",
    (RETURN, "return (losses.sum(dim=1) / (~padding).sum(dim=1).clamp(min=1)).mean()"),
)
variants.edit("by-longest", (WORDS, "(targets.size(0) * (~padding).any(dim=0).sum()).clamp(min=1)"))
variants.edit("by-costs", (WORDS, "(losses > 0).sum().clamp(min=1)"))
variants.edit("one-more", (WORDS, "((~padding).sum() + 1)"))
variants.edit("nan-when-empty", (WORDS, "(~padding).sum()"))
variants.edit("one-loss-a-sentence", (RETURN, f"return losses.sum(dim=1) / {WORDS}"))

# --- the padding
variants.edit("padding-costs", (PADDING, "return token_losses(logits, targets).mean()"))
variants.edit("padding-costs-not-counts", (LOSSES, "\n    return losses.sum() /"))
variants.edit("multiplied", (LOSSES, " * (~padding)\n    return losses.sum() /"))
variants.edit("always-zero", (PADDING, PADDING.replace("== pad_id", "== 0")))
variants.edit("greater", (PADDING, PADDING.replace("targets == pad_id", "targets <= pad_id")))
variants.edit(
    "logits-zeroed",
    (
        PADDING,
        PADDING.replace(
            "logits, targets).masked_fill(padding, 0.0)",
            "logits.masked_fill(padding[..., None], 0.0), targets)",
        ),
    ),
)

# --- something else broken on the way
variants.edit("sign", (GATHER, "log_probs.gather"))
variants.edit("detached", (RETURN, RETURN.replace("losses.sum()", "losses.detach().sum()")))
