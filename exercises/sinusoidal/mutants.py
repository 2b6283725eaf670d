"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

POSITIONS = "positions = torch.arange(length, dtype=torch.float32)"
EVEN = "even = torch.arange(0, d_model, 2, dtype=torch.float32)"
ANGLES = "angles = positions[:, None] / 10_000 ** (even / d_model)"
EXPONENT = "(even / d_model)"
SINES = "table[:, 0::2] = angles.sin()"
COSINES = "table[:, 1::2] = angles[:, : d_model // 2].cos()"
RETURN = "return table"

# --- the frequencies
variants.edit("exponent-i-over-d", (EXPONENT, "(even / 2 / d_model)"))
variants.edit("exponent-doubled", (EXPONENT, "(2 * even / d_model)"))
variants.edit(
    "exponent-of-each-column",
    (EVEN, "even = torch.arange(d_model, dtype=torch.float32)"),
    (SINES, "table[:, 0::2] = angles[:, 0::2].sin()"),
    (COSINES, "table[:, 1::2] = angles[:, 1::2].cos()"),
)
variants.edit("exponent-rounded", (EXPONENT, "(even // d_model)"))
variants.edit("reaches-the-base", (EXPONENT, "(even / max(d_model - 2, 1))"))
variants.edit("angles-multiplied", (ANGLES, ANGLES.replace(" / 10_000", " * 10_000")))
variants.edit("base-e", ("10_000 **", "torch.e **"))
variants.edit("base-1000", ("10_000 **", "1000 **"))
variants.edit("times-pi", ("positions[:, None] /", "2 * torch.pi * positions[:, None] /"))
variants.edit("degrees", ("positions[:, None] /", "torch.pi / 180 * positions[:, None] /"))

# --- the positions
variants.edit("positions-from-one", (POSITIONS, POSITIONS.replace("(length", "(1, length + 1")))
variants.edit("positions-relative-to-length", (POSITIONS, POSITIONS + " / length"))
variants.edit(
    "bfloat16-positions", (POSITIONS, POSITIONS.replace("torch.float32", "torch.bfloat16"))
)
variants.edit(
    "bfloat16-table",
    (RETURN, "return table.bfloat16().float()"),
)
variants.edit(
    "float64-table", ("torch.zeros(length, d_model)", "torch.zeros(length, d_model).double()")
)
variants.edit("bfloat16-result", (RETURN, "return table.bfloat16()"))

# --- the columns
variants.edit(
    "sin-cos-swapped",
    (SINES, SINES.replace("sin()", "cos()")),
    (COSINES, COSINES.replace("cos()", "sin()")),
)
variants.edit(
    "half-layout",
    (SINES, "table[:, : (d_model + 1) // 2] = angles.sin()"),
    (COSINES, "table[:, (d_model + 1) // 2 :] = angles[:, : d_model // 2].cos()"),
)
variants.edit("only-sines", (".cos()", ".sin()"))
variants.edit("no-cosines", (COSINES, ""))
variants.edit(
    "cosine-negative", ("= angles[:, : d_model // 2].cos()", "= -angles[:, : d_model // 2].cos()")
)
variants.edit("odd-crashes", ("angles[:, : d_model // 2]", "angles"))
variants.edit(
    "odd-drops-a-column",
    ("torch.zeros(length, d_model)", "torch.zeros(length, d_model // 2 * 2)"),
    ("angles.sin()", "angles[:, : d_model // 2].sin()"),
)
variants.edit("transposed", (RETURN, "return table.T"))
variants.edit("batch-axis", (RETURN, "return table[None]"))
variants.edit("scaled-up", (RETURN, "return table * d_model**0.5"))
