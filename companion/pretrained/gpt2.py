"""GPT-2 as Hugging Face stores it: learned positions, pre-norm, tanh-GELU, tied output.

Its linear layers are ``Conv1D``, whose weights are stored as (in, out): transposed. One of them
holds queries, keys and values side by side.

Source: Radford et al. (2019).
"""

from functools import partial
from typing import Any

from torch import Tensor, nn

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec
from companion.gpt import GPT, GPTConfig
from companion.positions import Learned
from companion.pretrained.family import Family, Source, WeightMap
from companion.pretrained.settings import activation, refuse


def build(hf: dict[str, Any]) -> GPT:
    """Our model for a ``config.json`` of GPT-2.

    Raises:
        ValueError: naming a setting that our parts do not have.
    """
    refuse(hf, "scale_attn_by_inverse_layer_idx", "add_cross_attention")
    width = hf["n_embd"]
    return GPT(
        GPTConfig(
            vocab_size=hf["vocab_size"],
            d_model=width,
            n_layers=hf["n_layer"],
            attention=AttentionSpec(
                n_heads=hf["n_head"],
                dropout=hf.get("attn_pdrop", 0.1),
                scale=None if hf.get("scale_attn_weights", True) else 1.0,
            ),
            feed_forward=FeedForwardSpec(
                d_ff=hf.get("n_inner") or 4 * width,
                activation=activation(hf.get("activation_function", "gelu_new")),
            ),
            norm=NormSpec(eps=hf.get("layer_norm_epsilon", 1e-5)),
            position=Learned(hf["n_positions"]),
            dropout=hf.get("resid_pdrop", 0.1),
            tie_output=hf.get("tie_word_embeddings", True),
        )
    )


def weight_map(model: nn.Module) -> WeightMap:
    """Where each of our tensors is found."""
    assert isinstance(model, GPT)
    found = {
        "embedding.tokens.weight": Source("wte.weight"),
        "embedding.positions.table.weight": Source("wpe.weight"),
        "norm.weight": Source("ln_f.weight"),
        "norm.bias": Source("ln_f.bias"),
    }
    if model.output is not None:
        found["output.weight"] = Source("lm_head.weight")
    for i in range(model.config.n_layers):
        ours, theirs = f"layers.{i}", f"h.{i}"
        attention, feed_forward = f"{ours}.self_attention", f"{ours}.feed_forward"
        for kind in ("weight", "bias"):
            joint = Source(f"{theirs}.attn.c_attn.{kind}")
            found |= {
                f"{ours}.residual_1.norm.{kind}": Source(f"{theirs}.ln_1.{kind}"),
                f"{ours}.residual_2.norm.{kind}": Source(f"{theirs}.ln_2.{kind}"),
                f"{attention}.q_proj.{kind}": Source(joint.name, partial(_third, index=0)),
                f"{attention}.k_proj.{kind}": Source(joint.name, partial(_third, index=1)),
                f"{attention}.v_proj.{kind}": Source(joint.name, partial(_third, index=2)),
                f"{attention}.out_proj.{kind}": Source(f"{theirs}.attn.c_proj.{kind}", _turned),
                f"{feed_forward}.up_proj.{kind}": Source(f"{theirs}.mlp.c_fc.{kind}", _turned),
                f"{feed_forward}.down_proj.{kind}": Source(f"{theirs}.mlp.c_proj.{kind}", _turned),
            }
    return found


def _turned(tensor: Tensor) -> Tensor:
    """(in, out) → (out, in); a bias stays as it is."""
    return tensor.T if tensor.ndim == 2 else tensor


def _third(tensor: Tensor, index: int) -> Tensor:
    """Queries, keys or values: that third of the outputs."""
    return _turned(tensor.chunk(3, dim=-1)[index])


def _copies(model: nn.Module) -> dict[str, str]:
    assert isinstance(model, GPT)
    return {"lm_head.weight": "wte.weight"} if model.output is None else {}


FAMILY = Family(
    model_types=("gpt2",),
    build=build,
    weight_map=weight_map,
    renames=((r"^transformer\.", ""),),
    ignored=(r"h\.\d+\.attn\.(bias|masked_bias)",),  # the causal mask, stored by old versions
    copies=_copies,
)
