"""Mends that look different; each must pass."""

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


layers(
    "appended",
    "self.layers = nn.ModuleList()",
    "for _ in range(n_layers):",
    "    self.layers.append(Layer(d_model, d_ff))",
)
layers(
    "sequential", "self.layers = nn.Sequential(*(Layer(d_model, d_ff) for _ in range(n_layers)))"
)
layers(
    "copies-reset",
    "import copy",
    "layer = Layer(d_model, d_ff)",
    "self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(n_layers)])",
    "for part in self.layers.modules():",
    "    if hasattr(part, 'reset_parameters'):",
    "        part.reset_parameters()",
)
variants.edit(
    "by-index",
    (RUN, "for index in range(len(self.layers)):\n            hidden = self.layers[index](hidden)"),
)
