"""Token embeddings: a table of vectors, one row a token, read both ways.

Read forward it turns ids into vectors; read backward (``logits``) it turns vectors into scores for
every token. Tying input and output is therefore not a copy that can drift apart: there is one
table, and the output projection *is* its transpose.

Taught in the chapter "From text to tensors". Sources: Vaswani et al. (2017), §3.4; Press and Wolf
(2017).
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from companion._checks import check_positive


class TokenEmbedding(nn.Module):
    """A table ``(vocab_size, d_model)``.

    Args:
        scale: multiply the vectors by √d_model when reading forward. Rows start with variance
            1/d_model, which suits the output side; the factor brings the input side to variance 1,
            the size of the sinusoids that are added to it.

    Raises:
        ValueError: if a size is below 1.
    """

    def __init__(self, vocab_size: int, d_model: int, *, scale: bool = False) -> None:
        super().__init__()
        check_positive("vocab_size", vocab_size)
        check_positive("d_model", d_model)
        self.scale = math.sqrt(d_model) if scale else 1.0
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(self, tokens: Int[Tensor, "*shape"]) -> Float[Tensor, "*shape d_model"]:
        return F.embedding(tokens, self.weight) * self.scale

    def logits(self, hidden: Float[Tensor, "*shape d_model"]) -> Float[Tensor, "*shape vocab_size"]:
        """A score for every token: the dot product with its row."""
        return F.linear(hidden, self.weight)
