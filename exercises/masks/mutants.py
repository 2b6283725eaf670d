"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

TRIL = "return torch.tril(allowed, diagonal=key_len - query_len)"
OFFSET = "diagonal=key_len - query_len"
PADDING = "return (tokens != pad_id)[:, None, None, :]"
COMBINE = "return causal & padding"

# --- causal_mask
variants.edit("causal-inverted", (TRIL, TRIL.replace("return ", "return ~")))
variants.edit("causal-upper", ("torch.tril", "torch.triu"))
variants.edit("causal-hides-itself", (OFFSET, OFFSET + " - 1"))
variants.edit("causal-sees-next", (OFFSET, OFFSET + " + 1"))
variants.edit("causal-top-left", (OFFSET, "diagonal=0"))
variants.edit("causal-everything", (TRIL, "return allowed"))
variants.edit("causal-transposed", ("query_len, key_len, dtype", "key_len, query_len, dtype"))
variants.edit("causal-float", ("dtype=torch.bool", "dtype=torch.float32"))
variants.edit("causal-integer", ("dtype=torch.bool", "dtype=torch.long"))
variants.edit(
    "causal-additive",
    (TRIL, f'return torch.zeros(query_len, key_len).masked_fill(~{TRIL[7:]}, float("-inf"))'),
)
variants.edit("causal-square", ("query_len, key_len, dtype", "key_len, key_len, dtype"))

# --- padding_mask
variants.edit("padding-inverted", ("tokens != pad_id", "tokens == pad_id"))
variants.edit("padding-hides-queries", ("[:, None, None, :]", "[:, None, :, None]"))
variants.edit("padding-two-axes", ("[:, None, None, :]", ""))
variants.edit("padding-three-axes", ("[:, None, None, :]", "[:, None, :]"))
variants.edit("padding-always-zero", ("tokens != pad_id", "tokens != 0"))
variants.edit("padding-greater", ("tokens != pad_id", "tokens > pad_id"))
variants.edit("padding-integer", (PADDING, PADDING + ".long()"))
variants.edit("padding-float", (PADDING, PADDING + ".float()"))
variants.edit(
    "padding-from-lengths",
    (
        PADDING,
        "lengths = (tokens != pad_id).sum(dim=1)\n"
        "    return (torch.arange(tokens.size(1)) < lengths[:, None])[:, None, None, :]",
    ),
)
variants.edit(
    "padding-after-first",
    (PADDING, "return (tokens != pad_id).long().cumprod(dim=1).bool()[:, None, None, :]"),
)
variants.edit(
    "padding-writes-tokens",
    (PADDING, "tokens[tokens == pad_id] = 0\n    return (tokens != 0)[:, None, None, :]"),
)
variants.edit(
    "padding-flattened", (PADDING, "return (tokens != pad_id).reshape(1, 1, -1, tokens.size(1))")
)

# --- combine_masks
variants.edit("combine-or", (COMBINE, "return causal | padding"))
variants.edit("combine-xor", (COMBINE, "return causal ^ padding"))
variants.edit("combine-summed", (COMBINE, "return causal.long() + padding.long()"))
variants.edit("combine-float", (COMBINE, "return causal.float() * padding.float()"))
variants.edit("combine-causal-only", (COMBINE, "return causal.expand(padding.size(0), 1, -1, -1)"))
variants.edit(
    "combine-padding-only", (COMBINE, "return padding.expand(-1, -1, causal.size(0), -1)")
)
variants.edit(
    "combine-in-place", (COMBINE, "causal &= padding.all(dim=0)[0]\n    return causal & padding")
)
variants.edit("combine-not-broadcast", (COMBINE, "return causal & padding[0, 0]"))
