"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

SPECIAL = "special = torch.isin(tokens, tokens.new_tensor(special_ids))"
CHOSEN = "chosen = (choice < 0.15) & ~special"
MASKED = "masked = chosen & (fate < 0.8)"
REPLACED = "replaced = chosen & (fate >= 0.8) & (fate < 0.9)"
MASK = "inputs = tokens.masked_fill(masked, mask_id)"
REPLACE = "inputs = torch.where(replaced, substitutes, inputs)"
LABELS = "labels = tokens.masked_fill(~chosen, -100)"
RETURN = "return inputs, labels"

# --- what is chosen
variants.edit("choice-inverted", ("choice < 0.15", "choice > 0.15"))
variants.edit("fifteen-times-eighty", ("choice < 0.15", "choice < 0.15 * 0.8"))
variants.edit("specials-chosen", (CHOSEN, "chosen = choice < 0.15"))
variants.edit("only-padding-spared", ("new_tensor(special_ids)", "new_tensor(special_ids[:1])"))
variants.edit("specials-are-smallest", (SPECIAL, "special = tokens < len(special_ids)"))
variants.edit(
    "specials-masked-unasked",
    (CHOSEN, "chosen = choice < 0.15"),
    ("~chosen, -100", "~chosen | special, -100"),
)
variants.edit(
    "specials-asked-unmasked",
    ("masked = chosen", "asked = choice < 0.15\n    masked = chosen"),
    ("~chosen, -100", "~asked, -100"),
)
variants.edit("one-pattern-for-all", ("choice < 0.15", "choice[:1] < 0.15"))

# --- what becomes of it
variants.edit("all-masked", (MASKED, "masked = chosen"), (REPLACE, ""))
variants.edit("never-kept", (" & (fate < 0.9)", ""))
variants.edit("never-replaced", (REPLACE, ""))
variants.edit("mask-overwritten", ("(fate >= 0.8) & (fate < 0.9)", "(fate < 0.9)"))
variants.edit(
    "shares-swapped",
    (MASK, "inputs = torch.where(masked, substitutes, tokens)"),
    (REPLACE, "inputs = inputs.masked_fill(replaced, mask_id)"),
)
variants.edit("one-substitute", (REPLACE, REPLACE.replace("substitutes", "substitutes[0, 0]")))
variants.edit("mask-is-103", ("(masked, mask_id)", "(masked, 103)"))
variants.edit(
    "fate-without-choice", (REPLACED, "replaced = (fate >= 0.8) & (fate < 0.9) & ~special")
)

# --- the labels
variants.edit("kept-not-asked", (LABELS, "labels = tokens.masked_fill(inputs == tokens, -100)"))
variants.edit("only-masked-asked", ("~chosen, -100", "~masked, -100"))
variants.edit("labels-spoilt", (LABELS, LABELS.replace("tokens.", "inputs.")))
variants.edit("labels-everywhere", (LABELS, "labels = tokens.clone()"))
variants.edit("labels-inverted", ("~chosen, -100", "chosen, -100"))
variants.edit("labels-zero", ("~chosen, -100", "~chosen, 0"))
variants.edit("labels-one", ("~chosen, -100", "~chosen, -1"))
variants.edit("labels-boolean", (LABELS, "labels = chosen.long()"))

# --- the contract
variants.edit("results-swapped", (RETURN, "return labels, inputs"))
variants.edit("inputs-only", (RETURN, "return inputs"))
variants.edit("float-labels", (RETURN, "return inputs.float(), labels.float()"))
variants.edit(
    "aliased",
    (MASK, "inputs = tokens\n    inputs[masked] = mask_id"),
    (REPLACE, "inputs[replaced] = substitutes[replaced]"),
)
variants.edit("only-the-chosen", (RETURN, "return inputs[chosen], labels[chosen]"))
