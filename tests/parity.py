"""What the parity tests of the families have in common.

Tiny, randomly initialised Hugging Face models are saved as Hugging Face saves them, loaded by
``load_pretrained`` and compared: logits, hidden states of every layer, greedy continuations.
"""

import copy
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel

from companion.capture import Capture
from companion.generation import greedy
from companion.gpt import GPT
from companion.pretrained import load_pretrained

VOCAB = 97


def make(config: PreTrainedConfig, kind: Any = AutoModelForCausalLM) -> PreTrainedModel:
    """A model whose every parameter, norms and biases too, is away from where it started.

    Untouched, norms are the identity and biases zero: a map that swaps two of them would pass. The
    configuration is copied, because a model writes its dtype into it.
    """
    build = getattr(kind, "from_config", kind)  # one of the Auto classes, or the class itself
    model = build(copy.deepcopy(config)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def load(model: PreTrainedModel, folder: Path, dtype: torch.dtype = torch.float32) -> GPT:
    model.save_pretrained(folder)
    loaded = load_pretrained(folder, dtype=dtype)
    assert isinstance(loaded, GPT)
    assert not loaded.training
    return loaded


def error(found: Tensor, expected: Tensor) -> float:
    """The largest difference, relative to the largest value."""
    return ((found - expected).abs().max() / expected.abs().max()).item()


def errors(theirs: PreTrainedModel, ours: GPT, tokens: Tensor) -> dict[str, float]:
    """Of the logits (on both attention paths) and of every layer's hidden states."""
    with torch.no_grad():
        expected = theirs(tokens, output_hidden_states=True)
        capture = Capture()
        logits = {"logits": ours(tokens), "captured logits": ours(tokens, capture=capture)}
    # Hugging Face lists the embeddings, every layer but the last, and the last behind the norm.
    n_layers = ours.config.n_layers
    names = ["embedding", *(f"layers.{i}.output" for i in range(n_layers - 1)), "output"]
    found = {name: error(value, expected.logits) for name, value in logits.items()}
    for name, hidden in zip(names, expected.hidden_states, strict=True):
        found[name] = error(capture[name], hidden)
    return found


BOUNDS = {torch.float32: 1e-5, torch.float64: 1e-9}


def hold(case: str, dtype: torch.dtype, found: dict[str, float]) -> None:
    """Every error stays below its dtype's bound.

    With ``PARITY_TABLE`` set to a file (``make parity``) the largest one is written there as well,
    for the book's parity page.
    """
    worst = max(found, key=lambda name: found[name])
    assert found[worst] < BOUNDS[dtype], found
    if table := os.environ.get("PARITY_TABLE"):
        path = Path(table)
        rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        name = str(dtype).removeprefix("torch.")
        rows.setdefault(case, {})[name] = {"tensors": len(found), "error": f"{found[worst]:.0e}"}
        text = json.dumps(dict(sorted(rows.items())), indent=1, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")


def continuations(theirs: PreTrainedModel, ours: GPT, *, left_padded: bool) -> tuple[list, list]:
    """20 greedy tokens for three prompts, each with its cache."""
    valid = torch.ones(3, 7, dtype=torch.bool)
    if left_padded:
        valid[1, :4] = valid[2, :1] = False
    tokens = torch.randint(VOCAB, (3, 7)).masked_fill(~valid, 0)
    expected = theirs.generate(
        tokens,
        attention_mask=valid.long(),
        max_new_tokens=20,
        min_new_tokens=20,
        do_sample=False,
        pad_token_id=0,
        eos_token_id=VOCAB,
    )
    found = greedy(ours.start(tokens, valid=valid, max_new_tokens=20), eos_id=VOCAB)
    return found.sequences, expected[:, 7:].tolist()


@contextmanager
def norms_in_full_precision(model: nn.Module) -> Iterator[None]:
    """Hugging Face's RMS norms compute in float32 whatever the model's dtype: lift that cast."""

    def forward(self: nn.Module, x: Tensor) -> Tensor:
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(variance + self.variance_epsilon))

    kinds = {type(part) for part in model.modules() if hasattr(part, "variance_epsilon")}
    assert kinds
    originals = {kind: kind.forward for kind in kinds}
    for kind in kinds:
        kind.forward = forward
    try:
        yield
    finally:
        for kind, original in originals.items():
            kind.forward = original
