"""The encoder layer: self-attention and feed-forward, each with residual connection and norm.

Fill in the last `forward` below, then run, from the folder that holds `exercises`:

    python -m exercises check encoder_layer
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class SelfAttention(nn.Module):
    """Given: multi-head self-attention, (batch, time, d_model) to the same shape."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """mask: bool, broadcastable to (batch, n_heads, time, time). True = may attend."""
        query, key, value = (
            part.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for part in self.in_proj(x).chunk(3, dim=-1)
        )
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.out_proj(heads.transpose(1, 2).flatten(2))


class EncoderLayer(nn.Module):
    """One layer of the original Transformer's encoder, without dropout: post-norm.

    Args:
        d_model, n_heads, d_ff: widths and number of heads
    """

    def __init__(self, d_model: int, n_heads: int, d_ff: int) -> None:
        super().__init__()
        self.self_attention = SelfAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Attention first, with norm_1; then the feed-forward network, with norm_2.

        Each of the two sublayers is wrapped as in the original: a residual connection around
        it, and the norm after the addition.

        Args:
            x: (batch, time, d_model)
            mask: hides padding; for the self-attention, which takes it as it is

        Returns:
            (batch, time, d_model)
        """
        # solution:
        x = self.norm_1(x + self.self_attention(x, mask))
        return self.norm_2(x + self.feed_forward(x))
        # end
