"""BERT as Hugging Face stores it, with the heads of pre-training, classification and tagging.

Files of the first years call a norm's scale and shift ``gamma`` and ``beta``. What a file holds for
heads that the model does not have (``bert-base-uncased`` brings those of pre-training) is left.

Source: Devlin et al. (2019).
"""

from typing import Any

from torch import nn

from companion.bert import (
    Bert,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec
from companion.positions import Learned
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.settings import activation, refuse

ARCHITECTURES: dict[str, type[nn.Module]] = {
    "BertModel": Bert,
    "BertForMaskedLM": BertForMaskedLM,
    "BertForPreTraining": BertForPreTraining,
    "BertForSequenceClassification": BertForSequenceClassification,
    "BertForTokenClassification": BertForTokenClassification,
}


def build(hf: dict[str, Any]) -> nn.Module:
    """Our model for a ``config.json`` of BERT; ``architectures`` names the head.

    Raises:
        ValueError: naming a setting or a head that our parts do not have.
    """
    kind = architecture(hf, ARCHITECTURES)
    pooled = kind not in (BertForMaskedLM, BertForTokenClassification)
    return kind(config(hf, pooler=pooled, position=Learned(hf["max_position_embeddings"])))


def architecture(hf: dict[str, Any], known: dict[str, type[nn.Module]]) -> type[nn.Module]:
    """Our class for ``architectures``; without an entry, the first, which is the bare encoder."""
    names = hf.get("architectures") or [next(iter(known))]
    if names[0] not in known:
        raise ValueError(f"architecture {names[0]!r} is not supported; known: {', '.join(known)}")
    return known[names[0]]


def config(hf: dict[str, Any], *, pooler: bool, position: Learned) -> BertConfig:
    """The configuration that BERT and RoBERTa have in common."""
    refuse(hf, "is_decoder", "add_cross_attention")
    if hf.get("position_embedding_type", "absolute") != "absolute":
        raise ValueError(
            f"position_embedding_type={hf['position_embedding_type']!r} is not supported: "
            "only 'absolute' is"
        )
    if not hf.get("tie_word_embeddings", True):
        raise ValueError("tie_word_embeddings=False is not supported: the head reads the table")
    return BertConfig(
        vocab_size=hf["vocab_size"],
        d_model=hf["hidden_size"],
        n_layers=hf["num_hidden_layers"],
        attention=AttentionSpec(
            n_heads=hf["num_attention_heads"],
            dropout=hf.get("attention_probs_dropout_prob", 0.1),
        ),
        feed_forward=FeedForwardSpec(
            d_ff=hf["intermediate_size"], activation=activation(hf.get("hidden_act", "gelu"))
        ),
        norm=NormSpec(position="post", eps=hf.get("layer_norm_eps", 1e-12), embedding=True),
        position=position,
        n_token_types=hf.get("type_vocab_size", 2),
        pooler=pooler,
        n_labels=len(hf.get("id2label") or {0, 1}),  # two by default
        dropout=hf.get("hidden_dropout_prob", 0.1),
        pad_id=hf.get("pad_token_id") or 0,
    )


def encoder_map(model: Bert, ours: str = "") -> WeightMap:
    """The encoder's tensors; ``ours`` stands before our names."""
    found = {
        f"{ours}embedding.tokens.weight": Source("embeddings.word_embeddings.weight"),
        f"{ours}embedding.positions.table.weight": Source("embeddings.position_embeddings.weight"),
        f"{ours}token_types.weight": Source("embeddings.token_type_embeddings.weight"),
    }
    for kind in ("weight", "bias"):
        found[f"{ours}embedding.norm.{kind}"] = Source(f"embeddings.LayerNorm.{kind}")
        if model.pooler is not None:
            found[f"{ours}pooler.{kind}"] = Source(f"pooler.dense.{kind}")
        for i in range(model.config.n_layers):
            layer, theirs = f"{ours}layers.{i}", f"encoder.layer.{i}"
            attention, own = f"{layer}.self_attention", f"{theirs}.attention.self"
            attended = f"{theirs}.attention.output"
            feed_forward = f"{layer}.feed_forward"
            found |= {
                f"{attention}.q_proj.{kind}": Source(f"{own}.query.{kind}"),
                f"{attention}.k_proj.{kind}": Source(f"{own}.key.{kind}"),
                f"{attention}.v_proj.{kind}": Source(f"{own}.value.{kind}"),
                f"{attention}.out_proj.{kind}": Source(f"{attended}.dense.{kind}"),
                f"{layer}.residual_1.norm.{kind}": Source(f"{attended}.LayerNorm.{kind}"),
                f"{feed_forward}.up_proj.{kind}": Source(f"{theirs}.intermediate.dense.{kind}"),
                f"{feed_forward}.down_proj.{kind}": Source(f"{theirs}.output.dense.{kind}"),
                f"{layer}.residual_2.norm.{kind}": Source(f"{theirs}.output.LayerNorm.{kind}"),
            }
    return found


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found."""
    if isinstance(model, Bert):
        return encoder_map(model)
    encoder = model.bert
    assert isinstance(encoder, Bert)
    found = encoder_map(encoder, "bert.")
    predictions = "cls.predictions"
    if isinstance(model, BertForMaskedLM):
        found["masked.bias"] = Source(f"{predictions}.bias")
    for kind in ("weight", "bias"):
        if isinstance(model, BertForMaskedLM):
            found |= {
                f"masked.dense.{kind}": Source(f"{predictions}.transform.dense.{kind}"),
                f"masked.norm.{kind}": Source(f"{predictions}.transform.LayerNorm.{kind}"),
            }
        if isinstance(model, BertForPreTraining):
            found[f"next_sentence.{kind}"] = Source(f"cls.seq_relationship.{kind}")
        if isinstance(model, BertForSequenceClassification | BertForTokenClassification):
            found[f"classifier.{kind}"] = Source(f"classifier.{kind}")
    return found


def _copies(model: nn.Module) -> dict[str, str]:
    if not isinstance(model, BertForMaskedLM):
        return {}
    return {
        "cls.predictions.decoder.weight": "embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    }


FAMILY = Family(
    model_types=("bert",),
    build=build,
    weight_map=weight_map,
    renames=(
        (r"^bert\.", ""),
        (r"\.LayerNorm\.gamma$", ".LayerNorm.weight"),
        (r"\.LayerNorm\.beta$", ".LayerNorm.bias"),
    ),
    ignored=(r"embeddings\.(position_ids|token_type_ids)", r"cls\..*", r"pooler\..*"),
    copies=_copies,
)
