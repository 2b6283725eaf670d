"""Recurrent decoders with and without a look at the source.

Taught in the chapter on recurrent networks; :mod:`companion.recurrent` has the whole model.
Sources: Sutskever et al. (2014), no attention; Bahdanau et al. (2015); Luong et al. (2015).
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from companion.attention import masked_softmax
from companion.capture import Capture, save

Hidden = Float[Tensor, "batch time d_model"]
# (h,) of a GRU, (h, c) of an LSTM; each (layers, batch, d_model).
State = tuple[Float[Tensor, "layers batch d_model"], ...]

CELLS: dict[str, type[nn.GRU] | type[nn.LSTM]] = {"gru": nn.GRU, "lstm": nn.LSTM}
# How many tensors a state holds.
STATE_PARTS = {"gru": 1, "lstm": 2}


class RecurrentMemory(NamedTuple):
    """What the decoder starts from: the encoder's output, its mask, and the first state."""

    hidden: Float[Tensor, "batch source d_model"]
    mask: Bool[Tensor, "batch source"]
    state: State


def run(rnn: nn.RNNBase, x: Tensor, state: State | None = None) -> tuple[Tensor, State]:
    """GRU and LSTM under one signature."""
    if isinstance(rnn, nn.LSTM):
        return rnn(x, state)
    y, h = rnn(x, None if state is None else state[0])
    return y, (h,)


class AdditiveScore(nn.Module):
    """vᵀ tanh(W q + U k). Source: Bahdanau et al. (2015), appendix A.1.2."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.v = nn.Linear(d_model, 1, bias=False)

    def forward(self, query: Hidden, memory: Float[Tensor, "batch source d_model"]) -> Tensor:
        mixed = self.query(query)[:, :, None] + self.key(memory)[:, None]
        return self.v(mixed.tanh())[..., 0]


class BilinearScore(nn.Module):
    """qᵀ W k, "general". Source: Luong et al. (2015), equation 8."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.key = nn.Linear(d_model, d_model, bias=False)

    def forward(self, query: Hidden, memory: Float[Tensor, "batch source d_model"]) -> Tensor:
        return query @ self.key(memory).mT


class PlainDecoder(nn.Module):
    """No attention: everything about the source has to fit into the first state."""

    context_size = 0  # of what stands beside the embedding in the input
    score: type[AdditiveScore] | type[BilinearScore] | None = None

    def __init__(self, d_model: int, n_layers: int, cell: str, dropout: float) -> None:
        super().__init__()
        self.rnn = CELLS[cell](
            d_model * (1 + self.context_size),
            d_model,
            n_layers,
            batch_first=True,
            dropout=dropout if n_layers > 1 else 0.0,
        )
        if self.score is not None:
            self.scores = self.score(d_model)
            self.combine = nn.Linear(2 * d_model, d_model)

    def forward(
        self, x: Hidden, state: State, memory: RecurrentMemory, capture: Capture | None
    ) -> tuple[Hidden, State]:
        """What the output layer reads at every step, and the state after the last."""
        del memory, capture
        return run(self.rnn, x, state)

    def attend(self, query: Hidden, memory: RecurrentMemory) -> tuple[Hidden, Tensor]:
        """The memory's weighted mean for every query, and the weights."""
        weights = masked_softmax(self.scores(query, memory.hidden), memory.mask[:, None])
        return weights @ memory.hidden, weights


class LuongDecoder(PlainDecoder):
    """Step first, then look: the new state asks, and what it finds joins it before the output.

    Source: Luong et al. (2015), equations 5-8, without input feeding.
    """

    score = BilinearScore

    def forward(
        self, x: Hidden, state: State, memory: RecurrentMemory, capture: Capture | None
    ) -> tuple[Hidden, State]:
        y, state = run(self.rnn, x, state)
        context, weights = self.attend(y, memory)
        save(capture, "cross_attention.weights", weights[:, None])
        return self.combine(torch.cat([context, y], dim=-1)).tanh(), state


class BahdanauDecoder(PlainDecoder):
    """Look first, then step: the old state asks, and what it finds is part of the step's input.

    So every step waits for the one before, in training too. Source: Bahdanau et al. (2015),
    equations 4-6; the output layer is a tanh instead of a maxout.
    """

    context_size = 1
    score = AdditiveScore

    def forward(
        self, x: Hidden, state: State, memory: RecurrentMemory, capture: Capture | None
    ) -> tuple[Hidden, State]:
        outputs, looks = [], []
        for t in range(x.shape[1]):
            context, weights = self.attend(state[0][-1][:, None], memory)
            y, state = run(self.rnn, torch.cat([x[:, t : t + 1], context], dim=-1), state)
            outputs.append(torch.cat([context, y], dim=-1))
            looks.append(weights)
        save(capture, "cross_attention.weights", torch.cat(looks, dim=1)[:, None])
        return self.combine(torch.cat(outputs, dim=1)).tanh(), state


DECODERS: dict[str, type[PlainDecoder]] = {
    "bahdanau": BahdanauDecoder,
    "luong": LuongDecoder,
    "none": PlainDecoder,
}
