"""The Transformer written out: small, tested PyTorch parts.

The names below are the public interface; ``companion.translator`` holds the Chinese-English
translator built from them and is imported only when asked for.
"""

from companion.accounting import (
    forward_flops,
    kv_cache_bytes,
    on_meta,
    parameter_count,
    parameters_by_part,
    training_flops,
)
from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.bert import (
    Bert,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
    mean_pool,
)
from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, StackSpec, TransformerConfig
from companion.diagnosis import attention_report
from companion.embeddings import TokenEmbedding
from companion.explanation import explain
from companion.feed_forward import FeedForward, GatedFeedForward, gated_width
from companion.generation import DecodingSession, Generation, Step, beam_search, greedy, stream
from companion.gpt import GPT, GPTConfig
from companion.initialization import initialize
from companion.kv_cache import CacheFullError, KVCache
from companion.layers import DecoderLayer, EncoderLayer
from companion.masks import (
    causal_mask,
    combine_masks,
    from_additive,
    from_hugging_face,
    from_torch_mha,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
    to_additive,
    to_hugging_face,
    to_torch_mha,
)
from companion.ngram import NGram
from companion.normalization import LayerNorm, RMSNorm
from companion.objectives import (
    causal_shift,
    label_smoothed_cross_entropy,
    mask_tokens,
    next_sentence_pairs,
    teacher_forcing_shift,
)
from companion.positions import (
    Learned,
    NoPositions,
    SequenceTooLongError,
    Sinusoidal,
    sinusoidal_encoding,
)
from companion.presets import (
    bart_base,
    bart_large,
    bert_base,
    bert_large,
    gpt2,
    gpt2_large,
    gpt2_medium,
    gpt2_xl,
    llama_3_1_8b,
    llama_7b,
    marian_base,
    mistral_7b,
    qwen2_0_5b,
    qwen2_7b,
    roberta_base,
    roberta_large,
    t5_base,
    t5_small,
    t5_v1_1_base,
    t5_v1_1_small,
    tiny_bert,
    tiny_gpt,
    tiny_translator,
    transformer_base,
    transformer_big,
)
from companion.pretrained import PretrainedError, load_pretrained, save_pretrained
from companion.recurrent import RecurrentConfig, RecurrentSeq2Seq
from companion.relative_positions import ALiBi, T5Buckets
from companion.rotary import Rotary, convert_layout
from companion.rotary_scaling import Interpolation, Llama3Scaling, NTKAware, YaRN
from companion.sampling import Sampler, sample
from companion.shape_trace import shape_trace
from companion.stack import Stack
from companion.tiled_attention import tiled_attention
from companion.transformer import Decoder, Encoder, Memory, Transformer

__version__ = "0.1.0"

__all__ = [
    "GPT",
    "ALiBi",
    "AttentionSpec",
    "Bert",
    "BertConfig",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "CacheFullError",
    "Capture",
    "Decoder",
    "DecoderLayer",
    "DecodingSession",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "FeedForwardSpec",
    "GPTConfig",
    "GatedFeedForward",
    "Generation",
    "Interpolation",
    "KVCache",
    "LayerNorm",
    "Learned",
    "Llama3Scaling",
    "Memory",
    "MultiHeadAttention",
    "NGram",
    "NTKAware",
    "NoPositions",
    "NormSpec",
    "PretrainedError",
    "RMSNorm",
    "RecurrentConfig",
    "RecurrentSeq2Seq",
    "Rotary",
    "Sampler",
    "SequenceTooLongError",
    "Sinusoidal",
    "Stack",
    "StackSpec",
    "Step",
    "T5Buckets",
    "TokenEmbedding",
    "Transformer",
    "TransformerConfig",
    "YaRN",
    "attention_report",
    "bart_base",
    "bart_large",
    "beam_search",
    "bert_base",
    "bert_large",
    "causal_mask",
    "causal_shift",
    "combine_masks",
    "convert_layout",
    "explain",
    "forward_flops",
    "from_additive",
    "from_hugging_face",
    "from_torch_mha",
    "gated_width",
    "gpt2",
    "gpt2_large",
    "gpt2_medium",
    "gpt2_xl",
    "greedy",
    "initialize",
    "kv_cache_bytes",
    "label_smoothed_cross_entropy",
    "llama_3_1_8b",
    "llama_7b",
    "load_pretrained",
    "marian_base",
    "mask_tokens",
    "mean_pool",
    "mistral_7b",
    "next_sentence_pairs",
    "on_meta",
    "padding_mask",
    "parameter_count",
    "parameters_by_part",
    "prefix_mask",
    "qwen2_0_5b",
    "qwen2_7b",
    "roberta_base",
    "roberta_large",
    "sample",
    "save_pretrained",
    "scaled_dot_product_attention",
    "shape_trace",
    "sinusoidal_encoding",
    "sliding_window_mask",
    "stream",
    "t5_base",
    "t5_small",
    "t5_v1_1_base",
    "t5_v1_1_small",
    "teacher_forcing_shift",
    "tiled_attention",
    "tiny_bert",
    "tiny_gpt",
    "tiny_translator",
    "to_additive",
    "to_hugging_face",
    "to_torch_mha",
    "training_flops",
    "transformer_base",
    "transformer_big",
]
