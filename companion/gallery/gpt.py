"""A GPT from the package's parts: it learns four Tang poems by heart, and goes on from a first
character. `python -m companion.gallery.gpt 床` takes about ten seconds on a CPU.
"""

import sys

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import companion as parts

POEMS = [
    "床前明月光，疑是地上霜。举头望明月，低头思故乡。",
    "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
    "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。",
    "红豆生南国，春来发几枝。愿君多采撷，此物最相思。",
]
LENGTH = max(map(len, POEMS))


class PoemGPT(nn.Module):
    """Embed, look back, think, predict: a decoder-only Transformer."""

    def __init__(self, vocab_size: int, d_model: int = 64, n_layers: int = 2) -> None:
        super().__init__()
        spec = parts.StackSpec(
            d_model=d_model,
            n_layers=n_layers,
            attention=parts.AttentionSpec(n_heads=4),
            feed_forward=parts.FeedForwardSpec(d_ff=4 * d_model, activation="gelu"),
            norm=parts.NormSpec(position="pre"),
            position=parts.Learned(max_seq_len=LENGTH),
        )
        self.tokens = parts.TokenEmbedding(vocab_size, d_model)
        self.positions = nn.Embedding(LENGTH, d_model)
        self.layers = nn.ModuleList(parts.EncoderLayer(spec) for _ in range(n_layers))
        self.norm = parts.LayerNorm(d_model)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for layer in self.layers:
            x = layer(x, mask=parts.causal_mask(ids.shape[1]))
        return self.tokens.logits(self.norm(x))  # the same table, read backward


def train(steps: int = 150) -> tuple[PoemGPT, str]:
    """Next-character prediction on the poems. Returns the model and its alphabet."""
    torch.manual_seed(0)
    alphabet = "".join(sorted(set("".join(POEMS))))
    ids = torch.tensor([[alphabet.index(character) for character in poem] for poem in POEMS])
    model = PoemGPT(len(alphabet))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval(), alphabet


@torch.no_grad()
def recite(model: PoemGPT, alphabet: str, start: str) -> str:
    """Always the most probable next character."""
    text = start
    while len(text) < LENGTH:
        ids = torch.tensor([[alphabet.index(character) for character in text]])
        text += alphabet[int(model(ids)[0, -1].argmax())]
    return text


if __name__ == "__main__":
    poet = train()
    for first in sys.argv[1:] or [poem[0] for poem in POEMS]:
        print(recite(*poet, first))
