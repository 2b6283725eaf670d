"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

FIRST = "maximum = None\n"
START = "maximum = scores.new_full(scores.shape[:1], torch.finfo(scores.dtype).min)"
NEWER = "newer = torch.maximum(maximum, scores.amax(dim=-1))"
OLD = "total = total * torch.exp(maximum - newer)"
NEW = "total = total + torch.exp(scores - newer[:, None]).sum(dim=-1)"
KEEP = "        maximum = newer\n"
SUM = "return maximum + total.log()"

TOP = "top = torch.full((1,), torch.finfo(query.dtype).min, dtype=query.dtype)"
PRODUCTS = "products = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))"
NEW_TOP = "new_top = torch.maximum(top, products.amax(dim=-1, keepdim=True))"
WEIGHTS = "weights = torch.exp(products - new_top)"
RESCALE = "rescale = torch.exp(top - new_top)"
WEIGHT_SUM = "weight_sum = weight_sum * rescale + weights.sum(dim=-1, keepdim=True)"
VALUE_SUM = "value_sum = value_sum * rescale + weights @ value"
KEEP_TOP = "        top = new_top\n"
OWN = "scores.amax(dim=-1, keepdim=True)"
OWN_TOP = "products.amax(dim=-1, keepdim=True)"
RESULT = "return value_sum / weight_sum"

# --- streaming_logsumexp
variants.edit("sum-not-rescaled", (OLD, "total = total * 1.0"))
variants.edit(
    "rescaled-upside-down",
    (OLD, OLD.replace("maximum - newer", "newer - maximum")),
    (START, "maximum = scores.amax(dim=-1)"),
)
variants.edit(
    "old-maximum-for-the-block",
    (NEW, NEW.replace("newer", "maximum")),
    (START, "maximum = scores.amax(dim=-1)"),
)
variants.edit(
    "last-maximum", (NEWER, "newer = scores.amax(dim=-1).clamp(min=torch.finfo(scores.dtype).min)")
)
variants.edit("maximum-not-kept", (KEEP, ""), (SUM, SUM.replace("maximum", "newer")))
variants.edit(
    "no-maximum",
    (NEWER, "newer = torch.zeros_like(maximum)"),
    (OLD, ""),
    (KEEP, "        maximum = newer\n"),
)
variants.edit(
    "one-maximum-for-all-rows", (NEWER, NEWER.replace("scores.amax(dim=-1)", "scores.amax()"))
)
variants.edit("starts-at-zero", (START, "maximum = scores.new_zeros(scores.shape[:1])"))
variants.edit(
    "starts-at-minus-infinity",
    (START, START.replace("torch.finfo(scores.dtype).min", 'float("-inf")')),
)
variants.edit("maximum-not-added", (SUM, "return total.log()"))
variants.edit("logarithm-missing", (SUM, "return maximum + total"))
variants.edit("sum-itself", (SUM, "return maximum.exp() * total"))
variants.edit(
    "logarithms-added",
    (FIRST, "return sum(scores.logsumexp(dim=-1) for scores in blocks)\n    " + FIRST),
)
variants.edit(
    "blocks-kept", (FIRST, "return torch.cat(list(blocks), dim=-1).logsumexp(dim=-1)\n    " + FIRST)
)
variants.edit(
    "two-passes",
    (
        FIRST,
        """largest = None
    for scores in blocks:
        here = scores.amax(dim=-1)
        largest = here if largest is None else torch.maximum(largest, here)
    total = torch.zeros_like(largest)
    for scores in blocks:
        total = total + torch.exp(scores - largest[:, None]).sum(dim=-1)
    return largest + total.log()
    """
        + FIRST,
    ),
)
variants.edit(
    "sum-in-float32",
    ("for scores in blocks:", "for scores in (block.float() for block in blocks):"),
)
variants.edit("sum-detached", (SUM, SUM + ".detach()"))
variants.edit("column-kept", (SUM, "return (maximum + total.log())[:, None]"))

variants.edit("block-relative-to-itself", (NEW, NEW.replace("newer[:, None]", OWN)))

# --- blockwise_attention
variants.edit("weights-relative-to-the-block", (WEIGHTS, WEIGHTS.replace("new_top", OWN_TOP)))
variants.edit(
    "new-values-relative-to-the-block",
    (VALUE_SUM, VALUE_SUM.replace("weights @", f"torch.exp(products - {OWN_TOP}) @")),
)
variants.edit("values-not-rescaled", (VALUE_SUM, VALUE_SUM.replace(" * rescale", "")))
variants.edit("weights-not-rescaled", (WEIGHT_SUM, WEIGHT_SUM.replace(" * rescale", "")))
variants.edit("nothing-rescaled", (RESCALE, "rescale = 1.0"))
variants.edit(
    "attention-rescaled-upside-down",
    (RESCALE, "rescale = torch.exp(new_top - top) if value_sum.dim() > 1 else 1.0"),
)
variants.edit("last-top", (NEW_TOP, "new_top = products.amax(dim=-1, keepdim=True)"))
variants.edit("top-not-kept", (KEEP_TOP, ""))
variants.edit("no-top", (NEW_TOP, "new_top = top = torch.zeros_like(top)"))
variants.edit(
    "one-top-for-all-queries",
    (NEW_TOP, NEW_TOP.replace("products.amax(dim=-1, keepdim=True)", "products.amax()")),
)
variants.edit("top-starts-at-zero", (TOP, "top = torch.zeros(1, dtype=query.dtype)"))
variants.edit("sums-returned-too", (RESULT, RESULT + ", weight_sum"))
variants.edit("not-divided", (RESULT, "return value_sum"))
variants.edit(
    "divided-in-every-block",
    (VALUE_SUM, VALUE_SUM + "\n        value_sum = value_sum / weight_sum"),
    (RESULT, "return value_sum"),
)
variants.edit(
    "softmax-of-each-block",
    (WEIGHTS, "weights = products.softmax(dim=-1)"),
    (RESCALE, "rescale = 1.0"),
)
variants.edit("no-scale", (PRODUCTS, PRODUCTS.replace(" / math.sqrt(query.size(-1))", "")))
variants.edit(
    "scale-by-block-width", (PRODUCTS, PRODUCTS.replace("query.size(-1)", "key.size(-2)"))
)
variants.edit(
    "scale-by-d-k", (PRODUCTS, PRODUCTS.replace("math.sqrt(query.size(-1))", "query.size(-1)"))
)
variants.edit(
    "sum-over-queries",
    (WEIGHT_SUM, WEIGHT_SUM.replace("keepdim=True)", "keepdim=True).sum(dim=-2, keepdim=True)")),
)
variants.edit(
    "key-blocks-kept",
    (
        TOP,
        """keys, values = (torch.cat(tensors, dim=-2) for tensors in zip(*blocks, strict=True))
    products = query @ keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    return products.softmax(dim=-1) @ values
    """
        + TOP,
    ),
)
variants.edit("first-block-only", (KEEP_TOP, KEEP_TOP + "        break\n"))
variants.edit(
    "attention-in-float32",
    (PRODUCTS, PRODUCTS.replace("query @ key", "query.float() @ key.float()")),
    (VALUE_SUM, VALUE_SUM.replace("@ value", "@ value.float()")),
    (
        TOP,
        TOP.replace("dtype=query.dtype", "dtype=torch.float32").replace(
            "query.dtype", "torch.float32"
        ),
    ),
)
variants.edit("attention-detached", (WEIGHTS, "weights = torch.exp(products - new_top).detach()"))
