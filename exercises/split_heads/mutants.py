"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

SPLIT = "return hidden.view(batch, time, n_heads, d_model // n_heads).transpose(1, 2)"
MERGE = "return heads.transpose(1, 2).reshape(batch, time, n_heads * d_head)"
CHECK = (
    "    if d_model % n_heads != 0:\n"
    '        raise ValueError(f"n_heads = {n_heads} does not divide d_model = {d_model}")\n'
)

# --- split_heads
variants.edit(
    "view-not-transpose", (SPLIT, "return hidden.view(batch, n_heads, time, d_model // n_heads)")
)
variants.edit("not-transposed", (SPLIT, SPLIT.removesuffix(".transpose(1, 2)")))
variants.edit("transposed-last", (SPLIT, SPLIT.replace("transpose(1, 2)", "permute(0, 2, 3, 1)")))
variants.edit("heads-first", (SPLIT, SPLIT.replace("transpose(1, 2)", "permute(2, 0, 1, 3)")))
variants.edit(
    "interleaved",
    (SPLIT, "return hidden.view(batch, time, d_model // n_heads, n_heads).permute(0, 3, 1, 2)"),
)
variants.edit(
    "time-split",
    (SPLIT, "return hidden.mT.reshape(batch, n_heads, time, d_model // n_heads)"),
)
variants.edit("heads-reversed", (SPLIT, SPLIT + ".flip(1)"))
variants.edit(
    "size-is-n-heads",
    (SPLIT, SPLIT.replace("n_heads, d_model // n_heads", "d_model // n_heads, n_heads")),
)
variants.edit(
    "truncates",
    (CHECK, "    hidden = hidden[..., : d_model // n_heads * n_heads]\n"),
    ("hidden.view", "hidden.reshape"),
)
variants.edit("runtime-error", (CHECK, ""))
variants.edit("asserts", (CHECK, "    assert d_model % n_heads == 0\n"))
variants.edit("float32-split", (SPLIT, SPLIT.replace("hidden.view", "hidden.float().view")))
variants.edit("detached-split", (SPLIT, SPLIT.replace("hidden.view", "hidden.detach().view")))
variants.edit("scaled-in-place", (SPLIT, "hidden /= (d_model // n_heads) ** 0.5\n    " + SPLIT))
variants.edit(
    "same-for-all",
    (SPLIT, "return hidden[:, None, :, : d_model // n_heads].expand(-1, n_heads, -1, -1)"),
)

# --- merge_heads
variants.edit("merge-not-transposed", (MERGE, MERGE.replace(".transpose(1, 2)", "")))
variants.edit("view-after-transpose", (MERGE, MERGE.replace("reshape", "view")))
variants.edit("merge-interleaved", (MERGE, MERGE.replace("transpose(1, 2)", "permute(0, 2, 3, 1)")))
variants.edit("merge-averages", (MERGE, "return heads.mean(dim=1)"))
variants.edit("merge-stacks-time", (MERGE, "return heads.reshape(batch, n_heads * time, d_head)"))
variants.edit("merge-keeps-axes", (MERGE, "return heads.transpose(1, 2)"))
variants.edit(
    "merge-swaps-batch",
    (MERGE, "return heads.transpose(0, 2).reshape(batch, time, n_heads * d_head)"),
)
variants.edit(
    "detached-merge", (MERGE, MERGE.replace("heads.transpose", "heads.detach().transpose"))
)
variants.edit("float32-merge", (MERGE, MERGE.replace("heads.transpose", "heads.float().transpose")))
