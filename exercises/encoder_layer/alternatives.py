"""Right answers that look different; each must pass."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

FIRST = "x = self.norm_1(x + self.self_attention(x, mask))"
BOTH = f"{FIRST}\n        return self.norm_2(x + self.feed_forward(x))"


def forward(code: str, body: str) -> None:
    """Another body of ``forward``."""
    variants.edit(code, (BOTH, body.strip().replace("\n", "\n    ")))


forward(
    "step-by-step",
    """
    residual = x
    x = self.self_attention(x, mask)
    x = self.norm_1(residual + x)
    residual = x
    x = self.feed_forward(x)
    return self.norm_2(residual + x)
""",
)
forward(
    "in-a-loop",
    """
    sublayers = (lambda h: self.self_attention(h, mask), self.feed_forward)
    for sublayer, norm in zip(sublayers, (self.norm_1, self.norm_2), strict=True):
        x = norm(torch.add(sublayer(x), x))
    return x
""",
)
forward(
    "functional",
    """
    def norm(h, layer):
        return F.layer_norm(h, layer.normalized_shape, layer.weight, layer.bias, layer.eps)

    widen, activation, narrow = self.feed_forward
    attended = norm(self.self_attention.forward(x, mask=mask) + x, self.norm_1)
    hidden = F.linear(attended, widen.weight, widen.bias).clamp(min=0)
    return norm(F.linear(hidden, narrow.weight, narrow.bias) + attended, self.norm_2)
""",
)
forward(
    "position-by-position",
    """
    mixed = self.self_attention(x, mask)
    rows = []
    for t in range(x.size(1)):
        row = self.norm_1(x[:, t] + mixed[:, t])
        rows.append(self.norm_2(row + self.feed_forward(row)))
    return torch.stack(rows, dim=1)
""",
)
