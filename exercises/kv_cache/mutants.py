"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PAST = 'past_len = cache["key"].size(-2) if cache else 0'
RANGE = "return torch.arange(past_len, past_len + new_len)"
APPEND = """    if cache:
        key = torch.cat([cache["key"], key], dim=-2)
        value = torch.cat([cache["value"], value], dim=-2)
"""
KEY = 'key = torch.cat([cache["key"], key], dim=-2)'
VALUE = 'value = torch.cat([cache["value"], value], dim=-2)'
STORE = 'cache["key"], cache["value"] = key, value'
SEEN = "tril(all_len - new_len)"
SCORES = "scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))"
RESULT = "return weights @ value"

# --- new_positions
variants.edit("positions-from-zero", (RANGE, "return torch.arange(new_len)"))
variants.edit(
    "positions-from-one", (RANGE, "return torch.arange(past_len + 1, past_len + new_len + 1)")
)
variants.edit(
    "last-position-twice",
    (RANGE, "return torch.arange(past_len - 1, past_len + new_len - 1).clamp(min=0)"),
)
variants.edit("all-positions", (RANGE, "return torch.arange(past_len + new_len)"))
variants.edit("one-position-for-all", (RANGE, "return torch.full((new_len,), past_len)"))
variants.edit("counts-heads", (PAST, PAST.replace("size(-2)", "size(1)")))
variants.edit("counts-rows", (PAST, 'past_len = len(cache["key"]) if cache else 0'))
variants.edit("counts-features", (PAST, PAST.replace("size(-2)", "size(-1)")))
variants.edit("counts-entries", (PAST, "past_len = len(cache)"))
variants.edit("empty-cache-crashes", (PAST, PAST.replace(" if cache else 0", "")))
variants.edit("float-positions", (RANGE, RANGE + ".float()"))

# --- the cache
variants.edit(
    "overwritten",
    (APPEND, "    new = key, value\n" + APPEND),
    (STORE, 'cache["key"], cache["value"] = new'),
)
variants.edit(
    "stored-once", (STORE, 'cache.setdefault("key", key)\n    cache.setdefault("value", value)')
)
variants.edit("name-rebound", (STORE, 'cache = {"key": key, "value": value}'))
variants.edit(
    "prepended",
    (KEY, KEY.replace('cache["key"], key', 'key, cache["key"]')),
    (VALUE, VALUE.replace('cache["value"], value', 'value, cache["value"]')),
)
variants.edit(
    "values-prepended", (VALUE, VALUE.replace('cache["value"], value', 'value, cache["value"]'))
)
variants.edit("appended-to-heads", (KEY, KEY.replace("-2", "1")), (VALUE, VALUE.replace("-2", "1")))
variants.edit("values-not-appended", ("        " + VALUE + "\n", ""))
variants.edit("keys-as-values", (VALUE, VALUE.replace('cache["value"]', 'cache["key"]')))
variants.edit(
    "appended-twice",
    (
        STORE,
        STORE
        + """
    if query.size(-2) < key.size(-2):
        cache["key"] = torch.cat([key, key[:, :, -query.size(-2) :]], dim=-2)
        cache["value"] = torch.cat([value, value[:, :, -query.size(-2) :]], dim=-2)""",
    ),
)
variants.edit(
    "scaled-again-every-step",
    (STORE, "key = key / math.sqrt(query.size(-1))\n    " + STORE),
    (SCORES, SCORES.replace(" / math.sqrt(query.size(-1))", "")),
)
variants.edit(
    "cache-not-attended",
    (APPEND, "    new = key, value\n" + APPEND),
    (STORE, STORE + "\n    key, value = new"),
)
variants.edit(
    "attends-before-storing",
    (APPEND, '    old = cache.get("key", key), cache.get("value", value)\n' + APPEND),
    (STORE, STORE + "\n    key, value = old"),
    (SEEN, 'tril(cache["key"].size(-2) - new_len)'),
)

# --- the causal mask
variants.edit("mask-top-left", (SEEN, "tril()"))
variants.edit("no-mask", ("." + SEEN, ""))
variants.edit(
    "mask-only-without-a-cache",
    (SEEN, "tril(0 if all_len == new_len else all_len)"),
)
variants.edit("hides-itself", (SEEN, "tril(all_len - new_len - 1)"))
variants.edit("sees-the-next", (SEEN, "tril(all_len - new_len + 1)"))
variants.edit("mask-upside-down", (SEEN, "triu(all_len - new_len)"))

# --- attention
variants.edit("no-scale", (SCORES, SCORES.replace(" / math.sqrt(query.size(-1))", "")))
variants.edit(
    "scale-by-length", (SCORES, SCORES.replace("math.sqrt(query.size(-1))", "math.sqrt(all_len)"))
)
variants.edit("softmax-over-queries", ("softmax(dim=-1)", "softmax(dim=-2)"))
variants.edit(
    "unstable-exp",
    ('scores.masked_fill(~seen, float("-inf")).softmax(dim=-1)', "scores.exp() * seen"),
    (RESULT, "return weights / weights.sum(dim=-1, keepdim=True) @ value"),
)

# --- the result
variants.edit("last-token-only", (RESULT, "return weights[:, :, -1:] @ value"))
variants.edit("returns-cache-too", (RESULT, RESULT + ", cache"))
variants.edit(
    "writes-into-query",
    (
        SCORES,
        "query /= math.sqrt(query.size(-1))\n    "
        + SCORES.replace(" / math.sqrt(query.size(-1))", ""),
    ),
)
variants.edit(
    "float32-result",
    (SCORES, SCORES.replace("query @ key", "query.float() @ key.float()")),
    (RESULT, "return weights @ value.float()"),
)
