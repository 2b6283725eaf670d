"""What can be loaded and saved: one line a family, one line a model class."""

from torch import nn

from companion.bert import (
    Bert,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from companion.config import ModelConfig, TransformerConfig
from companion.gpt import GPT, GPTConfig
from companion.pretrained import bart, bert, gpt2, llama, marian, roberta, t5
from companion.pretrained.family import Family
from companion.recurrent import RecurrentConfig, RecurrentSeq2Seq
from companion.transformer import Transformer

# Families in Hugging Face's format.
FAMILIES: tuple[Family, ...] = (
    gpt2.FAMILY,
    llama.FAMILY,
    bert.FAMILY,
    roberta.FAMILY,
    t5.FAMILY,
    bart.FAMILY,
    marian.FAMILY,
)

# Our own model classes, which are built from their configuration alone.
MODELS: dict[str, tuple[type[nn.Module], type[ModelConfig]]] = {
    "Bert": (Bert, BertConfig),
    "BertForMaskedLM": (BertForMaskedLM, BertConfig),
    "BertForPreTraining": (BertForPreTraining, BertConfig),
    "BertForSequenceClassification": (BertForSequenceClassification, BertConfig),
    "BertForTokenClassification": (BertForTokenClassification, BertConfig),
    "GPT": (GPT, GPTConfig),
    "RecurrentSeq2Seq": (RecurrentSeq2Seq, RecurrentConfig),
    "Transformer": (Transformer, TransformerConfig),
}


def by_model_type() -> dict[str, Family]:
    """Every family, under each ``model_type`` of its ``config.json`` files."""
    return {model_type: family for family in FAMILIES for model_type in family.model_types}
