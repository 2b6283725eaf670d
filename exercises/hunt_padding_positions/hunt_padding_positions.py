"""Bug hunt: the first sentence of a batch is fine, the others are not.

Generating in batches pads short prompts on the left, so that the newest word of every row stands in
the last column. A user reports: "One prompt alone continues well. In a batch, all prompts but the
longest continue with nonsense. Padding on the right works." Find the mistake and mend it. Only
`embed` is called; change whatever you like. Then run, from the folder that holds `exercises`:

    python -m exercises check hunt_padding_positions
"""

import math

import torch
from torch import Tensor


def positions_of(tokens: Tensor, pad_id: int) -> Tensor:
    """Where every token stands: whole numbers, (batch, time)."""
    columns = torch.arange(tokens.size(1)).expand_as(tokens)
    return columns.masked_fill(tokens == pad_id, 0)


def embed(tokens: Tensor, word_table: Tensor, position_table: Tensor, pad_id: int) -> Tensor:
    """Word vectors times √d_model, plus the vector of the word's position in its own sentence.

    Args:
        tokens: whole numbers, (batch, time); padding stands before or after a row's words, or both
        word_table: (vocab_size, d_model)
        position_table: (max_seq_len, d_model); row 0 belongs to the first word of a sentence

    Returns:
        (batch, time, d_model); padding gets zeros.
    """
    words = word_table[tokens] * math.sqrt(word_table.size(-1))
    hidden = words + position_table[positions_of(tokens, pad_id)]
    return hidden.masked_fill((tokens == pad_id)[..., None], 0.0)
