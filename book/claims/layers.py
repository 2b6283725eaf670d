"""Claims about feed-forward networks, norms and where they stand."""

import statistics

import torch
import torch.nn.functional as F
from course import experiments

from claims.claim import Values, claim
from companion.config import FeedForwardSpec, transformer_base
from companion.encoder_presets import bert_base
from companion.feed_forward import FeedForward
from companion.presets import gpt2


@claim(
    "The feed-forward network is called once for each token",
    verdict="Not so computed",
    holds=r"""
    It is one matrix product over all positions. A loop over the positions gives the same
    numbers, to twelve decimals, and is what hardware is slow at.
    """,
    shown="both run and compared",
    where="{ref}`position-wise`",
)
def one_product() -> Values:
    torch.manual_seed(0)
    network = FeedForward(64, FeedForwardSpec(d_ff=256)).double().eval()
    sentence = torch.randn(20, 64, dtype=torch.float64)
    loop = torch.stack([network(position) for position in sentence])
    assert torch.allclose(loop, network(sentence), rtol=0, atol=1e-12)
    return {}


@claim(
    "The feed-forward network is a bottleneck, $d \\to 4d \\to d$",
    verdict="The opposite",
    holds=r"""
    A bottleneck is narrow in the middle. This one goes <narrow> → <wide> → <narrow> in GPT-2
    small: an expansion (扩展), of the kind that {cite:t}`sandler2018mobilenetv2` call an inverted
    bottleneck.
    """,
    shown="shapes",
    where="{doc}`05_feed_forward`, *Wide in the middle*",
)
def bottleneck() -> Values:
    spec = gpt2().stack
    with torch.device("meta"):
        network, x = FeedForward(spec.d_model, spec.feed_forward), torch.empty(1, spec.d_model)
    inside, out = network.up_proj(x), network(x)
    assert x.shape == out.shape
    assert inside.shape[-1] == 4 * x.shape[-1]
    return {"narrow": x.shape[-1], "wide": inside.shape[-1]}


@claim(
    "LayerNorm divides by $\\sigma + \\varepsilon$",
    verdict="Wrong in two ways",
    holds=r"""
    The variance is the biased one (divided by $d$) and $\varepsilon$ stands inside the root.
    For $\mathbf x = (1, 0, 0, 0)$ the first component becomes <right:.4f>; with PyTorch's
    `std`, which divides by $d - 1$, it would be <unbiased:.4f>. For a thousandth of that vector
    the place of $\varepsilon$ decides: <inside:.4f> inside the root, <outside:.4f> outside.
    """,
    shown="computed, against `F.layer_norm`",
    where="{ref}`biased-variance`",
)
def layer_norm() -> Values:
    x, eps = torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=torch.float64), 1e-5

    def outside(x: torch.Tensor, correction: int) -> float:
        return float(((x - x.mean()) / (x.std(correction=correction) + eps))[0])

    def inside(x: torch.Tensor) -> float:
        return float(F.layer_norm(x, (4,), eps=eps)[0])

    by_hand = (x - x.mean()) / (x.var(correction=0) + eps).sqrt()
    assert abs(inside(x) - by_hand[0]) < 1e-12
    return {
        "right": inside(x),
        "unbiased": outside(x, correction=1),
        "inside": inside(x / 1000),
        "outside": outside(x / 1000, correction=0),
    }


@claim(
    "Normalisation works because it removes internal covariate shift",
    verdict="Not established",
    holds=r"""
    That was the motivation of {cite:t}`ioffe2015batch`. {cite:t}`santurkar2018how` put random
    shift back behind the norms, and training went nearly as well; {cite:t}`xu2019understanding`
    find that LayerNorm's gradients matter more than its normalised values. That it helps is
    beyond doubt. Why is still research.
    """,
    shown="cited",
    where="{doc}`06_residuals_and_normalization`, *What it is good for: an open question*",
)
def covariate_shift() -> Values:
    return {}


@claim(
    "The original Transformer is pre-norm",
    verdict="Wrong",
    holds=r"""
    The original, BERT {cite:p}`devlin2019bert` and GPT-1 {cite:p}`radford2018improving` are
    post-norm: the norm stands behind the residual sum. GPT-2 {cite:p}`radford2019language`
    moved it in front of the sub-layer and put one more behind the last layer. Much teaching
    code, *The Annotated Transformer* {cite:p}`rush2018annotated` for one, is pre-norm.
    """,
    shown="cited; both built",
    where="{ref}`pre-and-post`",
)
def original_norm() -> Values:
    assert transformer_base().norm.position == bert_base().norm.position == "post"
    assert gpt2().norm.position == "pre"
    return {}


@claim(
    "Pre-norm needs no warm-up",
    verdict="Supported",
    holds=r"""
    {cite:t}`xiong2020layer` derive it, and our runs agree. With 12 layers and no warm-up
    pre-norm reaches <pre_cold:.2f> nats a word and post-norm stays at <post_cold:.2f>, no
    better than knowing the word frequencies alone (<floor:.2f>). Two limits: pre-norm still
    ends a little better *with* warm-up at 6 and 12 layers, and at 2 layers post-norm is ahead,
    if by less than 0.2 nats.
    """,
    shown="trained: `book/experiments/norm_position.py`, three seeds, their ranges compared",
    where="{ref}`pre-and-post`",
)
def warm_up() -> Values:
    results = experiments.load("norm_position")["results"]
    floor = results["word_frequencies_loss"]
    losses: dict[tuple[str, str, int], list[float]] = {}
    for run in results["runs"]:
        key = (run["position"], run["warm_up"], run["depth"])
        losses.setdefault(key, []).append(run["loss"])

    assert all(len(seeds) >= 3 for seeds in losses.values())
    pre, post = losses["pre", "without", 12], losses["post", "without", 12]
    assert max(pre) < floor < min(post)
    for depth in (6, 12):
        assert max(losses["pre", "with warm-up", depth]) < min(losses["pre", "without", depth])
    for warm in ("with warm-up", "without"):
        shallow = zip(losses["post", warm, 2], losses["pre", warm, 2], strict=True)
        assert all(0 < pre - post < 0.2 for post, pre in shallow)
    return {
        "pre_cold": statistics.mean(pre),
        "post_cold": statistics.mean(post),
        "floor": floor,
    }
