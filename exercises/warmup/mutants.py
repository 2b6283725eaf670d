"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

NUMBER = "n = step + 1"
WARMUP = "warmup = max(warmup, 1)"
RATE = "return d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)"
WIDTH = "d_model**-0.5 * "

# --- which update
variants.edit("step-zero-crashes", (NUMBER, "n = step"))
variants.edit("step-zero-as-one", (NUMBER, "n = max(step, 1)"))
variants.edit("zero-at-step-zero", (NUMBER, "n = step\n    if step == 0:\n        return 0.0"))
variants.edit("counts-two-ahead", (NUMBER, "n = step + 2"))

# --- the shape
variants.edit("max-not-min", ("min(n**", "max(n**"))
variants.edit("falls-from-the-start", ("min(n**-0.5, n * warmup**-1.5)", "n**-0.5"))
variants.edit("never-falls", ("min(n**-0.5, n * warmup**-1.5)", "n * warmup**-1.5"))
variants.edit("constant-after-warm-up", ("min(n**-0.5,", "min(warmup**-0.5,"))
variants.edit("falls-with-n", ("min(n**-0.5,", "min(warmup**0.5 / n,"))
variants.edit("linear-fall", ("min(n**-0.5,", "min(max(2 * warmup - n, 1) * warmup**-1.5,"))
variants.edit("warm-up-exponent-half", ("warmup**-1.5", "warmup**-0.5"))
variants.edit("rises-with-root", ("n * warmup**-1.5", "n**0.5 / warmup"))
variants.edit("rises-with-square", ("n * warmup**-1.5", "n**2 * warmup**-2.5"))
variants.edit("starts-at-the-peak", (RATE, "return d_model**-0.5 * min(warmup**-0.5, n**-0.5)"))
variants.edit(
    "decay-starts-anew",
    (
        RATE,
        "after = max(n - warmup, 0) + 1\n"
        "    return d_model**-0.5 * min((warmup * after) ** -0.5, n * warmup**-1.5)",
    ),
)

# --- the width
variants.edit("no-width", (WIDTH, ""))
variants.edit("width-multiplied", (WIDTH, "d_model**0.5 * "))
variants.edit("width-not-rooted", (WIDTH, "1 / d_model * "))
variants.edit("peak-is-one", (RATE, "return min((warmup / n) ** 0.5, n / warmup)"))

# --- no warm-up, and the contract
variants.edit("warm-up-zero-crashes", (WARMUP, ""))
variants.edit("warm-up-zero-is-no-rate", (WARMUP, "if warmup == 0:\n        return 0.0"))
variants.edit("warm-up-one-longer", (WARMUP, "warmup = warmup + 1"))
variants.edit(
    "no-warm-up-stays-constant", (WARMUP, "if warmup <= 1:\n        return d_model**-0.5")
)
variants.edit("whole-numbers", (RATE, RATE.replace("return ", "return round(") + ")"))
variants.edit(
    "whole-series",
    (
        RATE,
        RATE.replace("return ", "return [").replace("min(n**-0.5, n *", "min(n**-0.5, n *")
        + " for n in range(1, step + 2)]",
    ),
)
