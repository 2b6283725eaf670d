"""Claims about masks and what the decoder may see."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from claims.claim import Values, claim
from companion.attention import scaled_dot_product_attention
from companion.capture import Capture
from companion.masks import causal_mask, prefix_mask


def _weights(mask: Tensor) -> Tensor:
    """The weights that equal scores get under ``mask``."""
    n, capture = mask.shape[-1], Capture()
    same = torch.zeros(n, 1)
    scaled_dot_product_attention(same, same, same, mask=mask, capture=capture)
    return capture["weights"]


def _refused(masking: Callable[[], Tensor]) -> bool:
    """Whether it raises an error."""
    try:
        masking()
    except RuntimeError:
        return True
    return False


@claim(
    "Hidden scores are set to $-10^9$",
    verdict="Two traps",
    holds=r"""
    In float16 there is no such number: `masked_fill` raises an error, and converted to the dtype
    it is $-\infty$. And in a row where *everything* is hidden, such as the first of a causal mask
    where padding stands on the left, $-10^9$ hides nothing: the weights are uniform. With
    $-\infty$ a plain softmax gives NaN there; PyTorch's fused attention, in the versions this
    course runs on, gives zeros, and so does `companion`, with finite gradients.
    """,
    shown="all of them run",
    where="{ref}`masks`, {ref}`mask-traps`",
)
def minus_a_billion() -> Values:
    hidden, scores = torch.zeros(1, 3, dtype=torch.bool), torch.tensor([[3.0, 1.0, 2.0]])
    folklore = scores.masked_fill(~hidden, -1e9).softmax(dim=-1)
    assert torch.allclose(folklore, torch.full((1, 3), 1 / 3))
    assert scores.masked_fill(~hidden, -torch.inf).softmax(dim=-1).isnan().all()
    assert torch.tensor(-1e9).half() == -torch.inf
    assert _refused(lambda: scores.half().masked_fill(~hidden, -1e9))
    query, key = torch.ones(1, 1, 1, 2), torch.ones(1, 1, 3, 2)
    assert (F.scaled_dot_product_attention(query, key, key, attn_mask=hidden) == 0).all()
    query.requires_grad_()
    ours = scaled_dot_product_attention(query, key, key, mask=hidden)
    ours.sum().backward()
    assert (ours == 0).all()
    assert query.grad is not None
    assert query.grad.isfinite().all()
    return {}


@claim(
    "True in a mask means *masked*",
    verdict="It depends",
    holds=r"""
    In `nn.MultiheadAttention` it does. In `F.scaled_dot_product_attention`, of the same
    library, True means *may attend*, and so it does in this course. The wrong one raises no
    error; the model looks at exactly what it should not see.
    """,
    shown="both run on the same mask",
    where="{ref}`mask-convention`, {ref}`mask-conventions`",
)
def true_means() -> Values:
    torch.manual_seed(0)
    x, mask = torch.randn(1, 3, 4), torch.tensor([[True, True, False]])
    layer = nn.MultiheadAttention(4, 1, batch_first=True)
    _, weights = layer(x, x, x, key_padding_mask=mask)
    assert (weights[0, :, 2] == 1).all()  # True hides the first two
    functional = F.scaled_dot_product_attention(x, x, x, attn_mask=mask[:, None])
    ours = scaled_dot_product_attention(x, x, x, mask=mask[:, None])
    only_two = scaled_dot_product_attention(x, x[:, :2], x[:, :2])
    assert torch.allclose(functional, ours)
    assert torch.allclose(ours, only_two)
    return {}


@claim(
    "The mask holds $-\\infty$ and 0",
    verdict="Say which",
    holds=r"""
    So promises a docstring in the Chinese study notes; the code below it returns 1 for hidden
    and 0. Other notes in the same collection hide where the mask is 0. Each is consistent with
    itself. Mixed, the first position sees only the future and the last, with everything hidden,
    sees everything, and no error is raised.
    """,
    shown="the mask of one given to the attention of the other",
    where="{ref}`causal-mask`, {ref}`mask-conventions`",
)
def docstring() -> Values:
    theirs = torch.from_numpy(np.triu(np.ones((5, 5)), k=1))
    mixed = torch.zeros(5, 5).masked_fill(theirs == 0, -1e9).softmax(dim=-1)
    assert mixed[0].tolist() == [0, 0.25, 0.25, 0.25, 0.25]
    assert torch.allclose(mixed[4], torch.full((5,), 0.2))
    return {}


@claim(
    "A causal mask over equal scores gives rows such as 0.3, 0.3, 0.4",
    verdict="Wrong",
    holds=r"""
    Equal scores stay equal. The third row has <third:.4f> three times and the fourth
    <fourth:.4f> four times; softmax divides by what is left and prefers nobody. For 0.3, 0.3,
    0.4 the third score would have to be larger by $\ln \tfrac43 =$ <gap:.4f>.
    """,
    shown="computed",
    where="{ref}`causal-mask`",
)
def causal_rows() -> Values:
    weights, gap = _weights(causal_mask(5)), float(np.log(4 / 3))
    assert torch.allclose(weights[2], torch.tensor([1, 1, 1, 0, 0]) / 3)
    assert torch.allclose(weights[3], torch.tensor([1, 1, 1, 1, 0]) / 4)
    uneven = torch.tensor([0.0, 0.0, gap]).softmax(dim=-1)
    assert torch.allclose(uneven, torch.tensor([0.3, 0.3, 0.4]))
    return {"third": weights[2, 0].item(), "fourth": weights[3, 0].item(), "gap": gap}


@claim(
    "ChatGLM is a causal decoder",
    verdict="Not the first version",
    holds=r"""
    It is built on GLM {cite:p}`du2022glm`, a prefix LM: the prompt is read in both directions,
    and only what is being written is causal. With a prompt of two tokens the first gives
    <first:.1f> to the second, where a causal mask gives it 0; from the third row on the two
    masks are the same.
    """,
    shown="cited; the mask drawn",
    where="{ref}`prefix-mask`",
)
def chatglm() -> Values:
    prefix, causal = _weights(prefix_mask(torch.tensor([2]), 5)[0, 0]), _weights(causal_mask(5))
    assert causal[0, 1] == 0
    assert torch.equal(prefix[2:], causal[2:])
    return {"first": prefix[0, 1].item()}
