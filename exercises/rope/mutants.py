"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

CHECK = (
    "    if d_head % 2:\n"
    '        raise ValueError(f"rotary positions turn pairs, but d_head = {d_head} is odd")\n'
)
EVEN = "even = torch.arange(0, d_head, 2, dtype=torch.float32)"
ANGLES = "angles = positions[:, None, :, None] / 10_000 ** (even / d_head)"
WHERE = "positions[:, None, :, None]"
TABLES = "cos, sin = angles.cos(), angles.sin()"
CHUNK = "first, second = x.chunk(2, dim=-1)"
TURN = "turned = torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)"
RETURN = "return turned.to(x.dtype)"
INTERLEAVE = (
    "torch.stack((first * cos - second * sin, second * cos + first * sin), dim=-1).flatten(-2)"
)

# --- the pairs
variants.edit(
    "interleaved",
    (CHUNK, "first, second = x[..., 0::2], x[..., 1::2]"),
    (TURN, f"turned = {INTERLEAVE}"),
)
variants.edit(
    "layouts-mixed",
    (CHUNK, "cos, sin = cos.repeat_interleave(2, -1), sin.repeat_interleave(2, -1)\n    " + CHUNK),
    (TURN, "turned = x * cos + torch.cat((-second, first), dim=-1) * sin"),
)
variants.edit(
    "pairs-interleaved-result-halves",
    (CHUNK, "first, second = x[..., 0::2], x[..., 1::2]"),
)
variants.edit("halves-swapped", (RETURN, "return turned.to(x.dtype).roll(d_head // 2, -1)"))

variants.edit("joined-along-time", ("first * sin), dim=-1)", "first * sin), dim=-2)"))

# --- the rotation
variants.edit("identity", (RETURN, "return x.clone()"))
variants.edit("turned-backwards", (TABLES, TABLES.replace("angles.sin()", "-angles.sin()")))
variants.edit("no-minus", ("first * cos - second", "first * cos + second"))
variants.edit("sin-cos-swapped", (TABLES, TABLES.replace("cos, sin", "sin, cos", 1)))
variants.edit("only-cosines", (TURN, "turned = torch.cat((first * cos, second * cos), dim=-1)"))
variants.edit(
    "overwritten-half",
    (
        TURN,
        "first = first * cos - second * sin\n    second = second * cos + first * sin\n"
        "    turned = torch.cat((first, second), dim=-1)",
    ),
)
variants.edit("added", (TURN, "turned = x + torch.cat((sin, cos), dim=-1)"))

# --- the frequencies
variants.edit(
    "exponent-i-over-d", (EVEN, "even = torch.arange(0, d_head // 2, dtype=torch.float32)")
)
variants.edit("exponent-doubled", ("(even / d_head)", "(2 * even / d_head)"))
variants.edit(
    "exponent-of-each-dimension",
    (EVEN, "even = torch.arange(0, d_head, dtype=torch.float32)"),
    (TURN, "turned = x * cos + torch.cat((-second, first), dim=-1) * sin"),
)
variants.edit("one-frequency", ("(even / d_head)", "(even // d_head)"))
variants.edit("angles-multiplied", (WHERE + " /", WHERE + " *"))
variants.edit("base-e", ("10_000 **", "torch.e **"))

# --- the positions
variants.edit("first-row-for-all", (WHERE, "positions[:1, None, :, None]"))
variants.edit("counts-from-zero", (WHERE, "torch.arange(x.size(-2))[:, None]"))
variants.edit("positions-from-one", (WHERE, f"(1 + {WHERE})"))
variants.edit("turned-by-head", (WHERE, "torch.arange(x.size(1))[:, None, None]"))
variants.edit(
    "half-precision-tables",
    (
        ANGLES,
        ANGLES.replace(WHERE, f"{WHERE}.to(x.dtype)").replace("(even /", "(even.to(x.dtype) /"),
    ),
)

# --- the contract
variants.edit("float32-result", (RETURN, "return turned"))
variants.edit("in-place", (RETURN, "return x.copy_(turned)"))
variants.edit("detached", (CHUNK, "first, second = x.detach().chunk(2, dim=-1)"))
variants.edit("odd-crashes", (CHECK, ""))
variants.edit(
    "odd-drops-a-dimension",
    (CHECK, ""),
    (CHUNK, "first, second = x[..., : d_head // 2 * 2].chunk(2, dim=-1)"),
    (EVEN, EVEN.replace("0, d_head,", "0, d_head // 2 * 2,")),
)
variants.edit("asserts", (CHECK, "    assert d_head % 2 == 0\n"))
