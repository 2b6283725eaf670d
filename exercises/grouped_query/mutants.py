"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

KEY = "key.repeat_interleave(sharers, dim=1)"
VALUE = "value.repeat_interleave(sharers, dim=1)"
CHECK = (
    "    if n_heads % n_kv_heads != 0:\n"
    '        raise ValueError(f"{n_kv_heads} heads of keys cannot be shared by {n_heads} query'
    ' heads")\n'
)
ATTEND = "attend(query, key, value, mask)"


def both(code: str, expression: str) -> None:
    """The same mistake with keys and values."""
    variants.edit(
        code, (KEY, expression.replace("#", "key")), (VALUE, expression.replace("#", "value"))
    )


# --- who shares with whom
both("repeated-in-turn", "#.repeat(1, sharers, 1, 1)")
both("groups-reversed", "#.flip(1).repeat_interleave(sharers, dim=1)")
both("first-head-for-all", "#[:, :1]")
both("last-head-for-all", "#[:, -1:]")
both("heads-averaged", "#.mean(dim=1, keepdim=True)")
both("not-repeated", "#")
both("repeated-along-batch", "#.repeat_interleave(sharers, dim=0)")
both("copied-n-heads-times", "#.repeat_interleave(n_heads, dim=1)")
both("copied-n-kv-heads-times", "#.repeat_interleave(n_kv_heads, dim=1)")
variants.edit("only-keys-in-turn", (KEY, "key.repeat(1, sharers, 1, 1)"))
variants.edit("only-values-in-turn", (VALUE, "value.repeat(1, sharers, 1, 1)"))
variants.edit("value-from-key", (VALUE, "key"))

# --- the queries
variants.edit(
    "queries-averaged",
    (KEY, "key"),
    (VALUE, "value"),
    (ATTEND, "attend(query.unflatten(1, (n_kv_heads, sharers)).mean(2), key, value)"),
)
variants.edit(
    "queries-averaged-and-copied",
    (
        ATTEND,
        "attend(query.unflatten(1, (-1, sharers)).mean(2).repeat_interleave(sharers, 1),"
        " key, value, mask)",
    ),
)
variants.edit("group-axis-left", (ATTEND, ATTEND + ".unflatten(1, (n_kv_heads, sharers))"))
variants.edit("groups-summed", (ATTEND, ATTEND + ".unflatten(1, (n_kv_heads, sharers)).sum(2)"))
variants.edit(
    "scaled-twice", (ATTEND, ATTEND.replace("query", "query / math.sqrt(query.size(-1))"))
)

# --- the mask
variants.edit("mask-ignored", (ATTEND, "attend(query, key, value)"))
variants.edit("mask-inverted", (ATTEND, ATTEND.replace("mask", "None if mask is None else ~mask")))
variants.edit(
    "mask-of-first-head", (ATTEND, ATTEND.replace("mask", "None if mask is None else mask[:, :1]"))
)

# --- the contract
variants.edit("not-checked", (CHECK, ""))
variants.edit("asserts", (CHECK, "    assert n_heads % n_kv_heads == 0\n"))
variants.edit(
    "rounds-up",
    (CHECK, ""),
    ("sharers = n_heads // n_kv_heads", "sharers = -(-n_heads // n_kv_heads)"),
    (KEY, KEY + "[:, :n_heads]"),
    (VALUE, VALUE + "[:, :n_heads]"),
)
variants.edit("checked-the-other-way", ("n_heads % n_kv_heads != 0", "n_kv_heads % n_heads != 0"))
variants.edit("writes-into-query", (ATTEND, ATTEND.replace("query", "query.mul_(1.001)")))
variants.edit("float32-result", (ATTEND, "attend(query.float(), key.float(), value.float(), mask)"))
both("detached", "#.detach().repeat_interleave(sharers, dim=1)")
