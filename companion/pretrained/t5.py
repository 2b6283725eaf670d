"""T5 as Hugging Face stores it: versions 1.0 and 1.1, Flan-T5, mT5.

RMSNorm before each sub-layer, no biases, scores that are not scaled, one table of relative biases a
stack, which the first layer's file entry holds. Version 1.0 has ReLU, reads its table backward for
the output and divides by √d_model there; version 1.1 has gated GELU and an output matrix.

Source: Raffel et al. (2020), §2.1; Shazeer (2020).
"""

from typing import Any

from torch import nn

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.settings import activation
from companion.relative_positions import T5Buckets
from companion.transformer import Transformer


def build(hf: dict[str, Any]) -> Transformer:
    """Our model for a ``config.json`` of T5.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    tied = hf.get("tie_word_embeddings", True)
    return Transformer(
        TransformerConfig(
            source_vocab_size=hf["vocab_size"],
            target_vocab_size=hf["vocab_size"],
            d_model=hf["d_model"],
            n_encoder_layers=hf["num_layers"],
            n_decoder_layers=hf.get("num_decoder_layers") or hf["num_layers"],
            attention=AttentionSpec(
                n_heads=hf["num_heads"],
                d_head=hf["d_kv"],
                bias=False,
                scale=1.0,
                dropout=hf.get("dropout_rate", 0.1),
            ),
            feed_forward=_feed_forward(hf),
            norm=NormSpec(kind="rms", eps=hf.get("layer_norm_epsilon", 1e-6)),
            position=T5Buckets(
                n_buckets=hf.get("relative_attention_num_buckets", 32),
                max_distance=hf.get("relative_attention_max_distance", 128),
            ),
            dropout=hf.get("dropout_rate", 0.1),
            tie_output=tied,
            # Files of transformers 5 say so; before, "tied" meant "scaled" as well.
            scale_output=hf.get("scale_decoder_outputs", tied),
            scale_embeddings=False,
            pad_id=hf.get("pad_token_id") or 0,
            starts_with_pad=True,
        )
    )


def _feed_forward(hf: dict[str, Any]) -> FeedForwardSpec:
    projection = hf.get("feed_forward_proj", "relu")
    gate, _, name = projection.rpartition("-")
    if gate not in ("", "gated"):
        raise ValueError(f"feed_forward_proj={projection!r} is not supported")
    # "gated-gelu" was trained with the tanh form, whatever its name says.
    name = "gelu_new" if projection == "gated-gelu" else name
    return FeedForwardSpec(
        d_ff=hf["d_ff"], activation=activation(name), gated=gate == "gated", bias=False
    )


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found."""
    assert isinstance(model, Transformer)
    found = {"encoder.embedding.tokens.weight": Source("shared.weight")}
    if model.output is not None:
        found["output.weight"] = Source("lm_head.weight")
    for stack, n_layers, sublayers in (
        ("encoder", model.config.n_encoder_layers, ("SelfAttention",)),
        ("decoder", model.config.n_decoder_layers, ("SelfAttention", "EncDecAttention")),
    ):
        bias = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        found[f"{stack}.embedding.positions.table.weight"] = Source(bias)
        found[f"{stack}.norm.weight"] = Source(f"{stack}.final_layer_norm.weight")
        for i in range(n_layers):
            found |= _layer(f"{stack}.layers.{i}", f"{stack}.block.{i}.layer", sublayers)
            found |= _feed_forward_map(
                model.config.feed_forward.gated,
                f"{stack}.layers.{i}",
                f"{stack}.block.{i}.layer.{len(sublayers)}",
                residual=len(sublayers) + 1,
            )
    return found


def _layer(ours: str, theirs: str, sublayers: tuple[str, ...]) -> WeightMap:
    found: WeightMap = {}
    for j, name in enumerate(sublayers):
        attention = f"{ours}.{'cross' if name.startswith('EncDec') else 'self'}_attention"
        found[f"{ours}.residual_{j + 1}.norm.weight"] = Source(f"{theirs}.{j}.layer_norm.weight")
        for mine, letter in (("q_proj", "q"), ("k_proj", "k"), ("v_proj", "v"), ("out_proj", "o")):
            found[f"{attention}.{mine}.weight"] = Source(f"{theirs}.{j}.{name}.{letter}.weight")
    return found


def _feed_forward_map(gated: bool, ours: str, theirs: str, *, residual: int) -> WeightMap:
    dense = f"{theirs}.DenseReluDense"
    found = {
        f"{ours}.residual_{residual}.norm.weight": Source(f"{theirs}.layer_norm.weight"),
        f"{ours}.feed_forward.down_proj.weight": Source(f"{dense}.wo.weight"),
    }
    up = f"{ours}.feed_forward.up_proj.weight"
    if not gated:
        return found | {up: Source(f"{dense}.wi.weight")}
    gate = f"{ours}.feed_forward.gate_proj.weight"
    return found | {gate: Source(f"{dense}.wi_0.weight"), up: Source(f"{dense}.wi_1.weight")}


def _copies(model: nn.Module) -> dict[str, str]:
    assert isinstance(model, Transformer)
    tables = {f"{stack}.embed_tokens.weight": "shared.weight" for stack in ("encoder", "decoder")}
    return tables | ({"lm_head.weight": "shared.weight"} if model.output is None else {})


FAMILY = Family(
    model_types=("t5", "mt5"),
    build=build,
    weight_map=weight_map,
    # Saved by old versions and never used: no bias belongs to the attention over the encoder.
    ignored=(r"decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight",),
    copies=_copies,
)
