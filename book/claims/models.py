"""Claims about whole models, their training, and what is known of them."""

import torch
import torch.nn.functional as F

from claims.claim import Values, claim
from companion.accounting import on_meta
from companion.gpt import GPT
from companion.layers import Residual
from companion.objectives import label_smoothed_cross_entropy
from companion.presets import gpt2, llama_7b
from companion.shape_trace import shape_trace


@claim(
    "GPT-2's shapes end with the twelfth block",
    verdict="Incomplete",
    holds=r"""
    Two rows follow: one more LayerNorm, since a pre-norm stream leaves the last block
    unnormalised, and the logits, (1, 1024, <vocabulary>).
    """,
    shown="traced by the package",
    where="{ref}`shape-table`",
)
def shapes() -> Values:
    trace = shape_trace(on_meta(GPT, gpt2()), torch.zeros(1, 1024, dtype=torch.long))
    assert [stage.name for stage in trace.stages][-3:] == ["11 more layers", "LayerNorm", "logits"]
    assert trace.stages[-1].shape[:2] == (1, 1024)
    return {"vocabulary": trace.stages[-1].shape[2]}


@claim(
    "LLaMA 7B adds to its stream 32 times, once a layer",
    verdict="Twice a layer",
    holds=r"""
    A layer holds two sub-layers, each with its own residual connection: <layers> layers are
    <sub_layers> additions. A decoder layer with cross-attention holds three.
    """,
    shown="counted",
    where="{ref}`shape-table`",
)
def sub_layers() -> Values:
    model = on_meta(GPT, llama_7b())
    found = sum(isinstance(module, Residual) for module in model.modules())
    return {"layers": len(model.layers), "sub_layers": found}


@claim(
    "Label smoothing improves the model",
    verdict="Depends on the measure",
    holds=r"""
    It helped accuracy and BLEU {cite:p}`vaswani2017attention`, and it *hurts* perplexity: with
    $\varepsilon = 0.1$ and 37,000 tokens, the loss is lowest at a perplexity of
    <perplexity:.4f>, however easy the text. And there are two of them: PyTorch spreads
    $\varepsilon$ over all $V$ classes, *The Annotated Transformer* over $V - 2$.
    """,
    shown="cited; both losses computed",
    where="{ref}`label-smoothing`",
)
def label_smoothing() -> Values:
    n, eps, right, pad = 8, 0.1, 3, 0
    logits = torch.randn(1, n, generator=torch.Generator().manual_seed(0))
    target, log_probabilities = torch.tensor([right]), logits.log_softmax(dim=-1)[0]

    def loss(share: torch.Tensor) -> torch.Tensor:
        share[right] += 1 - eps
        return -(share * log_probabilities).sum()

    over_all = loss(torch.full((n,), eps / n))
    others = torch.full((n,), eps / (n - 2))
    others[[pad, right]] = 0.0
    assert torch.allclose(over_all, F.cross_entropy(logits, target, label_smoothing=eps))
    ours = label_smoothed_cross_entropy(logits, target, ignore_index=pad, smoothing=eps)
    assert torch.allclose(over_all, ours)
    assert not torch.allclose(over_all, loss(others), atol=0.01)
    return {"perplexity": 1 / (1 - eps + eps / 37_000)}


@claim(
    "GPT-4, Claude and Gemini are decoder-only",
    verdict="Partly known",
    holds=r"""
    OpenAI gives no details of GPT-4's architecture {cite:p}`openai2023gpt4`, and of Claude we
    know no description. Of Gemini 1.0 its makers say that it builds on *Transformer decoders*,
    of 1.5 that it is a mixture of experts {cite:p}`gemini2023family,gemini2024million`; widths
    and numbers of layers are not given. For the first two *decoder-only* is a plausible guess,
    and a guess is not a citation.
    """,
    shown="cited",
    where="{ref}`undisclosed`",
)
def undisclosed() -> Values:
    return {}
