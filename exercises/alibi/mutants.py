"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

CHECK = (
    "    if n_heads < 1 or n_heads & (n_heads - 1):\n"
    '        raise ValueError(f"n_heads = {n_heads} is no power of two")\n'
)
EXPONENTS = "exponents = torch.arange(1, n_heads + 1) * (8 / n_heads)"
POWER = "return 2.0**-exponents"
QUERIES = "queries = torch.arange(key_len - query_len, key_len)"
DISTANCE = "distance = (keys - queries[:, None]).abs()"
BIAS = "return -slopes[:, None, None] * distance"

# --- alibi_slopes
variants.edit("heads-from-zero", ("arange(1, n_heads + 1)", "arange(n_heads)"))
variants.edit("always-halves", (" * (8 / n_heads)", ""))
variants.edit("exponent-inverted", ("(8 / n_heads)", "(n_heads / 8)"))
variants.edit("exponent-rounded", ("(8 / n_heads)", "(8 // n_heads)"))
variants.edit("ends-at-one", ("(8 / n_heads)", "(1 / n_heads)"))
variants.edit("base-e", (POWER, "return torch.exp(-exponents)"))
variants.edit("growing", (POWER, "return 2.0**exponents"))
variants.edit("negative-slopes", (POWER, "return -(2.0**-exponents)"))
variants.edit("reversed", (POWER, "return (2.0**-exponents).flip(0)"))
variants.edit("evenly-spaced", (POWER, "return torch.arange(n_heads, 0, -1) / n_heads"))
variants.edit("one-slope", (POWER, "return torch.full((n_heads,), 2.0 ** (-8 / n_heads))"))
variants.edit("slopes-column", (POWER, "return (2.0**-exponents)[:, None, None]"))
variants.edit("slopes-float64", (POWER, "return 2.0 ** -exponents.double()"))
variants.edit("any-number-of-heads", (CHECK, ""))

# --- alibi_bias
variants.edit("bonus", (BIAS, BIAS.replace("-slopes", "slopes")))
variants.edit("future-rewarded", (DISTANCE, "distance = queries[:, None] - keys"))
variants.edit("past-rewarded", (DISTANCE, "distance = keys - queries[:, None]"))
variants.edit("future-at-zero", (DISTANCE, "distance = (queries[:, None] - keys).clamp(min=0)"))
variants.edit("over-query-length", (QUERIES, "queries = torch.arange(query_len)"))
variants.edit("square-bias", (QUERIES, "queries = torch.arange(key_len)"))
variants.edit(
    "distance-to-the-end", (DISTANCE, "distance = (key_len - 1 - keys).expand(query_len, -1)")
)
variants.edit(
    "key-position-only",
    (DISTANCE, "distance = keys.expand(query_len, -1)"),
    (BIAS, BIAS.replace("-slopes", "slopes")),
)
variants.edit("off-by-one", (DISTANCE, DISTANCE + " + 1"))
variants.edit("squared", (DISTANCE, DISTANCE.replace("abs()", "square()")))
variants.edit("logarithm", (DISTANCE, DISTANCE.replace("abs()", "abs().add(1).log()")))
variants.edit("no-slopes", (BIAS, "return -distance.to(slopes.dtype).expand(len(slopes), -1, -1)"))
variants.edit("slopes-inverted", (BIAS, "return -distance / slopes[:, None, None]"))
variants.edit("heads-last", (BIAS, "return -distance[..., None] * slopes"))
variants.edit("no-head-axis", (BIAS, "return -slopes[0] * distance"))
variants.edit(
    "transposed", ("distance = (keys - queries[:, None])", "distance = (keys[:, None] - queries)")
)
variants.edit(
    "masked-too",
    (
        BIAS,
        "hidden = keys > queries[:, None]\n"
        '    return (-slopes[:, None, None] * distance).masked_fill(hidden, float("-inf"))',
    ),
)
variants.edit("bias-float32", (BIAS, BIAS.replace("slopes[", "slopes.float()[")))
variants.edit("bias-in-place", (BIAS, "slopes.neg_()\n    return slopes[:, None, None] * distance"))
variants.edit("clamped-at-512", (DISTANCE, DISTANCE + ".clamp(max=512)"))
