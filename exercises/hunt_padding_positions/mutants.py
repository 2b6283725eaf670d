"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

WORDS = "words = (tokens != pad_id).long()"
POSITIONS = "return (words.cumsum(dim=1) - 1).clamp(min=0)"
ARANGE = "torch.arange(tokens.size(1))"
PADS = "(1 - words).sum(dim=1, keepdim=True)"


def positions(code: str, expression: str) -> None:
    """Another way to count."""
    variants.edit(code, (POSITIONS, f"return {expression}"))


variants.stub("still-there")

# --- half a mend
positions("counts-from-one", "words.cumsum(dim=1)")
positions("down-the-batch", "(words.cumsum(dim=0) - 1).clamp(min=0)")
positions("all-padding-is-left", f"({ARANGE} - {PADS}).clamp(min=0)")
positions("longest-row-decides", f"({ARANGE} - {PADS}.max()).clamp(min=0).expand(tokens.shape)")
positions("first-row-decides", f"({ARANGE} - {PADS}[:1]).clamp(min=0).expand(tokens.shape)")
positions("from-the-end", "(words.flip(1).cumsum(dim=1).flip(1) - 1).clamp(min=0)")
positions("mean-shift", f"({ARANGE} - {PADS}.float().mean().long()).clamp(min=0) + 0 * words")
positions("counts-padding", "((1 - words).cumsum(dim=1) - 1).clamp(min=0)")
positions("word-before-only", "(words.roll(1, dims=1) * torch.arange(tokens.size(1))).clamp(min=0)")
variants.edit("always-zero", (WORDS, WORDS.replace("pad_id", "0")))
variants.edit("greater", (WORDS, WORDS.replace("!=", ">")))

# --- something else broken on the way
variants.edit(
    "padding-not-zero", ("hidden.masked_fill((tokens == pad_id)[..., None], 0.0)", "hidden")
)
variants.edit("no-root", (" * math.sqrt(word_table.size(-1))", ""))
variants.edit(
    "rows-moved-left",
    (
        "    words = word_table[tokens]",
        "    order = (tokens == pad_id).long().argsort(dim=1, stable=True)\n"
        "    tokens = tokens.gather(1, order)\n"
        "    words = word_table[tokens]",
    ),
)
variants.edit("no-positions", ("words + position_table[positions_of(tokens, pad_id)]", "words"))
