"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

DIAGONAL = "diagonal=key_len - query_len"
FUSED = "return F.scaled_dot_product_attention(query, key, value, attn_mask=seen)"
KEYS = "torch.cat([past_key, key], dim=-2)"
VALUES = "torch.cat([past_value, value], dim=-2)"
SEEN = "torch.ones(query_len, key_len, dtype=torch.bool)"
CAUSAL = "return F.scaled_dot_product_attention(query, key, value, is_causal={})"

variants.stub("still-there")

# --- half a mend
variants.edit("no-mask", (FUSED, CAUSAL.format("False")))
variants.edit("single-steps-only", (FUSED, CAUSAL.format("query_len > 1")))
variants.edit("no-mask-beside-a-cache", (FUSED, CAUSAL.format("query_len == key_len")))
variants.edit("sees-the-next", (DIAGONAL, DIAGONAL + " + 1"))
variants.edit("not-itself", (DIAGONAL, DIAGONAL + " - 1"))
variants.edit("diagonal-reversed", (DIAGONAL, "diagonal=query_len - key_len"))
variants.edit("diagonal-is-the-length", (DIAGONAL, "diagonal=query_len"))
variants.edit("upper-triangle", (f".tril({DIAGONAL})", ".triu()"))
variants.edit(
    "only-the-cache-seen", (f"{SEEN}.tril({DIAGONAL})", f"{SEEN}.tril({DIAGONAL} - query_len)")
)
variants.edit(
    "new-words-only", (f".tril({DIAGONAL})", f".tril({DIAGONAL}).triu(key_len - query_len)")
)
variants.edit(
    "cache-behind",
    (KEYS, "torch.cat([key, past_key], dim=-2)"),
    (VALUES, "torch.cat([value, past_value], dim=-2)"),
)
variants.edit("values-behind", (VALUES, "torch.cat([value, past_value], dim=-2)"))
variants.edit("scaled-twice", (FUSED, FUSED.replace("(query,", "(query / query.size(-1) ** 0.5,")))
variants.edit("cache-detached", (KEYS, KEYS.replace("past_key", "past_key.detach()")))
variants.edit(
    "cache-written",
    (KEYS, KEYS + "\n    past_key += key.mean(dim=-2, keepdim=True)"),
)
