"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

LOWEST = "hidden = torch.finfo(scores.dtype).min\n"
SOFTMAX = "weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1)"
ZEROS = "return weights.masked_fill(~mask, 0.0)"
AS_BEFORE = "return weights"
INFINITE = (LOWEST, 'hidden = float("-inf")\n')

variants.stub("still-there")

# --- half a mend
variants.edit("zeros-but-1e9", (LOWEST, "hidden = -1e9\n"))
variants.edit("minus-1e4", (LOWEST, "hidden = -1e4\n"))
variants.edit("minus-1e4-no-zeros", (LOWEST, "hidden = -1e4\n"), (ZEROS, AS_BEFORE))
variants.edit("lowest-but-average", (ZEROS, AS_BEFORE))
variants.edit("infinite", INFINITE, (ZEROS, AS_BEFORE))
variants.edit(
    "nan-gradients",
    (
        SOFTMAX,
        "closed = torch.zeros_like(scores).masked_fill(~mask, float('-inf'))\n"
        "    weights = torch.softmax(scores + closed, dim=-1)",
    ),
    (ZEROS, "return weights.nan_to_num(0.0)"),
)
variants.edit("float32-lowest", (LOWEST, "hidden = torch.finfo(torch.float32).min\n"))
variants.edit(
    "float32-result",
    (SOFTMAX, "weights = torch.softmax(scores.float().masked_fill(~mask, hidden), dim=-1)"),
    ("attention_weights(scores, mask) @ value", "attention_weights(scores, mask) @ value.float()"),
)
variants.edit(
    "float32-inside-average",
    (SOFTMAX, "weights = torch.softmax(scores.float().masked_fill(~mask, -1e9), dim=-1)"),
    (ZEROS, "return weights.to(scores.dtype)"),
)
variants.edit(
    "added",
    (SOFTMAX, "weights = torch.softmax(scores + (~mask).to(scores.dtype) * hidden, dim=-1)"),
)
variants.edit(
    "smallest-positive", (LOWEST, "hidden = torch.finfo(scores.dtype).tiny\n"), (ZEROS, AS_BEFORE)
)
variants.edit("after-softmax", (SOFTMAX, "weights = torch.softmax(scores, dim=-1)"))
variants.edit(
    "divided-with-epsilon",
    (SOFTMAX, "weights = scores.exp() * mask"),
    (ZEROS, "return weights / (weights.sum(dim=-1, keepdim=True) + 1e-9)"),
)
variants.edit(
    "detached-zeros", (SOFTMAX, SOFTMAX.replace("scores.masked", "scores.detach().masked"))
)

# --- something else broken on the way
variants.edit("inverted", (SOFTMAX, SOFTMAX.replace("~", "")), (ZEROS, ZEROS.replace("~", "")))
variants.edit("no-mask", (SOFTMAX, "weights = torch.softmax(scores, dim=-1)"), (ZEROS, AS_BEFORE))
