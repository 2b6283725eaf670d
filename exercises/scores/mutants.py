"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

RETURN = "return query @ key.transpose(-2, -1) / math.sqrt(d_k)"
PRODUCT = "query @ key.transpose(-2, -1)"
SCALE = " / math.sqrt(d_k)"


def instead(code: str, expression: str) -> None:
    """Return something else."""
    variants.edit(code, (RETURN, f"return {expression}"))


# --- the scale
variants.edit("no-scale", (SCALE, ""))
variants.edit("scale-by-d-k", (SCALE, " / d_k"))
variants.edit("scale-by-constant", (SCALE, " / 8"))
variants.edit("scale-multiplied", (SCALE, " * math.sqrt(d_k)"))
variants.edit("scale-by-key-len", (SCALE, " / math.sqrt(key.size(1))"))
variants.edit("scale-by-query-len", (SCALE, " / math.sqrt(query.size(1))"))
variants.edit("scale-by-batch", (SCALE, " / math.sqrt(query.size(0))"))
variants.edit("scale-rounded", (SCALE, " // math.sqrt(d_k)"))
variants.edit("mean-subtracted", (SCALE, SCALE + " - key.mean(dim=(-2, -1), keepdim=True)"))

# --- the product
variants.edit("not-transposed", ("key.transpose(-2, -1)", "key"))
variants.edit("transposed-batch", ("key.transpose(-2, -1)", "key.transpose(0, 1)"))
variants.edit("rows-are-keys", (PRODUCT, "key @ query.transpose(-2, -1)"))
variants.edit("elementwise", (PRODUCT, "query * key"))
instead("features-not-summed", "query[:, :, None] * key[:, None] / math.sqrt(d_k)")
instead("batch-summed", 'torch.einsum("bqd,ckd->bqk", query, key) / math.sqrt(d_k)')
instead("regrouped", "query @ key.reshape(key.size(0), d_k, key.size(1)) / math.sqrt(d_k)")
instead(
    "cosine",
    "torch.nn.functional.normalize(query, dim=-1)"
    " @ torch.nn.functional.normalize(key, dim=-1).transpose(-2, -1)",
)
instead("distance", "-torch.cdist(query, key) / math.sqrt(d_k)")

# --- the contract
instead("softmax-too", f"torch.softmax({PRODUCT} / math.sqrt(d_k), dim=-1)")
variants.edit("writes-into-query", (RETURN, f"query /= math.sqrt(d_k)\n    return {PRODUCT}"))
variants.edit("float32-result", (PRODUCT, "query.float() @ key.float().transpose(-2, -1)"))
variants.edit("detached-key", ("key.transpose", "key.detach().transpose"))
