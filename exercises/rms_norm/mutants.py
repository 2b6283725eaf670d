"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

WIDE = "wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x"
SQUARES = "mean_square = wide.square().mean(dim=-1, keepdim=True)"
NORMALISED = "normalised = wide * torch.rsqrt(mean_square + eps)"
FACTOR = "torch.rsqrt(mean_square + eps)"
RETURN = "return normalised.to(x.dtype) * weight"
MEAN = "wide.mean(dim=-1, keepdim=True)"

# --- the root mean square
variants.edit("over-batch", (SQUARES, SQUARES.replace("-1", "0")))
variants.edit("over-time", (SQUARES, SQUARES.replace("-1", "1")))
variants.edit("over-time-and-features", (SQUARES, SQUARES.replace("-1", "(1, 2)")))
variants.edit("over-everything", (SQUARES, "mean_square = wide.square().mean()"))
variants.edit("without-keepdim", (SQUARES, SQUARES.replace(", keepdim=True", "")))
variants.edit("squares-summed", (SQUARES, SQUARES.replace("mean(", "sum(")))
variants.edit(
    "divided-by-one-less", (SQUARES, SQUARES.replace("mean(", "sum(") + " / (x.size(-1) - 1)")
)
variants.edit("squared-mean", (SQUARES, f"mean_square = {MEAN}.square()"))
variants.edit("root-of-mean-absolute", (SQUARES, SQUARES.replace("square()", "abs()")))
variants.edit("mean-absolute", (FACTOR, "1 / (wide.abs().mean(dim=-1, keepdim=True) + eps)"))
variants.edit(
    "mean-of-roots", (FACTOR, "torch.rsqrt(wide.square() + eps).mean(dim=-1, keepdim=True)")
)
variants.edit("variance", (SQUARES, "mean_square = wide.var(dim=-1, correction=0, keepdim=True)"))
variants.edit("layer-norm", (WIDE, f"{WIDE}\n    wide = wide - {MEAN}"))
variants.edit("maximum", (FACTOR, "1 / (wide.abs().amax(dim=-1, keepdim=True) + eps)"))
variants.edit("eps-outside", (FACTOR, "1 / (mean_square.sqrt() + eps)"))
variants.edit("eps-on-the-factor", (FACTOR, "(torch.rsqrt(mean_square) + eps)"))
variants.edit("eps-squared", (FACTOR, "torch.rsqrt(mean_square + eps**2)"))
variants.edit("no-eps", (FACTOR, "torch.rsqrt(mean_square)"))
variants.edit("eps-fixed", (FACTOR, "torch.rsqrt(mean_square + 1e-6)"))
variants.edit("eps-as-lower-limit", (FACTOR, "torch.rsqrt(mean_square.clamp(min=eps))"))
variants.edit("no-root", (FACTOR, "1 / (mean_square + eps)"))
variants.edit("multiplied", (FACTOR, "torch.sqrt(mean_square + eps)"))
variants.edit("not-divided", (NORMALISED, "normalised = wide"))

# --- the scale
variants.edit("no-weight", (RETURN, RETURN.replace(" * weight", "")))
variants.edit("one-plus-weight", (RETURN, RETURN.replace("weight", "(1 + weight)")))
variants.edit("weight-added", (RETURN, RETURN.replace("* weight", "+ weight")))
variants.edit(
    "weight-first",
    (WIDE, WIDE.replace("x.float()", "(x * weight).float()").replace("else x", "else x * weight")),
    (RETURN, RETURN.replace(" * weight", "")),
)
variants.edit(
    "weight-by-position", (RETURN, "return normalised.to(x.dtype) * weight[: x.size(1), None]")
)
variants.edit("residual-inside", (RETURN, RETURN + " + x"))

# --- the contract and gradients
variants.edit(
    "writes-into-x",
    (NORMALISED, NORMALISED.replace("wide *", "wide.mul_(").replace("+ eps)", "+ eps))")),
)
variants.edit(
    "float32-result", (WIDE, "wide = x.float()"), (RETURN, "return normalised * weight.float()")
)
variants.edit("half-precision-sums", (WIDE, "wide = x"))
variants.edit(
    "root-detached", (NORMALISED, NORMALISED.replace("mean_square", "mean_square.detach()"))
)
variants.edit("detached", (RETURN, RETURN.replace("normalised", "normalised.detach()")))
