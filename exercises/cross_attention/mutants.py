"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

QUERY = "split_heads(x @ w_q, n_heads)"
KEY = "split_heads(memory @ w_k, n_heads)"
VALUE = "split_heads(memory @ w_v, n_heads)"
MASK = "mask = None if memory_mask is None else memory_mask[:, None, None, :]"
INDEX = "memory_mask[:, None, None, :]"
ATTEND = "attend(query, key, value, mask)"
RETURN = "return merge_heads(heads) @ w_o"

# --- who asks, who answers
variants.edit("key-from-x", (KEY, KEY.replace("memory", "x")))
variants.edit("value-from-x", (VALUE, VALUE.replace("memory", "x")))
variants.edit(
    "self-attention",
    (KEY, KEY.replace("memory", "x")),
    (VALUE, VALUE.replace("memory", "x")),
    (ATTEND, "attend(query, key, value)"),
)
variants.edit(
    "roles-exchanged",
    (QUERY, QUERY.replace("x", "memory")),
    (KEY, KEY.replace("memory", "x")),
    (VALUE, VALUE.replace("memory", "x")),
    (ATTEND, "attend(query, key, value)"),
)
variants.edit("query-from-memory", (QUERY, QUERY.replace("x", "memory")))
variants.edit(
    "memory-cut-to-x", (QUERY, "split_heads(x @ w_q, n_heads)\n    memory = memory[:, : x.size(1)]")
)
variants.edit(
    "memory-last-only",
    (QUERY, QUERY + "\n    memory = memory[:, -1:]"),
    (ATTEND, "attend(query, key, value)"),
)
variants.edit(
    "memory-averaged",
    (QUERY, QUERY + "\n    memory = memory.mean(1, keepdim=True)"),
    (ATTEND, "attend(query, key, value)"),
)
variants.edit(
    "first-sentence-for-all", (QUERY, QUERY + "\n    memory = memory[:1].expand_as(memory)")
)

# --- the matrices
variants.edit(
    "key-value-matrices-exchanged",
    (f"{KEY}\n    value = {VALUE}", f"{VALUE}\n    value = {KEY}"),
)
variants.edit("value-from-key-matrix", (VALUE, VALUE.replace("w_v", "w_k")))
variants.edit("values-not-projected", (VALUE, "split_heads(memory, n_heads)"))
variants.edit("no-output-projection", (RETURN, "return merge_heads(heads)"))
variants.edit("output-transposed", (RETURN, RETURN + ".T"))
variants.edit("residual-inside", (RETURN, RETURN + " + x"))
variants.edit("heads-not-merged", (RETURN, "return heads.flatten(2).view(*x.shape[:2], -1) @ w_o"))
variants.edit(
    "one-wide-head",
    (ATTEND, "attend(*(merge_heads(t)[:, None] for t in (query, key, value)), mask)"),
)

# --- the mask
variants.edit("padding-ignored", (ATTEND, "attend(query, key, value)"))
variants.edit("padding-inverted", (INDEX, "~" + INDEX))
variants.edit("padding-on-queries", (INDEX, "memory_mask[:, None, :, None]"))
variants.edit("padding-without-axes", (INDEX, "memory_mask"))
variants.edit("padding-one-axis-short", (INDEX, "memory_mask[:, None, :]"))
variants.edit("padding-of-first-sentence", (INDEX, "memory_mask[:1, None, None, :]"))
variants.edit(
    "padding-zeroed-in-memory",
    (
        QUERY,
        QUERY
        + "\n    if memory_mask is not None:\n        memory = memory * memory_mask[:, :, None]",
    ),
    (ATTEND, "attend(query, key, value)"),
)
variants.edit(
    "padding-zeroed-in-values",
    (ATTEND, "attend(query, key, value if mask is None else value * mask.transpose(-2, -1))"),
)
variants.edit(
    "causal-too",
    (
        MASK,
        f"{MASK}\n    lower = torch.ones(x.size(1), memory.size(1), dtype=torch.bool).tril()\n"
        "    mask = lower if mask is None else mask & lower",
    ),
)
variants.edit(
    "scaled-twice", (ATTEND, ATTEND.replace("query", "query / math.sqrt(query.size(-1))"))
)

# --- the contract
variants.edit(
    "writes-into-memory",
    (QUERY, QUERY + "\n    if memory_mask is not None:\n        memory[~memory_mask] = 0"),
)
variants.edit(
    "float32-result",
    ("x @ w_q", "x.float() @ w_q.float()"),
    ("memory @ w_k", "memory.float() @ w_k.float()"),
    ("(memory @ w_v", "(memory.float() @ w_v.float()"),
    (RETURN, RETURN + ".float()"),
)
variants.edit("memory-detached", (QUERY, QUERY + "\n    memory = memory.detach()"))
