"""Right answers that look different; each must pass."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

BODY = """\
own = self.norm_1(x)
        x = x + self.self_attention(own, own, mask)
        x = x + self.cross_attention(self.norm_2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm_3(x))"""


def forward(code: str, body: str) -> None:
    """Another body of ``forward``."""
    variants.edit(code, (BODY, body.strip().replace("\n", "\n    ")))


forward(
    "step-by-step",
    """
    residual = x
    hidden = self.norm_1(x)
    hidden = self.self_attention(x=hidden, memory=hidden, mask=mask)
    hidden = residual + hidden
    residual = hidden
    hidden = self.cross_attention(self.norm_2(hidden), memory, mask=memory_mask) + residual
    residual = hidden
    return self.feed_forward(self.norm_3(hidden)) + residual
""",
)
forward(
    "in-a-loop",
    """
    sublayers = (
        lambda h: self.self_attention(h, h, mask),
        lambda h: self.cross_attention(h, memory, memory_mask),
        self.feed_forward,
    )
    for sublayer, norm in zip(sublayers, (self.norm_1, self.norm_2, self.norm_3), strict=True):
        x = torch.add(sublayer(norm(x)), x)
    return x
""",
)
forward(
    "query-by-query",
    """
    own, rows = self.norm_1(x), []
    heard = x + self.self_attention(own, own, mask)
    for t in range(x.size(1)):
        row = heard[:, t : t + 1]
        readable = memory_mask
        if memory_mask is not None and memory_mask.size(-2) > 1:
            readable = memory_mask[..., t : t + 1, :]
        row = row + self.cross_attention(self.norm_2(row), memory, readable)
        rows.append(row + self.feed_forward(self.norm_3(row)))
    return torch.cat(rows, dim=1)
""",
)
forward(
    "sum-of-branches",
    """
    normed = F.layer_norm(x, x.shape[-1:], self.norm_1.weight, self.norm_1.bias)
    branches = [x, self.self_attention(normed, normed, mask)]
    branches.append(self.cross_attention(self.norm_2(sum(branches)), memory, memory_mask))
    branches.append(self.feed_forward(self.norm_3(sum(branches))))
    return torch.stack(branches).sum(dim=0)
""",
)
