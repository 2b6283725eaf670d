"""Marian as Hugging Face stores it (OPUS-MT's translators): BART without what it added.

Post-norm, no norm on the embeddings, which are scaled, and sinusoids with all sines first; the
decoder starts with the padding token.

Sources: Junczys-Dowmunt et al. (2018); Tiedemann and Thottingal (2020).
"""

from typing import Any

from companion.config import NormSpec
from companion.positions import Sinusoidal
from companion.pretrained import bart
from companion.pretrained.family import Family
from companion.pretrained.settings import refuse
from companion.transformer import Transformer


def build(hf: dict[str, Any]) -> Transformer:
    """Our model for a ``config.json`` of Marian.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    refuse(hf, "normalize_embedding")
    position = Sinusoidal(max_seq_len=hf["max_position_embeddings"], layout="half")
    starts_with_pad = hf.get("decoder_start_token_id") == hf["pad_token_id"]
    return Transformer(
        bart.config(
            hf,
            position=position,
            norm=NormSpec(position="post"),
            starts_with_pad=starts_with_pad,
        )
    )


FAMILY = Family(
    model_types=("marian",),
    build=build,
    weight_map=bart.weight_map,
    renames=((r"^model\.", ""),),
    # The sinusoids, which are computed here.
    ignored=(r"(encoder|decoder)\.embed_positions\.weight",),
    copies=bart.copies,
)
