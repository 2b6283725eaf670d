"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

COUNTS = "counts = labels != pad_id"
LOG_PROBS = "log_probs = logits.log_softmax(dim=-1)"
INDEX = "index = labels.masked_fill(~counts, 0)"
LOSS = "loss = -(1 - smoothing) * of_label - smoothing * log_probs.mean(dim=-1)"
RETURN = "return loss.masked_fill(~counts, 0.0).sum() / counts.sum().clamp(min=1)"
MEAN = " / counts.sum().clamp(min=1)"

# --- the smoothing
variants.edit("no-smoothing", (LOSS, "loss = -of_label"))
variants.edit("always-a-tenth", (LOSS, LOSS.replace("smoothing", "0.1")))
variants.edit(
    "spread-over-the-others",
    (
        LOSS,
        "rest = (log_probs.sum(dim=-1) - of_label) / (logits.size(-1) - 1)\n"
        "    loss = -(1 - smoothing) * of_label - smoothing * rest",
    ),
)
variants.edit(
    "spread-over-v-minus-2",
    (
        LOSS,
        "pad = max(pad_id, 0)\n"
        "    rest = log_probs.sum(dim=-1) - of_label - log_probs[..., pad]\n"
        "    loss = -(1 - smoothing) * of_label - smoothing * rest / (logits.size(-1) - 2)",
    ),
)
variants.edit("label-not-lowered", (LOSS, "loss = -of_label - smoothing * log_probs.mean(dim=-1)"))
variants.edit("no-uniform-part", (LOSS, "loss = -(1 - smoothing) * of_label"))
variants.edit("uniform-summed", (LOSS, LOSS.replace("mean(", "sum(")))
variants.edit(
    "shares-swapped",
    (LOSS, "loss = -smoothing * of_label - (1 - smoothing) * log_probs.mean(dim=-1)"),
)
variants.edit(
    "divergence",
    (
        LOSS,
        "aim = torch.full_like(log_probs, smoothing / logits.size(-1))\n"
        "    share = torch.full_like(aim[..., :1], 1 - smoothing)\n"
        "    aim.scatter_add_(-1, index.unsqueeze(-1), share)\n"
        "    loss = (torch.xlogy(aim, aim) - aim * log_probs).sum(dim=-1)",
    ),
)
variants.edit(
    "smoothed-probabilities",
    (
        LOG_PROBS,
        "probs = logits.softmax(dim=-1)\n"
        "    log_probs = ((1 - smoothing) * probs + smoothing / logits.size(-1)).log()",
    ),
    (LOSS, "loss = -of_label"),
)

# --- the cross-entropy
variants.edit(
    "plus-sign", (LOSS, LOSS.replace("-(1", "(1").replace("- smoothing * log", "+ smoothing * log"))
)
variants.edit("no-log", (LOG_PROBS, "log_probs = logits.softmax(dim=-1)"))
variants.edit("no-softmax", (LOG_PROBS, "log_probs = logits"))
variants.edit(
    "softmax-twice", (LOG_PROBS, "log_probs = logits.softmax(dim=-1).log_softmax(dim=-1)")
)
variants.edit("softmax-over-time", (LOG_PROBS, LOG_PROBS.replace("-1", "1")))
variants.edit("log-of-softmax", (LOG_PROBS, "log_probs = logits.softmax(dim=-1).log()"))
variants.edit("bits", (RETURN, RETURN + " / torch.tensor(2.0).log()"))

# --- the padding and the mean
variants.edit(
    "padding-counted",
    (COUNTS, "counts = torch.ones_like(labels, dtype=torch.bool)"),
    (INDEX, "index = labels.clamp(min=0)"),
)
variants.edit("padding-in-the-mean", (MEAN, " / labels.numel()"))
variants.edit(
    "padding-is-smoothed",
    (LOSS, "of_label = of_label.masked_fill(~counts, 0.0)\n    " + LOSS),
    (".masked_fill(~counts, 0.0).sum()", ".sum()"),
)
variants.edit(
    "padding-zeroes-the-logits",
    (LOG_PROBS, "log_probs = (logits * counts.unsqueeze(-1)).log_softmax(dim=-1)"),
    ("loss.masked_fill(~counts, 0.0).sum()", "loss.sum()"),
)
variants.edit(
    "padding-is-zero", ("labels != pad_id", "labels != 0"), (INDEX, "index = labels.clamp(min=0)")
)
variants.edit("index-crash", (INDEX, "index = labels"))
variants.edit("summed", (MEAN, ""))
variants.edit("mean-over-sentences", (MEAN, " / len(labels)"))
variants.edit(
    "mean-of-means",
    (
        RETURN,
        "per_sentence = loss.masked_fill(~counts, 0.0).sum(1) / counts.sum(1).clamp(min=1)\n"
        "    return per_sentence.mean()",
    ),
)
variants.edit("nothing-counts-nan", (".clamp(min=1)", ""))

# --- the contract
variants.edit("one-loss-each", (RETURN, "return loss.masked_fill(~counts, 0.0)"))
variants.edit("item", (RETURN, RETURN.replace("return ", "return (") + ").item()"))
variants.edit("detached", (LOG_PROBS, "log_probs = logits.detach().log_softmax(dim=-1)"))
variants.edit("float32", (LOG_PROBS, "log_probs = logits.float().log_softmax(dim=-1)"))
variants.edit("labels-in-place", (INDEX, "index = labels.masked_fill_(~counts, 0)"))
