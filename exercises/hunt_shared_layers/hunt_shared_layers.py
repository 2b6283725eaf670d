"""Bug hunt: six layers that learn like one.

A user reports: "The encoder with six layers is no better than with one, and its checkpoint is
suspiciously small. A colleague then copied the layers; now the checkpoint is large, but all layers
start out equal." Find the mistake and mend it for good. Only `Encoder` is called; change whatever
you like, but keep the names of attributes, for the checkpoints. Then run, from the folder that
holds `exercises`:

    python -m exercises check hunt_shared_layers
"""

import torch
from torch import Tensor, nn


class Layer(nn.Module):
    """A position-wise layer with a residual path: x + down(relu(up(norm(x))))."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.down(torch.relu(self.up(self.norm(hidden))))


class Encoder(nn.Module):
    """n_layers layers, each with parameters of its own, one after the other.

    The layers stand in `self.layers`, so that parameters are called `layers.0.up.weight` and so on.
    """

    def __init__(self, d_model: int, d_ff: int, n_layers: int) -> None:
        super().__init__()
        layer = Layer(d_model, d_ff)
        self.layers = nn.ModuleList([layer for _ in range(n_layers)])

    def forward(self, hidden: Tensor) -> Tensor:
        """(batch, time, d_model) to the same shape."""
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden
