"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

GATE = "gate = torch.nn.functional.silu(x @ w_gate)"
SILU = "torch.nn.functional.silu"
UP = "up = x @ w_up"
RETURN = "return (gate * up) @ w_down"
WIDTH = "width = 8 * d_model // 3"
ROUND = "return math.ceil(width / multiple_of) * multiple_of"

# --- swiglu
variants.edit("gate-and-up-swapped", (RETURN, f"return ({SILU}(up) * (x @ w_gate)) @ w_down"))
variants.edit("sigmoid-gate", (SILU, "torch.sigmoid"))
variants.edit("gelu-gate", (SILU, "torch.nn.functional.gelu"))
variants.edit("relu-gate", (SILU, "torch.relu"))
variants.edit("no-activation", (GATE, "gate = x @ w_gate"))
variants.edit(
    "product-activated", (GATE, "gate = x @ w_gate"), (RETURN, f"return {SILU}(gate * up) @ w_down")
)
variants.edit("both-activated", (UP, f"up = {SILU}(x @ w_up)"))
variants.edit(
    "activated-at-the-end",
    (GATE, "gate = x @ w_gate"),
    (RETURN, f"return {SILU}((gate * up) @ w_down)"),
)
variants.edit("no-gate", (RETURN, f"return {SILU}(up) @ w_down"))
variants.edit("no-up", (RETURN, "return gate @ w_down"))
variants.edit("added", (RETURN, "return (gate + up) @ w_down"))
variants.edit("gate-from-x", (GATE, "gate = torch.sigmoid(x @ w_gate) * x.mean(-1, keepdim=True)"))
variants.edit("quick-gelu", (GATE, "gate = (x @ w_gate) * torch.sigmoid(1.702 * (x @ w_gate))"))
variants.edit("silu-unstable", (GATE, "z = x @ w_gate\n    gate = z * z.exp() / (1 + z.exp())"))
variants.edit("softplus", (SILU, "torch.nn.functional.softplus"))
variants.edit("same-matrix-twice", (UP, "up = x @ w_gate"))
variants.edit("no-narrowing", (RETURN, "return gate * up"))
variants.edit("down-transposed", (RETURN, RETURN + ".T"))
variants.edit("gate-and-up-transposed", (GATE, GATE.replace("w_gate", "w_gate.T")), (UP, UP + ".T"))
variants.edit("residual-inside", (RETURN, RETURN + " + x"))
variants.edit(
    "normalised-over-positions",
    (SILU, "torch.nn.functional.softmax"),
    ("x @ w_gate)", "x @ w_gate, dim=1)"),
)
variants.edit("gate-detached", (RETURN, RETURN.replace("gate", "gate.detach()")))
variants.edit("writes-into-x", (UP, UP + "\n    x += 1e-3"))
variants.edit(
    "float32-result",
    (GATE, GATE.replace("x @ w_gate", "x.float() @ w_gate.float()")),
    (RETURN, "return (gate * up.float()) @ w_down.float()"),
)

# --- gated_width
variants.edit("four-times", (WIDTH, "width = 4 * d_model"))
variants.edit("two-thirds", (WIDTH, "width = 2 * d_model // 3"))
variants.edit("three-eighths", (WIDTH, "width = 3 * d_model // 8"))
variants.edit("two-and-two-thirds-of-four", (WIDTH, "width = 4 * 8 * d_model // 3"))
variants.edit("rounded-factor", (WIDTH, "width = int(2.667 * d_model)"))
variants.edit("eight-times-floor", (WIDTH, "width = 8 * (d_model // 3)"))
variants.edit("rounded-up-first", (WIDTH, "width = math.ceil(8 * d_model / 3)"))
variants.edit("nearest-first", (WIDTH, "width = round(8 * d_model / 3)"))
variants.edit("multiple-ignored", (ROUND, "return width"))
variants.edit("rounded-down", (ROUND, "return width // multiple_of * multiple_of"))
variants.edit("rounded-to-nearest", (ROUND, "return round(width / multiple_of) * multiple_of"))
variants.edit("always-one-more", (ROUND, "return (width // multiple_of + 1) * multiple_of"))
variants.edit("multiple-added", (ROUND, "return width + multiple_of"))
variants.edit("padding-instead-of-width", (ROUND, "return width + width % multiple_of"))
variants.edit("count-of-multiples", (ROUND, "return math.ceil(width / multiple_of)"))
variants.edit("power-of-two", (ROUND, "return 2 ** math.ceil(math.log2(width))"))
variants.edit(
    "float",
    (WIDTH, "width = int(8 * d_model / 3)"),
    (ROUND, ROUND.replace("* multiple_of", "* float(multiple_of)")),
)
