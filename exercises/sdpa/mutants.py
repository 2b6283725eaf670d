"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

NO_MASK = "torch.softmax(scores, dim=-1) @ value"
WITH_MASK = "torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)"
FILL = "scores = scores.masked_fill(~mask, lowest)"
ZEROS = ".masked_fill(~mask, 0.0)"
SCORES = "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)"
SCALE = " / math.sqrt(d_k)"


def softmax(code: str, call: str) -> None:
    """The mistake stands in both softmax calls."""
    old = "torch.softmax(scores, dim=-1)"
    variants.edit(
        code,
        (NO_MASK, NO_MASK.replace(old, call)),
        (WITH_MASK, WITH_MASK.replace(old, call)),
    )


# --- the softmax
softmax("softmax-over-queries", "torch.softmax(scores, dim=-2)")
softmax("softmax-over-heads", "torch.softmax(scores, dim=1)")
softmax("softmax-over-batch", "torch.softmax(scores, dim=0)")
softmax("no-softmax", "scores")
softmax("divided-by-sum", "(scores / scores.sum(dim=-1, keepdim=True))")
softmax("sigmoid", "torch.sigmoid(scores)")
softmax("unstable-exp", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))")
softmax("log-softmax", "torch.log_softmax(scores, dim=-1)")
softmax("softmax-twice", "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)")

# --- the scale
variants.edit("no-scale", (SCALE, ""))
variants.edit("scale-by-d-k", (SCALE, " / d_k"))
variants.edit("scale-by-constant", (SCALE, " / 8"))
variants.edit("scale-multiplied", (SCALE, " * math.sqrt(d_k)"))
variants.edit("scale-by-d-v", (SCALE, " / math.sqrt(value.size(-1))"))
variants.edit("scale-by-key-len", (SCALE, " / math.sqrt(key.size(-2))"))
variants.edit("scale-by-d-model", (SCALE, " / math.sqrt(query.size(1) * d_k)"))
variants.edit(
    "scale-after-softmax",
    (SCALE, ""),
    (NO_MASK, "torch.softmax(scores, dim=-1) / math.sqrt(d_k) @ value"),
    ("return weights @ value", "return weights / math.sqrt(d_k) @ value"),
)

# --- the product
variants.edit("transposed-heads", ("key.transpose(-2, -1)", "key.transpose(1, 2)"))
variants.edit("not-transposed", ("key.transpose(-2, -1)", "key"))
variants.edit(
    "query-key-swapped", ("query @ key.transpose(-2, -1)", "key @ query.transpose(-2, -1)")
)
variants.edit("elementwise-value", (NO_MASK, NO_MASK.replace("@", "*")), ("weights @", "weights *"))

# --- the mask
variants.edit("mask-ignored", ("mask is None", "True"))
variants.edit("mask-inverted", (FILL, FILL.replace("~", "")), (ZEROS, ".masked_fill(mask, 0.0)"))
variants.edit("mask-after-softmax", (FILL, ""))
variants.edit("mask-multiplied-scores", (FILL, "scores = scores * mask"), (ZEROS, ""))
variants.edit("mask-added", (FILL, "scores = scores + mask"), (ZEROS, ""))
variants.edit("minus-1e9", ("lowest)", "-1e9)"), (ZEROS, ""))
variants.edit("hidden-row-averages", (ZEROS, ""))
variants.edit("hidden-row-nan", ("lowest)", 'float("-inf"))'), (ZEROS, ""))
variants.edit(
    "hidden-row-nan-gradients",
    (FILL, 'scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))'),
    (ZEROS, ".nan_to_num(0.0)"),
)

# --- the contract
variants.edit("returns-weights-too", ("return weights @ value", "return weights @ value, weights"))
variants.edit(
    "returns-weights",
    ("return weights @ value", "return weights"),
    (" @ value\n    low", "\n    low"),
)
variants.edit(
    "writes-into-query", (SCORES, "query /= math.sqrt(d_k)\n    " + SCORES.replace(SCALE, ""))
)
variants.edit(
    "float32-result",
    (SCORES, SCORES.replace("query @ key", "query.float() @ key.float()")),
    (NO_MASK, NO_MASK.replace("value", "value.float()")),
    ("weights @ value", "weights @ value.float()"),
)
variants.edit(
    "half-precision-inside",
    (SCORES, SCORES.replace("query @ key", "query.bfloat16() @ key.bfloat16()")),
    (NO_MASK, "torch.softmax(scores, dim=-1).to(value.dtype) @ value"),
    ("return weights @", "return weights.to(value.dtype) @"),
)
variants.edit("detached", ("query @ key", "query.detach() @ key.detach()"))
