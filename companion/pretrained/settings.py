"""Settings of Hugging Face's ``config.json`` in our terms."""

from typing import Any

from companion.rotary import Rotary
from companion.rotary_scaling import Interpolation, Llama3Scaling, RotaryScaling, YaRN

# Hugging Face's names for activations → ours. "gelu_fast" is the tanh form, multiplied out.
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}


def activation(name: str) -> str:
    """Our name for an activation function.

    Raises:
        ValueError: if we have none like it.
    """
    if name not in ACTIVATIONS:
        raise ValueError(f"no activation {name!r} here; known: {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]


def refuse(hf: dict[str, Any], *settings: str) -> None:
    """Settings that our parts do not have must be off.

    Raises:
        ValueError: naming the first that is on.
    """
    for name in settings:
        if hf.get(name):
            raise ValueError(
                f"{name}={hf[name]!r} is not supported: our parts have no such setting"
            )


def rotary(hf: dict[str, Any]) -> Rotary:
    """Rotary positions. Hugging Face permutes its files to the half layout.

    Newer files hold ``rope_parameters``, older ones ``rope_theta`` and ``rope_scaling``.

    Raises:
        ValueError: for a scaling that we do not have.
    """
    rope = (hf.get("rope_scaling") or {}) | (hf.get("rope_parameters") or {})
    trained = rope.get("original_max_position_embeddings", hf["max_position_embeddings"])
    return Rotary(
        # Some files give the length after scaling here, some the one before.
        max_seq_len=max(hf["max_position_embeddings"], int(rope.get("factor", 1) * trained)),
        base=float(rope.get("rope_theta", hf.get("rope_theta", 10_000.0))),
        fraction=rope.get("partial_rotary_factor", hf.get("partial_rotary_factor", 1.0)),
        scaling=_scaling(rope, trained),
    )


def _scaling(rope: dict[str, Any], trained: int) -> RotaryScaling | None:
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "default":
        return None
    if kind == "linear":
        return Interpolation(rope["factor"])
    if kind == "llama3":
        return Llama3Scaling(
            factor=rope["factor"],
            low_freq_factor=rope["low_freq_factor"],
            high_freq_factor=rope["high_freq_factor"],
            original_max_seq_len=trained,
        )
    if kind == "yarn":
        return _yarn(rope, trained)
    raise ValueError(
        f"rotary scaling {kind!r} is not supported; known are default, linear, llama3 and yarn "
        "(scalings that follow the current length would invalidate the keys in the cache)"
    )


def _yarn(rope: dict[str, Any], trained: int) -> YaRN:
    refuse(rope, "mscale", "mscale_all_dim")
    return YaRN(
        factor=rope["factor"],
        original_max_seq_len=trained,
        beta_fast=rope.get("beta_fast") or 32.0,
        beta_slow=rope.get("beta_slow") or 1.0,
        attention_factor=rope.get("attention_factor"),
        truncate=rope.get("truncate", True),
    )
