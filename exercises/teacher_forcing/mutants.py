"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

INPUT = "decoder_input = torch.cat((torch.full_like(column, bos_id), target), dim=1)"
LENGTHS = "lengths = (target != pad_id).sum(dim=1, keepdim=True)"
LABELS = "labels = torch.cat((target, column), dim=1).scatter(1, lengths, eos_id)"
RETURN = "return decoder_input, labels"
BOS = "torch.full_like(column, bos_id)"

# --- the input
variants.edit(
    "eos-fed",
    (RETURN, f"decoder_input = torch.cat(({BOS}, labels[:, :-1]), dim=1)\n    " + RETURN),
)
variants.edit("not-shifted", (RETURN, "return labels, labels"))
variants.edit("pad-as-bos", (BOS, "column"))
variants.edit("eos-as-bos", (BOS, "torch.full_like(column, eos_id)"))
variants.edit("rolled", (RETURN, "return labels.roll(1, dims=1), labels"))
variants.edit("bos-at-the-end", (INPUT, f"decoder_input = torch.cat((target, {BOS}), dim=1)"))
variants.edit("input-only-words", (INPUT, "decoder_input = torch.cat((target, column), dim=1)"))

# --- the labels
variants.edit("labels-not-shifted", (RETURN, "return decoder_input, decoder_input"))
variants.edit("no-eos", (".scatter(1, lengths, eos_id)", ""))
variants.edit(
    "eos-after-padding",
    (LABELS, "labels = torch.cat((target, torch.full_like(column, eos_id)), dim=1)"),
)
variants.edit(
    "eos-on-all-padding",
    (LABELS, "labels = torch.cat((target, column), dim=1)"),
    (RETURN, "return decoder_input, labels.masked_fill(labels == pad_id, eos_id)"),
)
variants.edit(
    "eos-over-last-word", ("scatter(1, lengths, ", "scatter(1, (lengths - 1).clamp(min=0), ")
)
variants.edit("eos-where-first-ends", (LENGTHS, LENGTHS + "[:1].expand(len(target), 1)"))
variants.edit(
    "shifted-twice",
    (RETURN, "return decoder_input, torch.cat((labels[:, 1:], column), dim=1)"),
)
variants.edit(
    "minus-100", (RETURN, "return decoder_input, labels.masked_fill(labels == pad_id, -100)")
)
variants.edit(
    "bos-in-the-labels",
    (RETURN, f"return decoder_input, torch.cat(({BOS}, labels[:, :-1]), dim=1)"),
)

# --- both
variants.edit("results-swapped", (RETURN, "return labels, decoder_input"))
variants.edit("one-column-short", (RETURN, "return decoder_input[:, :-1], labels[:, :-1]"))
variants.edit("different-lengths", (RETURN, "return decoder_input[:, :-1], labels"))
variants.edit(
    "bos-and-eos-in-both",
    (RETURN, f"both = torch.cat(({BOS}, labels), dim=1)\n    return both, both"),
)
variants.edit("padding-is-zero", ("target != pad_id", "target != 0"))
variants.edit("padding-is-smallest", ("target != pad_id", "target > pad_id"))
variants.edit("float-ids", (RETURN, "return decoder_input.float(), labels.float()"))
variants.edit("in-place", (LENGTHS, LENGTHS + "\n    target.masked_fill_(target == pad_id, -100)"))
variants.edit("stacked", (RETURN, "return torch.stack((decoder_input, labels), dim=-1)"))
