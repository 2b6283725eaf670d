"""BART as Hugging Face stores it: post-norm, a norm on the embeddings, learned positions.

Source: Lewis et al. (2020).
"""

from typing import Any

from torch import Tensor, nn

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.positions import Learned, PositionSpec
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.settings import activation, refuse
from companion.transformer import Transformer


def build(hf: dict[str, Any]) -> Transformer:
    """Our model for a ``config.json`` of BART.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    # Two rows of the table were once meant for the padding token.
    position = Learned(hf["max_position_embeddings"], offset=2)
    norm = NormSpec(position="post", embedding=hf.get("normalize_embedding", True))
    return Transformer(config(hf, position=position, norm=norm))


def config(
    hf: dict[str, Any], *, position: PositionSpec, norm: NormSpec, starts_with_pad: bool = False
) -> TransformerConfig:
    """The configuration that BART and Marian have in common.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    if not hf.get("tie_word_embeddings", True):
        raise ValueError(
            "tie_word_embeddings=False is not supported: versions of Hugging Face disagree on what "
            "that unties"
        )
    refuse(hf, "normalize_before", "add_final_layer_norm", "add_bias_logits")
    for name in ("attention_heads", "ffn_dim"):
        if hf[f"encoder_{name}"] != hf[f"decoder_{name}"]:
            raise ValueError(
                f"encoder_{name} and decoder_{name} differ: here both stacks are alike"
            )
    return TransformerConfig(
        source_vocab_size=hf["vocab_size"],
        target_vocab_size=hf.get("decoder_vocab_size") or hf["vocab_size"],
        d_model=hf["d_model"],
        n_encoder_layers=hf["encoder_layers"],
        n_decoder_layers=hf["decoder_layers"],
        attention=AttentionSpec(
            n_heads=hf["encoder_attention_heads"], dropout=hf.get("attention_dropout", 0.0)
        ),
        feed_forward=FeedForwardSpec(
            d_ff=hf["encoder_ffn_dim"], activation=activation(hf["activation_function"])
        ),
        norm=norm,
        position=position,
        dropout=hf.get("dropout", 0.1),
        share_embeddings=hf.get("share_encoder_decoder_embeddings", True),
        scale_embeddings=hf.get("scale_embedding", False),
        output_bias=True,
        pad_id=hf["pad_token_id"],
        starts_with_pad=starts_with_pad,
    )


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found; positions and embedding norms if there are any."""
    assert isinstance(model, Transformer)
    found = {"output_bias": Source("final_logits_bias", _first_row)}
    if model.config.share_embeddings:
        found["encoder.embedding.tokens.weight"] = Source("shared.weight")
    for stack, n_layers in (
        ("encoder", model.config.n_encoder_layers),
        ("decoder", model.config.n_decoder_layers),
    ):
        if not model.config.share_embeddings:
            table = Source(f"{stack}.embed_tokens.weight")
            found[f"{stack}.embedding.tokens.weight"] = table
        if isinstance(model.config.position, Learned):
            positions = Source(f"{stack}.embed_positions.weight")
            found[f"{stack}.embedding.positions.table.weight"] = positions
        if model.config.norm.embedding:
            for kind in ("weight", "bias"):
                norm = Source(f"{stack}.layernorm_embedding.{kind}")
                found[f"{stack}.embedding.norm.{kind}"] = norm
        for i in range(n_layers):
            found |= _layer(f"{stack}.layers.{i}", with_cross=stack == "decoder")
    return found


def _layer(name: str, *, with_cross: bool) -> WeightMap:
    """One layer; it is called the same on both sides."""
    attentions = [("self_attention", "self_attn")]
    if with_cross:
        attentions.append(("cross_attention", "encoder_attn"))
    last = f"{name}.residual_{len(attentions) + 1}.norm"
    found: WeightMap = {}
    for kind in ("weight", "bias"):
        found[f"{name}.feed_forward.up_proj.{kind}"] = Source(f"{name}.fc1.{kind}")
        found[f"{name}.feed_forward.down_proj.{kind}"] = Source(f"{name}.fc2.{kind}")
        found[f"{last}.{kind}"] = Source(f"{name}.final_layer_norm.{kind}")
        for j, (ours, theirs) in enumerate(attentions, start=1):
            norm = f"{name}.residual_{j}.norm.{kind}"
            found[norm] = Source(f"{name}.{theirs}_layer_norm.{kind}")
            for projection in ("q_proj", "k_proj", "v_proj", "out_proj"):
                source = Source(f"{name}.{theirs}.{projection}.{kind}")
                found[f"{name}.{ours}.{projection}.{kind}"] = source
    return found


def _first_row(tensor: Tensor) -> Tensor:
    """(1, vocab) → (vocab)."""
    return tensor[0]


def copies(model: nn.Module) -> dict[str, str]:
    """Tensors that are tied to the token table of either stack."""
    assert isinstance(model, Transformer)
    if not model.config.share_embeddings:
        return {"lm_head.weight": "decoder.embed_tokens.weight"}
    names = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight")
    return dict.fromkeys(names, "shared.weight")


FAMILY = Family(
    model_types=("bart",),
    build=build,
    weight_map=weight_map,
    renames=((r"^model\.", ""),),
    copies=copies,
)
