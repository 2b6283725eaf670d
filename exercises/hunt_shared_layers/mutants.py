"""The bug itself, and mends that do not mend it. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

LAYERS = (
    "self.layers = nn.ModuleList([Layer(d_model, d_ff) for _ in range(n_layers)])\n        # stub"
)
RUN = "for layer in self.layers:\n            hidden = layer(hidden)"


def layers(code: str, *lines: str) -> None:
    """Other lines that fill self.layers."""
    variants.edit(code, (LAYERS, "\n        ".join((*lines, "# stub"))))


variants.stub("still-there")

# --- half a mend
layers(
    "deep-copies",
    "import copy",
    "layer = Layer(d_model, d_ff)",
    "self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(n_layers)])",
)
layers(
    "one-fresh-rest-shared",
    "layer = Layer(d_model, d_ff)",
    "rest = [layer] * (n_layers - 1)",
    "self.layers = nn.ModuleList([Layer(d_model, d_ff), *rest])",
)
layers(
    "shared-norm",
    "self.layers = nn.ModuleList([Layer(d_model, d_ff) for _ in range(n_layers)])",
    "for layer in self.layers:",
    "    layer.norm = self.layers[0].norm",
)
layers("plain-list", "self.layers = [Layer(d_model, d_ff) for _ in range(n_layers)]")
layers(
    "seeded-in-the-loop",
    "self.layers = nn.ModuleList()",
    "for _ in range(n_layers):",
    "    torch.manual_seed(0)",
    "    self.layers.append(Layer(d_model, d_ff))",
)
layers(
    "seeded-once",
    "torch.manual_seed(0)",
    "self.layers = nn.ModuleList([Layer(d_model, d_ff) for _ in range(n_layers)])",
)
layers(
    "copies-drawn-anew",
    "import copy",
    "layer = Layer(d_model, d_ff)",
    "self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(n_layers)])",
    "for parameter in self.layers.parameters():",
    "    nn.init.normal_(parameter, std=1.0)",
)
layers(
    "one-too-few",
    "self.layers = nn.ModuleList([Layer(d_model, d_ff) for _ in range(n_layers - 1)])",
)
layers(
    "another-name",
    "self.layers = nn.Sequential()",
    "self.layers.stack = nn.ModuleList(",
    "    [Layer(d_model, d_ff) for _ in range(n_layers)])",
)
layers(
    "frozen-copies",
    "self.layers = nn.ModuleList([Layer(d_model, d_ff) for _ in range(n_layers)])",
    "for layer in self.layers[1:]:",
    "    layer.requires_grad_(False)",
)

# --- something else broken on the way
variants.edit("first-layer-only", (RUN, RUN.replace("= layer(", "= self.layers[0](")))
variants.edit(
    "last-result-only",
    (RUN, "for layer in self.layers:\n            result = layer(hidden)"),
    ("        return hidden\n", "        return result\n"),
)
variants.edit("backwards", (RUN, RUN.replace("in self.layers", "in reversed(self.layers)")))
variants.edit("no-residual", ("return hidden + self.down", "return self.down"))
