"""The decoder layer: self-attention, cross-attention and feed-forward, in pre-norm order.

Fill in the last `forward` below, then run, from the folder that holds `exercises`:

    python -m exercises check decoder_layer
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    """Given: multi-head attention; the positions of x ask, those of memory answer."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.kv_proj = nn.Linear(d_model, 2 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        """mask: bool, broadcastable to (batch, n_heads, x's length, memory's length)."""
        query, key, value = (
            part.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for part in (self.q_proj(x), *self.kv_proj(memory).chunk(2, dim=-1))
        )
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.out_proj(heads.transpose(1, 2).flatten(2))


class DecoderLayer(nn.Module):
    """One layer of a decoder with cross-attention, without dropout: pre-norm.

    Args:
        d_model, n_heads, d_ff: widths and number of heads
    """

    def __init__(self, d_model: int, n_heads: int, d_ff: int) -> None:
        super().__init__()
        self.self_attention = Attention(d_model, n_heads)
        self.cross_attention = Attention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """Self-attention with norm_1, cross-attention with norm_2, feed-forward with norm_3.

        Each of the three sublayers is wrapped in pre-norm order: the norm stands in front of
        the sublayer, and the residual connection passes both by. The memory comes out of the
        encoder normalised already.

        Args:
            x: the target so far, (batch, time, d_model)
            memory: the encoder's output, (batch, memory_len, d_model)
            mask: hides the future (and padding) of x, for the self-attention
            memory_mask: hides padding of the memory, for the cross-attention

        Returns:
            (batch, time, d_model)
        """
        # solution:
        own = self.norm_1(x)
        x = x + self.self_attention(own, own, mask)
        x = x + self.cross_attention(self.norm_2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm_3(x))
        # end
