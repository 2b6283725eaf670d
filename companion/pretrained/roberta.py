"""RoBERTa and XLM-RoBERTa as Hugging Face stores them: BERT, differently trained.

What differs in the values: positions are counted from ``pad_id + 1``, there is one token type and
no next-sentence head, and a classifier has the pooler as its first layer.

Sources: Liu et al. (2019); Conneau et al. (2020).
"""

from typing import Any

from torch import nn

from companion.bert import (
    Bert,
    BertForMaskedLM,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from companion.positions import Learned
from companion.pretrained.bert import architecture, config, encoder_map
from companion.pretrained.family import Family, Source, WeightMap

_HEADS: dict[str, type[nn.Module]] = {
    "Model": Bert,
    "ForMaskedLM": BertForMaskedLM,
    "ForSequenceClassification": BertForSequenceClassification,
    "ForTokenClassification": BertForTokenClassification,
}
ARCHITECTURES = {
    f"{name}{head}": ours for name in ("Roberta", "XLMRoberta") for head, ours in _HEADS.items()
}


def build(hf: dict[str, Any]) -> nn.Module:
    """Our model for a ``config.json`` of RoBERTa; ``architectures`` names the head.

    Raises:
        ValueError: naming a setting or a head that our parts do not have.
    """
    kind = architecture(hf, ARCHITECTURES)
    if kind is BertForMaskedLM and hf.get("hidden_act", "gelu") != "gelu":
        raise ValueError(f"hidden_act={hf['hidden_act']!r} is not supported: the head has 'gelu'")
    pooled = kind in (Bert, BertForSequenceClassification)
    offset = (hf.get("pad_token_id") or 0) + 1
    position = Learned(hf["max_position_embeddings"] - offset, offset=offset)
    return kind(config(hf, pooler=pooled, position=position))


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found."""
    if isinstance(model, Bert):
        return encoder_map(model)
    encoder = model.bert
    assert isinstance(encoder, Bert)
    found = encoder_map(encoder, "bert.")
    if isinstance(model, BertForMaskedLM):
        found["masked.bias"] = Source("lm_head.bias")
    for kind in ("weight", "bias"):
        if isinstance(model, BertForMaskedLM):
            found |= {
                f"masked.dense.{kind}": Source(f"lm_head.dense.{kind}"),
                f"masked.norm.{kind}": Source(f"lm_head.layer_norm.{kind}"),
            }
        if isinstance(model, BertForSequenceClassification):
            found[f"bert.pooler.{kind}"] = Source(f"classifier.dense.{kind}")
            found[f"classifier.{kind}"] = Source(f"classifier.out_proj.{kind}")
        if isinstance(model, BertForTokenClassification):
            found[f"classifier.{kind}"] = Source(f"classifier.{kind}")
    return found


def _copies(model: nn.Module) -> dict[str, str]:
    if not isinstance(model, BertForMaskedLM):
        return {}
    return {
        "lm_head.decoder.weight": "embeddings.word_embeddings.weight",
        "lm_head.decoder.bias": "lm_head.bias",
    }


FAMILY = Family(
    model_types=("roberta", "xlm-roberta"),
    build=build,
    weight_map=weight_map,
    renames=((r"^roberta\.", ""),),
    ignored=(r"embeddings\.(position_ids|token_type_ids)", r"lm_head\..*", r"pooler\..*"),
    copies=_copies,
)
