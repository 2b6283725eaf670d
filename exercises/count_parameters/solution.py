"""Counting parameters: predict the number, then verify it.

Fill in the two functions below, then run, from the folder that holds `exercises`:

    python -m exercises check count_parameters
"""

from torch import nn


def predict_parameters(
    source_vocab: int,
    target_vocab: int,
    d_model: int,
    d_ff: int,
    n_heads: int,
    n_encoder_layers: int,
    n_decoder_layers: int,
    bias: bool = True,
    share_embeddings: bool = False,
    tie_output: bool = False,
    pre_norm: bool = False,
) -> int:
    """The exact number of parameters of an encoder-decoder Transformer, with paper and pencil.

    - An attention has four projections d_model → d_model: query, key, value, output. The heads
      share them: each has d_model / n_heads columns.
    - A feed-forward layer goes d_model → d_ff → d_model.
    - An encoder layer has one attention and one feed-forward layer, a decoder layer two attentions
      (to itself and to the encoder) and one feed-forward layer. Each of these is followed by a
      LayerNorm, which always has a gain and a bias of d_model numbers.
    - Source and target have an embedding table each. The output projection, d_model → target_vocab,
      never has a bias. Sinusoidal positions have no parameters.

    Args:
        bias: do the projections of attention and feed-forward layers have one?
        share_embeddings: source and target use one table.
        tie_output: the output projection is the target's table.
        pre_norm: one LayerNorm more behind the encoder's layers, and one behind the decoder's.

    Raises:
        ValueError: if the embeddings are to be shared and the vocabularies differ.

    Example: the base model of the paper has 37,000 tokens, d_model 512, d_ff 2048, 8 heads, 6 and 6
        layers, all three tables in one: 63,082,496 parameters.
    """
    # solution:
    if share_embeddings and source_vocab != target_vocab:
        raise ValueError(f"a shared table needs equal vocabularies: {source_vocab}, {target_vocab}")
    heads = n_heads * (d_model // n_heads)  # side by side they are d_model wide again
    attention = 4 * (d_model * heads + bias * d_model)
    feed_forward = 2 * d_model * d_ff + bias * (d_ff + d_model)
    norm = 2 * d_model
    encoder = n_encoder_layers * (attention + feed_forward + 2 * norm)
    decoder = n_decoder_layers * (2 * attention + feed_forward + 3 * norm)
    tables = source_vocab * d_model
    if not share_embeddings:
        tables += target_vocab * d_model
    output = 0 if tie_output else d_model * target_vocab
    final_norms = 2 * norm if pre_norm else 0
    return encoder + decoder + tables + output + final_norms
    # end


def count_parameters(module: nn.Module) -> int:
    """The number of parameters that a module really has, to verify a prediction.

    All that training could change, frozen ones included; a parameter that is used in two places
    (a tied output) counts once. Buffers are no parameters.
    """
    # solution:
    return sum(parameter.numel() for parameter in module.parameters())
    # end
