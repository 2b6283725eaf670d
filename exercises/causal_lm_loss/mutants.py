"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

PAIR = "predicted, wanted = logits[:, :-1], tokens[:, 1:]"
COUNTS = "counts = valid[:, :-1] & valid[:, 1:]"
LOSSES = 'losses = F.cross_entropy(predicted.transpose(1, 2), wanted, reduction="none")'
RETURN = "return losses.masked_fill(~counts, 0.0).sum() / counts.sum().clamp(min=1)"
MEAN = " / counts.sum().clamp(min=1)"
PICK = ".gather(-1, wanted.unsqueeze(-1)).squeeze(-1)"

# --- the shift
variants.edit(
    "not-shifted", (PAIR, "predicted, wanted = logits, tokens"), (COUNTS, "counts = valid")
)
variants.edit(
    "shifted-twice",
    (PAIR, "predicted, wanted = logits[:, :-2], tokens[:, 2:]"),
    (COUNTS, "counts = valid[:, :-2] & valid[:, 2:]"),
)
variants.edit("shifted-backwards", (PAIR, "predicted, wanted = logits[:, 1:], tokens[:, :-1]"))
variants.edit(
    "rolled",
    (PAIR, "predicted, wanted = logits, tokens.roll(-1, dims=1)"),
    (COUNTS, "counts = valid & valid.roll(-1, dims=1)"),
)
variants.edit("both-cut", (PAIR, "predicted, wanted = logits[:, :-1], tokens[:, :-1]"))
variants.edit(
    "only-the-last",
    (
        RETURN,
        "last = torch.zeros_like(counts)\n    last[:, -1] = True\n    counts = counts & last\n    "
        + RETURN,
    ),
)

# --- the padding
variants.edit("padding-counted", (COUNTS, "counts = torch.ones_like(wanted, dtype=torch.bool)"))
variants.edit("padding-in-the-mean", (MEAN, " / counts.numel()"))
variants.edit("mask-not-shifted", (COUNTS, "counts = valid[:, :-1]"))
variants.edit("only-the-label-checked", (COUNTS, "counts = valid[:, 1:]"))
variants.edit("either-is-real", (COUNTS, COUNTS.replace("&", "|")))
variants.edit("mask-inverted", (COUNTS, "counts = ~valid[:, :-1] | ~valid[:, 1:]"))
variants.edit("padding-by-id", (COUNTS, "counts = (tokens[:, :-1] != 0) & (wanted != 0)"))
variants.edit("padding-label-by-id", (COUNTS, COUNTS + " & (wanted != 0)"))
variants.edit(
    "padding-zeroes-the-logits",
    (PAIR, "predicted, wanted = (logits * valid.unsqueeze(-1))[:, :-1], tokens[:, 1:]"),
    ("losses.masked_fill(~counts, 0.0).sum()", "losses.sum()"),
)
variants.edit("one-fewer-for-the-batch", (MEAN, " / (valid.sum() - 1).clamp(min=1)"))
variants.edit("divides-by-tokens", (MEAN, " / valid.sum().clamp(min=1)"))

# --- the mean
variants.edit("summed", (MEAN, ""))
variants.edit("mean-over-texts", (MEAN, " / len(tokens)"))
variants.edit(
    "mean-of-means",
    (
        RETURN,
        "per_text = losses.masked_fill(~counts, 0.0).sum(1) / counts.sum(1).clamp(min=1)\n"
        "    return per_text.mean()",
    ),
)
variants.edit("nothing-counts-nan", (".clamp(min=1)", ""))

# --- the cross-entropy
variants.edit(
    "view-not-transpose",
    ("predicted.transpose(1, 2)", "predicted.reshape(len(tokens), logits.size(-1), -1)"),
)
variants.edit("no-softmax", (LOSSES, "losses = -predicted" + PICK))
variants.edit("no-log", (LOSSES, "losses = -predicted.softmax(dim=-1)" + PICK))
variants.edit("log-of-softmax", (LOSSES, "losses = -predicted.softmax(dim=-1).log()" + PICK))
variants.edit(
    "softmax-twice", ("predicted.transpose(1, 2)", "predicted.softmax(-1).transpose(1, 2)")
)
variants.edit("softmax-over-time", (LOSSES, "losses = -predicted.log_softmax(dim=1)" + PICK))
variants.edit("plus-sign", (LOSSES, LOSSES.replace("F.cross", "-F.cross")))
variants.edit("bits", (RETURN, RETURN + " / torch.tensor(2.0).log()"))
variants.edit("perplexity", (RETURN, RETURN.replace("return ", "return (") + ").exp()"))

# --- the contract
variants.edit("one-loss-each", (RETURN, "return losses.masked_fill(~counts, 0.0)"))
variants.edit("item", (RETURN, RETURN.replace("return ", "return (") + ").item()"))
variants.edit("detached", ("predicted.transpose", "predicted.detach().transpose"))
variants.edit("float32", ("predicted.transpose", "predicted.float().transpose"))
variants.edit("tokens-in-place", (PAIR, "tokens[~valid] = 1\n    " + PAIR))
