"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PROJECTED = "(x @ w).view(batch, time, n_heads, -1).transpose(1, 2)"
ALL = "(w_q, w_k, w_v)\n    )"
ATTEND = "attend(query, key, value, mask)"
MERGED = "merged = heads.transpose(1, 2).reshape(batch, time, -1)"
RETURN = "return merged @ w_o"


def attend(code: str, arguments: str) -> None:
    """Call the given attention with something else."""
    variants.edit(code, (ATTEND, f"attend({arguments})"))


# --- splitting and merging
variants.edit("view-not-transpose", (PROJECTED, "(x @ w).view(batch, n_heads, time, -1)"))
variants.edit("split-not-transposed", (PROJECTED, PROJECTED.removesuffix(".transpose(1, 2)")))
variants.edit(
    "attends-over-heads",
    (PROJECTED, PROJECTED.removesuffix(".transpose(1, 2)")),
    (MERGED, MERGED.replace(".transpose(1, 2)", "")),
)
variants.edit(
    "view-on-both-sides",
    (PROJECTED, "(x @ w).view(batch, n_heads, time, -1)"),
    (MERGED, MERGED.replace(".transpose(1, 2)", "")),
)
variants.edit("merge-not-transposed", (MERGED, MERGED.replace(".transpose(1, 2)", "")))
variants.edit(
    "merge-interleaved", (MERGED, MERGED.replace("transpose(1, 2)", "permute(0, 2, 3, 1)"))
)
variants.edit(
    "split-interleaved",
    (PROJECTED, "(x @ w).view(batch, time, -1, n_heads).permute(0, 3, 1, 2)"),
)
variants.edit("one-wide-head", (PROJECTED, PROJECTED.replace("n_heads", "1")))
variants.edit(
    "first-head-repeated", (MERGED, "heads = heads[:, :1].expand_as(heads)\n    " + MERGED)
)
variants.edit(
    "heads-averaged",
    (MERGED, "heads = heads.mean(1, keepdim=True).expand_as(heads)\n    " + MERGED),
)
variants.edit("heads-reversed", (MERGED, MERGED.replace("heads.", "heads.flip(1).")))

# --- the projections
variants.edit("no-output-projection", (RETURN, "return merged"))
variants.edit("output-transposed", (RETURN, RETURN + ".T"))
variants.edit("inputs-transposed", ("(x @ w)", "(x @ w.T)"))
variants.edit(
    "output-not-all-heads",
    (RETURN, "d_head = heads.size(-1)\n    return merged[..., :d_head] @ w_o[:d_head]"),
)
variants.edit("value-from-key-matrix", (ALL, ALL.replace("w_v", "w_k")))
variants.edit("key-from-query-matrix", (ALL, ALL.replace("w_k", "w_q")))
variants.edit("query-matrix-for-all", (ALL, ALL.replace("w_k, w_v", "w_q, w_q")))
variants.edit("matrices-out-of-order", (ALL, ALL.replace("w_k, w_v", "w_v, w_k")))
attend("query-key-swapped", "key, query, value, mask")
variants.edit("residual-inside", (RETURN, RETURN + " + x"))

# --- scale and mask
attend("scaled-twice", "query / math.sqrt(query.size(-1)), key, value, mask")
attend("scale-by-d-model", "query / math.sqrt(n_heads), key, value, mask")
attend("no-scale", "query * math.sqrt(query.size(-1)), key, value, mask")
attend("mask-ignored", "query, key, value")
attend("mask-inverted", "query, key, value, None if mask is None else ~mask")
attend("mask-transposed", "query, key, value, None if mask is None else mask.transpose(-2, -1)")
attend(
    "mask-of-first-head",
    "query, key, value, None if mask is None or mask.ndim < 4 else mask[:, :1]",
)

# --- the contract
variants.edit("writes-into-x", (ATTEND, ATTEND + "\n    x += 1e-3"))
variants.edit(
    "float32-result", ("(x @ w)", "(x.float() @ w.float())"), (RETURN, RETURN + ".float()")
)
variants.edit("detached-queries", (ATTEND, ATTEND.replace("query", "query.detach()")))
