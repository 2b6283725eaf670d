"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

WIDE = "wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x"
CENTRED = "centred = wide - wide.mean(dim=-1, keepdim=True)"
VARIANCE = "variance = centred.square().mean(dim=-1, keepdim=True)"
NORMALISED = "normalised = centred / torch.sqrt(variance + eps)"
ROOT = "torch.sqrt(variance + eps)"
RETURN = "return normalised.to(x.dtype) * weight + bias"


def over(code: str, dims: str) -> None:
    """Mean and variance over other axes."""
    variants.edit(
        code,
        (CENTRED, CENTRED.replace("dim=-1", f"dim={dims}")),
        (VARIANCE, VARIANCE.replace("dim=-1", f"dim={dims}")),
    )


# --- the statistics
over("over-batch", "0")
over("over-time", "1")
over("over-time-and-features", "(1, 2)")
over("over-batch-and-time", "(0, 1)")
over("over-everything", "(0, 1, 2)")
variants.edit("unbiased", (VARIANCE, "variance = wide.var(dim=-1, keepdim=True)"))
variants.edit("eps-outside", (ROOT, "(torch.sqrt(variance) + eps)"))
variants.edit(
    "unbiased-and-eps-outside",
    (NORMALISED, "normalised = centred / (wide.std(dim=-1, keepdim=True) + eps)"),
)
variants.edit("eps-squared", (ROOT, "torch.sqrt(variance + eps**2)"))
variants.edit("no-eps", (ROOT, "torch.sqrt(variance)"))
variants.edit("eps-fixed", (ROOT, "torch.sqrt(variance + 1e-5)"))
variants.edit("eps-as-lower-limit", (ROOT, "torch.sqrt(variance.clamp(min=eps))"))
variants.edit("no-root", (ROOT, "(variance + eps)"))
variants.edit("not-divided", (NORMALISED, "normalised = centred"))
variants.edit("multiplied", (NORMALISED, NORMALISED.replace("/", "*")))
variants.edit("not-centred", (NORMALISED, NORMALISED.replace("centred", "wide")))
variants.edit("rms-norm", (CENTRED, "centred = wide"))
variants.edit("mean-absolute-deviation", (ROOT, "(centred.abs().mean(dim=-1, keepdim=True) + eps)"))
variants.edit("squares-summed", (VARIANCE, VARIANCE.replace("mean", "sum")))
variants.edit(
    "one-pass-variance",
    (
        VARIANCE,
        "variance = wide.square().mean(-1, keepdim=True) - wide.mean(-1, keepdim=True) ** 2",
    ),
)
variants.edit("without-keepdim", (CENTRED, "centred = wide - wide.mean(dim=-1)"))
variants.edit(
    "range-instead", (ROOT, "(wide.amax(-1, keepdim=True) - wide.amin(-1, keepdim=True) + eps)")
)

# --- scale and shift
variants.edit("no-weight", (RETURN, RETURN.replace(" * weight", "")))
variants.edit("no-bias", (RETURN, RETURN.replace(" + bias", "")))
variants.edit("shifted-then-scaled", (RETURN, "return (normalised.to(x.dtype) + bias) * weight"))
variants.edit("one-plus-weight", (RETURN, RETURN.replace("weight", "(1 + weight)")))
variants.edit("weight-and-bias-swapped", (RETURN, "return normalised.to(x.dtype) * bias + weight"))
variants.edit("residual-inside", (RETURN, RETURN + " + x"))

# --- the contract and gradients
variants.edit("writes-into-x", (CENTRED, "x -= x.mean(dim=-1, keepdim=True)\n    " + CENTRED))
variants.edit(
    "float32-result",
    (WIDE, "wide = x.float()"),
    (RETURN, "return normalised * weight.float() + bias.float()"),
)
variants.edit("half-precision-sums", (WIDE, "wide = x"))
variants.edit(
    "statistics-detached",
    (CENTRED, CENTRED.replace("wide.mean", "wide.detach().mean")),
    (NORMALISED, NORMALISED.replace("variance", "variance.detach()")),
)
variants.edit(
    "variance-detached", (NORMALISED, NORMALISED.replace("variance", "variance.detach()"))
)
variants.edit("detached", (RETURN, RETURN.replace("normalised", "normalised.detach()")))
