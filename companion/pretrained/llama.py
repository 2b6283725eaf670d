"""LLaMA and its kin as Hugging Face stores them: Llama 1 to 3.x, Qwen2, Mistral.

RMSNorm before each sub-layer, rotary positions in the half layout, SwiGLU, no biases except where
the configuration asks for them (Qwen2: queries, keys and values).

Sources: Touvron et al. (2023); Yang et al. (2024); Jiang et al. (2023).
"""

from typing import Any

from torch import nn

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec
from companion.gpt import GPT, GPTConfig
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.settings import activation, rotary


def build(hf: dict[str, Any]) -> GPT:
    """Our model for a ``config.json`` of Llama, Qwen2 or Mistral.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    return GPT(
        GPTConfig(
            vocab_size=hf["vocab_size"],
            d_model=hf["hidden_size"],
            n_layers=hf["num_hidden_layers"],
            attention=_attention(hf),
            feed_forward=FeedForwardSpec(
                d_ff=hf["intermediate_size"],
                activation=activation(hf["hidden_act"]),
                gated=True,
                bias=hf.get("mlp_bias", False),
            ),
            norm=NormSpec(kind="rms", eps=hf["rms_norm_eps"]),
            position=rotary(hf),
            tie_output=hf.get("tie_word_embeddings", False),
        )
    )


def _attention(hf: dict[str, Any]) -> AttentionSpec:
    bias = hf.get("attention_bias", False)
    return AttentionSpec(
        n_heads=hf["num_attention_heads"],
        n_kv_heads=hf.get("num_key_value_heads"),
        d_head=hf.get("head_dim"),
        bias=bias,
        qkv_bias=bias or hf["model_type"] == "qwen2",  # not in Qwen2's file: its code has it
        dropout=hf.get("attention_dropout", 0.0),
        window=_window(hf),
    )


def _window(hf: dict[str, Any]) -> int | None:
    """The sliding window, if the layers have one."""
    if hf["model_type"] == "mistral":
        return hf.get("sliding_window")
    if hf["model_type"] != "qwen2" or not hf.get("use_sliding_window", False):
        return None
    # Qwen2's layers have it from this one on.
    first = hf.get("max_window_layers", 28)
    if 0 < first < hf["num_hidden_layers"]:
        raise ValueError(
            f"max_window_layers={first} gives the window to some layers only, which is not "
            "supported: here all layers of a stack are equal"
        )
    return None if first else hf.get("sliding_window")


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found."""
    assert isinstance(model, GPT)
    found = {
        "embedding.tokens.weight": Source("embed_tokens.weight"),
        "norm.weight": Source("norm.weight"),
    }
    if model.output is not None:
        found["output.weight"] = Source("lm_head.weight")
    for i in range(model.config.n_layers):
        ours, theirs = f"layers.{i}", f"layers.{i}"
        attention, feed_forward = f"{ours}.self_attention", f"{ours}.feed_forward"
        found |= {
            f"{ours}.residual_1.norm.weight": Source(f"{theirs}.input_layernorm.weight"),
            f"{ours}.residual_2.norm.weight": Source(f"{theirs}.post_attention_layernorm.weight"),
        }
        for kind in ("weight", "bias"):
            found |= {
                f"{attention}.q_proj.{kind}": Source(f"{theirs}.self_attn.q_proj.{kind}"),
                f"{attention}.k_proj.{kind}": Source(f"{theirs}.self_attn.k_proj.{kind}"),
                f"{attention}.v_proj.{kind}": Source(f"{theirs}.self_attn.v_proj.{kind}"),
                f"{attention}.out_proj.{kind}": Source(f"{theirs}.self_attn.o_proj.{kind}"),
                f"{feed_forward}.gate_proj.{kind}": Source(f"{theirs}.mlp.gate_proj.{kind}"),
                f"{feed_forward}.up_proj.{kind}": Source(f"{theirs}.mlp.up_proj.{kind}"),
                f"{feed_forward}.down_proj.{kind}": Source(f"{theirs}.mlp.down_proj.{kind}"),
            }
    held = model.state_dict()  # which biases there are is the configuration's choice
    return {name: source for name, source in found.items() if name in held}


def _copies(model: nn.Module) -> dict[str, str]:
    assert isinstance(model, GPT)
    return {"lm_head.weight": "embed_tokens.weight"} if model.output is None else {}


FAMILY = Family(
    model_types=("llama", "qwen2", "mistral"),
    build=build,
    weight_map=weight_map,
    renames=((r"^model\.", ""),),
    ignored=(r"(layers\.\d+\.self_attn\.)?rotary_emb\.inv_freq",),
    copies=_copies,
)
