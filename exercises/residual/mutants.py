"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

POST, PRE = "return norm(x + sublayer(x))", "return x + sublayer(norm(x))"


def post(code: str, expression: str) -> None:
    """post_norm with another formula."""
    variants.edit(code, (POST, f"return {expression}"))


def pre(code: str, expression: str) -> None:
    """pre_norm with another formula."""
    variants.edit(code, (PRE, f"return {expression}"))


# --- post_norm
post("post-is-pre", "x + sublayer(norm(x))")
post("post-without-residual", "norm(sublayer(x))")
post("post-without-norm", "x + sublayer(x)")
post("post-norm-inside", "x + norm(sublayer(x))")
post("post-norm-of-x-only", "norm(x) + sublayer(x)")
post("post-both-normed", "norm(x) + norm(sublayer(x))")
post("post-norm-before-too", "norm(x + sublayer(norm(x)))")
post("post-residual-from-normed", "norm(norm(x) + sublayer(norm(x)))")
post("post-without-sublayer", "norm(x + x)")
post("post-residual-after", "x + norm(x + sublayer(x))")
post("post-subtracted", "norm(x - sublayer(x))")
post("post-multiplied", "norm(x * sublayer(x))")
post("post-sublayer-twice", "norm(x + sublayer(sublayer(x)))")
post("post-norm-twice", "norm(norm(x + sublayer(x)))")
post("post-sublayer-last", "sublayer(norm(x))")
post("post-detached", "norm(x.detach() + sublayer(x))")
post("post-pair", "norm(x + sublayer(x)), x")
variants.edit("post-writes-into-x", (POST, "x += sublayer(x)\n    return norm(x)"))

# --- pre_norm
pre("pre-is-post", "norm(x + sublayer(x))")
pre("pre-without-residual", "sublayer(norm(x))")
pre("pre-without-norm", "x + sublayer(x)")
pre("pre-residual-from-normed", "norm(x) + sublayer(norm(x))")
pre("pre-norm-behind", "x + norm(sublayer(x))")
pre("pre-norm-after-too", "norm(x + sublayer(norm(x)))")
pre("pre-sandwich", "x + norm(sublayer(norm(x)))")
pre("pre-norm-of-x-only", "norm(x) + sublayer(x)")
pre("pre-without-sublayer", "x + norm(x)")
pre("pre-subtracted", "x - sublayer(norm(x))")
pre("pre-averaged", "(x + sublayer(norm(x))) / 2")
pre("pre-divided-by-root-two", "(x + sublayer(norm(x))) / 2**0.5")
pre("pre-sublayer-twice", "x + sublayer(sublayer(norm(x)))")
pre("pre-residual-twice", "x + x + sublayer(norm(x))")
pre("pre-residual-detached", "x.detach() + sublayer(norm(x))")
pre("pre-sublayer-detached", "x + sublayer(norm(x.detach()))")
pre("pre-concatenated", "__import__('torch').cat([x, sublayer(norm(x))], dim=-1)")
variants.edit("pre-writes-into-x", (PRE, "x += sublayer(norm(x))\n    return x"))
