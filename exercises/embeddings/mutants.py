"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

EMBED = "return table[tokens] * math.sqrt(d_model)"
SCALE = " * math.sqrt(d_model)"
LOGITS = "return hidden @ table.transpose(0, 1)"

# --- embed
variants.edit("no-scale", (SCALE, ""))
variants.edit("scale-by-d-model", (SCALE, " * d_model"))
variants.edit("scale-divided", (SCALE, " / math.sqrt(d_model)"))
variants.edit("scale-by-vocab", (SCALE, " * math.sqrt(table.size(0))"))
variants.edit("scale-by-length", (SCALE, " * math.sqrt(tokens.size(-1))"))
variants.edit("scale-by-constant", (SCALE, " * math.sqrt(512)"))
variants.edit("scaled-in-place", (EMBED, "table *= math.sqrt(d_model)\n    return table[tokens]"))
variants.edit("columns", ("table[tokens]", "table[:, tokens % d_model]"))
variants.edit("ids-from-one", ("table[tokens]", "table[tokens - 1]"))
variants.edit("row-zero-is-padding", (EMBED, EMBED + " * (tokens != 0).unsqueeze(-1)"))
variants.edit(
    "padding-idx", ("table[tokens]", "torch.nn.functional.embedding(tokens, table, padding_idx=0)")
)
variants.edit(
    "normalised-rows", ("table[tokens]", "(table / table.norm(dim=-1, keepdim=True))[tokens]")
)
variants.edit("fresh-table", ("table[tokens]", "torch.nn.Embedding(*table.shape)(tokens)"))
variants.edit("detached-embed", ("table[tokens]", "table.detach()[tokens]"))
variants.edit("float32-embed", ("table[tokens]", "table[tokens].float()"))

# --- logits
variants.edit("logits-scaled", (LOGITS, LOGITS + " * math.sqrt(table.size(-1))"))
variants.edit("logits-divided", (LOGITS, LOGITS + " / math.sqrt(table.size(-1))"))
variants.edit("not-transposed", (".transpose(0, 1)", ""))
variants.edit("view-not-transpose", (".transpose(0, 1)", ".reshape(table.size(1), -1)"))
variants.edit("softmax", (LOGITS, LOGITS.replace("hidden @", "(hidden @") + ").softmax(dim=-1)"))
variants.edit(
    "log-softmax", (LOGITS, LOGITS.replace("hidden @", "(hidden @") + ").log_softmax(dim=-1)")
)
variants.edit("argmax", (LOGITS, LOGITS.replace("hidden @", "(hidden @") + ").argmax(dim=-1)"))
variants.edit(
    "cosine",
    (
        LOGITS,
        "table = table / table.norm(dim=-1, keepdim=True)\n"
        "    return hidden / hidden.norm(dim=-1, keepdim=True) @ table.transpose(0, 1)",
    ),
)
variants.edit("tied-by-copy", ("@ table", "@ table.detach().clone()"))
variants.edit("detached-hidden", ("hidden @", "hidden.detach() @"))
variants.edit("float32-logits", ("hidden @ table", "hidden.float() @ table.float()"))
variants.edit(
    "hidden-in-place", (LOGITS, "hidden -= hidden.mean(dim=-1, keepdim=True)\n    " + LOGITS)
)
