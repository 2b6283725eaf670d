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
    raise NotImplementedError


def count_parameters(module: nn.Module) -> int:
    """The number of parameters that a module really has, to verify a prediction.

    All that training could change, frozen ones included; a parameter that is used in two places
    (a tied output) counts once. Buffers are no parameters.
    """
    raise NotImplementedError
