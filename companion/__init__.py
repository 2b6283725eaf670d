"""The Transformer written out: small, tested PyTorch parts.

The names below are the public interface; ``companion.translator`` holds the Chinese-English
translator built from them and is imported only when asked for.
"""

from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.capture import Capture
from companion.config import (
    AttentionSpec,
    FeedForwardSpec,
    NormSpec,
    StackSpec,
    TransformerConfig,
    tiny_translator,
    transformer_base,
    transformer_big,
)
from companion.embeddings import TokenEmbedding
from companion.feed_forward import FeedForward, GatedFeedForward, gated_width
from companion.generation import DecodingSession, Generation, beam_search, greedy, stream
from companion.initialization import initialize
from companion.kv_cache import KVCache
from companion.layers import DecoderLayer, EncoderLayer
from companion.masks import (
    causal_mask,
    combine_masks,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from companion.normalization import LayerNorm, RMSNorm
from companion.positions import Learned, NoPositions, Sinusoidal, sinusoidal_encoding
from companion.transformer import Decoder, Encoder, Memory, Transformer

__version__ = "0.1.0"

__all__ = [
    "AttentionSpec",
    "Capture",
    "Decoder",
    "DecoderLayer",
    "DecodingSession",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "FeedForwardSpec",
    "GatedFeedForward",
    "Generation",
    "KVCache",
    "LayerNorm",
    "Learned",
    "Memory",
    "MultiHeadAttention",
    "NoPositions",
    "NormSpec",
    "RMSNorm",
    "Sinusoidal",
    "StackSpec",
    "TokenEmbedding",
    "Transformer",
    "TransformerConfig",
    "beam_search",
    "causal_mask",
    "combine_masks",
    "gated_width",
    "greedy",
    "initialize",
    "padding_mask",
    "prefix_mask",
    "scaled_dot_product_attention",
    "sinusoidal_encoding",
    "sliding_window_mask",
    "stream",
    "tiny_translator",
    "transformer_base",
    "transformer_big",
]
