"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

HIDDEN = "hidden = torch.relu(x @ w_1 + b_1)"
INNER = "x @ w_1 + b_1)"
RETURN = "return hidden @ w_2 + b_2"

# --- the activation
variants.edit("no-activation", (HIDDEN, "hidden = x @ w_1 + b_1"))
variants.edit(
    "activation-at-the-end",
    (HIDDEN, "hidden = x @ w_1 + b_1"),
    (RETURN, "return torch.relu(hidden @ w_2 + b_2)"),
)
variants.edit("activation-twice", (RETURN, "return torch.relu(hidden @ w_2 + b_2)"))
variants.edit("activation-first", (HIDDEN, "hidden = torch.relu(x) @ w_1 + b_1"))
variants.edit("bias-after-activation", (HIDDEN, "hidden = torch.relu(x @ w_1) + b_1"))
variants.edit("gelu", ("torch.relu", "torch.nn.functional.gelu"))
variants.edit("sigmoid", ("torch.relu", "torch.sigmoid"))
variants.edit("tanh", ("torch.relu", "torch.tanh"))
variants.edit("leaky", ("torch.relu", "torch.nn.functional.leaky_relu"))
variants.edit("absolute-value", ("torch.relu", "torch.abs"))
variants.edit("negative-side-kept", (INNER, f"-({INNER})"))
variants.edit(
    "one-cut-off", (HIDDEN, HIDDEN.replace("relu", "clamp").removesuffix(")") + ", 0, 1)")
)
variants.edit("zero-or-one", (HIDDEN, "hidden = (x @ w_1 + b_1 > 0).to(x.dtype)"))
variants.edit("softmax", (HIDDEN, "hidden = torch.softmax(x @ w_1 + b_1, dim=-1)"))

# --- the parts
variants.edit("no-first-bias", (INNER, "x @ w_1)"))
variants.edit("no-second-bias", (RETURN, "return hidden @ w_2"))
variants.edit("no-narrowing", (RETURN, "return hidden"))
variants.edit("first-matrix-twice", (RETURN, "return hidden @ w_1.T + b_2"))
variants.edit("first-transposed", (INNER, "x @ w_1.T + b_1)"))
variants.edit("second-transposed", (RETURN, "return hidden @ w_2.T + b_2"))
variants.edit("residual-inside", (RETURN, RETURN + " + x"))
variants.edit("hidden-averaged", (RETURN, RETURN.replace("w_2", "w_2 / w_2.size(0)")))

# --- positions
variants.edit(
    "summed-over-positions",
    (RETURN, RETURN.replace("hidden", "hidden.sum(1, keepdim=True).expand_as(hidden)")),
)
variants.edit("first-position-only", (HIDDEN, "x = x[:, :1].expand_as(x)\n    " + HIDDEN))

# --- the contract
variants.edit(
    "dropout-left-on", (RETURN, "return torch.nn.functional.dropout(hidden, 0.1) @ w_2 + b_2")
)
variants.edit("writes-into-x", (HIDDEN, "x.relu_()\n    " + HIDDEN))
variants.edit(
    "float32-result",
    (INNER, "x.float() @ w_1.float() + b_1.float())"),
    (RETURN, "return hidden @ w_2.float() + b_2.float()"),
)
variants.edit("detached-hidden", (RETURN, RETURN.replace("hidden", "hidden.detach()")))
