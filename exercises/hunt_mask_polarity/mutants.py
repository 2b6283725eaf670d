"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

MARKED = "return (tokens != pad_id)[:, None, :]\n    # stub"
FILL = "scores.masked_fill(~mask, torch.finfo(scores.dtype).min)"
COMBINED = "causal_mask(hidden.size(1)) & padding_mask(tokens, pad_id)"
RETURNED = "return torch.softmax(scores, dim=-1)"


def marked(code: str, expression: str) -> None:
    """Another padding mask."""
    variants.edit(code, (MARKED, f"return {expression}\n    # stub"))


variants.stub("still-there")

# --- half a mend
marked("hides-queries", "(tokens != pad_id)[:, :, None]")
marked("always-zero", "(tokens != 0)[:, None, :]")
marked("greater", "(tokens > pad_id)[:, None, :]")
variants.edit("both-inverted", (MARKED, MARKED.replace("!=", "==")), (FILL, FILL.replace("~", "")))
variants.edit("all-inverted", (FILL, FILL.replace("~", "")))
variants.edit("or-instead-of-and", (COMBINED, COMBINED.replace("&", "|")))

# --- the mask taken away instead of mended
variants.edit("padding-forgotten", (COMBINED, "causal_mask(hidden.size(1))[None]"))
variants.edit("future-seen", (COMBINED, "padding_mask(tokens, pad_id)"))
variants.edit(
    "hidden-after-softmax",
    (FILL, "scores"),
    (RETURNED, "return torch.softmax(scores, dim=-1) * mask"),
)
variants.edit("scores-set-to-zero", (FILL, FILL.replace("torch.finfo(scores.dtype).min", "0")))
variants.edit(
    "words-zeroed",
    (COMBINED, "causal_mask(hidden.size(1))[None]"),
    ("@ hidden\n", "@ (hidden * padding_mask(tokens, pad_id)[:, 0, :, None])\n"),
)
variants.edit("minus-1e9", (FILL, FILL.replace("torch.finfo(scores.dtype).min", "-1e9")))
