"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

LARGEST = "largest = scores.amax(dim=dim, keepdim=True)"
EXP = "exponentials = torch.exp(scores - largest)"
RETURN = "return exponentials / exponentials.sum(dim=dim, keepdim=True)"
SUM = "exponentials.sum(dim=dim, keepdim=True)"
SHIFTED = "shifted = scores - scores.amax(dim=dim, keepdim=True)"
LOG = "return shifted - shifted.exp().sum(dim=dim, keepdim=True).log()"

# --- softmax: stability
variants.edit("no-maximum", (EXP, "exponentials = torch.exp(scores)"))
variants.edit(
    "no-maximum-but-epsilon",
    (EXP, "exponentials = torch.exp(scores)"),
    (RETURN, f"return exponentials / ({SUM} + 1e-9)"),
)
variants.edit("maximum-of-everything", (LARGEST, "largest = scores.max()"))
variants.edit("clamped", (EXP, "exponentials = torch.exp(scores.clamp(-80, 80))"))
variants.edit("nan-patched", (EXP, "exponentials = torch.exp(scores).nan_to_num()"))
variants.edit(
    "mean-subtracted",
    ("scores.amax(dim=dim, keepdim=True)\n    exp", "scores.mean(dim=dim, keepdim=True)\n    exp"),
)
variants.edit("absolute-maximum", (LARGEST, "largest = scores.abs().amax(dim=dim, keepdim=True)"))
variants.edit("minimum-subtracted", (LARGEST, "largest = scores.amin(dim=dim, keepdim=True)"))
variants.edit("divided-by-maximum", (EXP, "exponentials = torch.exp(scores / largest)"))

# --- softmax: the formula
variants.edit("no-exponential", (EXP, "exponentials = scores - largest"))
variants.edit("base-two", (EXP, "exponentials = torch.exp2(scores - largest)"))
variants.edit("not-normalised", (RETURN, "return exponentials"))
variants.edit("divided-by-sum-of-scores", (SUM, "scores.sum(dim=dim, keepdim=True)"))
variants.edit("sum-of-everything", (SUM, "exponentials.sum()"))
variants.edit("always-last-axis", (SUM, SUM.replace("dim=dim", "dim=-1")))
variants.edit("always-first-axis", (SUM, SUM.replace("dim=dim", "dim=0")))
variants.edit("sum-without-keepdim", (SUM, "exponentials.sum(dim=dim)"))
variants.edit("maximum-without-keepdim", (LARGEST, "largest = scores.amax(dim=dim)"))
variants.edit("maximum-with-indices", (LARGEST, "largest = scores.max(dim=dim, keepdim=True)"))
variants.edit("sign-flipped", (EXP, "exponentials = torch.exp(largest - scores)"))

# --- softmax: the contract
variants.edit(
    "writes-into-scores", (EXP, "scores -= largest\n    exponentials = torch.exp(scores)")
)
variants.edit("float32-result", (LARGEST, "scores = scores.float()\n    " + LARGEST))
variants.edit("detached", (EXP, "exponentials = torch.exp(scores - largest).detach()"))

# --- log_softmax
variants.edit("log-of-softmax", (LOG, "return softmax(scores, dim).log()"))
variants.edit("log-of-clamped-softmax", (LOG, "return (softmax(scores, dim) + 1e-9).log()"))
variants.edit(
    "log-without-maximum",
    (SHIFTED, "shifted = scores"),
)
variants.edit("log-maximum-not-undone", (LOG, LOG.replace("shifted - ", "scores - ")))
variants.edit("log-not-normalised", (LOG, "return shifted"))
variants.edit("log-forgotten", (LOG, LOG.removesuffix(".log()")))
variants.edit("softmax-instead", (LOG, "return softmax(scores, dim)"))
variants.edit("log-base-two", (LOG, LOG.replace(".log()", ".log2()")))
variants.edit("log-base-ten", (LOG, LOG.replace(".log()", ".log10()")))
variants.edit("log-sign-flipped", (LOG, LOG.replace("return ", "return -(") + ")"))
variants.edit("log-exponential-forgotten", (LOG, LOG.replace(".exp()", ".abs()")))
variants.edit("log-always-last-axis", (LOG, LOG.replace("dim=dim", "dim=-1")))
variants.edit("log-sum-without-keepdim", (LOG, LOG.replace(", keepdim=True", "")))
variants.edit("log-maximum-of-everything", (SHIFTED, "shifted = scores - scores.max()"))
variants.edit(
    "log-writes-into-scores",
    (SHIFTED, "scores -= scores.amax(dim=dim, keepdim=True)\n    shifted = scores"),
)
variants.edit("log-detached", (LOG, LOG.replace("shifted.exp()", "shifted.detach().exp()")))
variants.edit("log-float32", (SHIFTED, SHIFTED.replace("= scores -", "= scores.float() -")))
