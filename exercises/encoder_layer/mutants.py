"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

FIRST = "x = self.norm_1(x + self.self_attention(x, mask))"
SECOND = "x = self.norm_2(x + self.feed_forward(x))"
INDENT = "\n        "


def forward(code: str, *lines: str) -> None:
    """Other lines in the place of both; they leave their result in ``x``."""
    right = FIRST + INDENT + SECOND.replace("x =", "return", 1)
    variants.edit(code, (right, INDENT.join((*lines, "return x"))))


# --- the norms
forward(
    "pre-norm",
    "x = x + self.self_attention(self.norm_1(x), mask)",
    "x = x + self.feed_forward(self.norm_2(x))",
)
forward("pre-norm-attention", "x = x + self.self_attention(self.norm_1(x), mask)", SECOND)
forward("pre-norm-feed-forward", FIRST, "x = x + self.feed_forward(self.norm_2(x))")
forward("one-norm-for-both", FIRST, SECOND.replace("norm_2", "norm_1"))
forward("norms-exchanged", FIRST.replace("norm_1", "norm_2"), SECOND.replace("norm_2", "norm_1"))
forward("no-first-norm", "x = x + self.self_attention(x, mask)", SECOND)
forward("no-second-norm", FIRST, "x = x + self.feed_forward(x)")
forward("no-norms", "x = x + self.self_attention(x, mask)", "x = x + self.feed_forward(x)")
forward(
    "norms-on-the-branch",
    "x = x + self.norm_1(self.self_attention(x, mask))",
    "x = x + self.norm_2(self.feed_forward(x))",
)
forward("norm-before-too", FIRST.replace("(x, mask)", "(self.norm_1(x), mask)"), SECOND)
forward(
    "both-norms-at-the-end",
    "x = x + self.self_attention(x, mask)",
    "x = self.norm_2(self.norm_1(x + self.feed_forward(x)))",
)

# --- the residuals
forward("no-attention-residual", FIRST.replace("x + ", ""), SECOND)
forward("no-feed-forward-residual", FIRST, SECOND.replace("x + ", ""))
forward("no-residuals", FIRST.replace("x + ", ""), SECOND.replace("x + ", ""))
forward("residual-from-the-start", "start = x", FIRST, SECOND.replace("x + ", "start + "))
forward("residual-after-the-norm", "x = x + self.norm_1(x + self.self_attention(x, mask))", SECOND)
forward(
    "one-residual-around-both",
    "x = self.norm_2(x + self.feed_forward(self.norm_1(self.self_attention(x, mask))))",
)
forward("residual-detached", FIRST.replace("x + ", "x.detach() + "), SECOND)

# --- the sublayers
forward("feed-forward-first", SECOND.replace("norm_2", "norm_1"), FIRST.replace("norm_1", "norm_2"))
forward(
    "feed-forward-of-the-start",
    "start = x",
    FIRST,
    SECOND.replace("feed_forward(x)", "feed_forward(start)"),
)
forward(
    "in-parallel",
    "x = self.norm_2(self.norm_1(x + self.self_attention(x, mask) + self.feed_forward(x)))",
)
forward("no-attention", "x = self.norm_1(x)", SECOND)
forward("no-feed-forward", FIRST, "x = self.norm_2(x)")
forward("attention-only", FIRST)
forward(
    "attention-twice",
    FIRST.replace(
        "self.self_attention(x, mask)", "self.self_attention(self.self_attention(x, mask), mask)"
    ),
    SECOND,
)
forward(
    "feed-forward-twice",
    FIRST,
    SECOND.replace("self.feed_forward(x)", "self.feed_forward(self.feed_forward(x))"),
)
forward("whole-layer-twice", FIRST, SECOND, FIRST, SECOND)
forward("relu-at-the-end", FIRST, SECOND, "x = x.relu()")
forward(
    "attends-over-batch", FIRST.replace("(x, mask)", "(x.transpose(0, 1)).transpose(0, 1)"), SECOND
)
forward("mask-ignored", FIRST.replace(", mask", ""), SECOND)
forward("mask-inverted", FIRST.replace("mask", "None if mask is None else ~mask"), SECOND)
forward("mask-on-queries", FIRST.replace("mask", "None if mask is None else mask.mT"), SECOND)
forward(
    "padding-zeroed",
    "if mask is not None:",
    "    x = x * mask[:, 0, 0, :, None]",
    FIRST.replace(", mask", ""),
    SECOND,
)

# --- the contract
forward("returns-pair", FIRST, SECOND, "return x, mask")
forward("writes-into-x", "x += self.self_attention(x, mask)", "x = self.norm_1(x)", SECOND)
forward(
    "dropout-left-on",
    FIRST,
    SECOND.replace("self.feed_forward(x)", "F.dropout(self.feed_forward(x), 0.1)"),
)
forward("float32-result", FIRST, SECOND, "x = x.float()")
