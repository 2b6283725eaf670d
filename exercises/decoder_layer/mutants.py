"""Plausible wrong answers: the solution with one mistake each. Their words: text.toml."""

from pathlib import Path

from exercises.engine.exercise import Variants

variants = Variants(Path(__file__).with_name("solution.py"))

INDENT = "\n        "
OWN = "own = self.norm_1(x)"
SELF = "x = x + self.self_attention(own, own, mask)"
CROSS = "x = x + self.cross_attention(self.norm_2(x), memory, memory_mask)"
NETWORK = "x = x + self.feed_forward(self.norm_3(x))"
RIGHT = INDENT.join((OWN, SELF, CROSS, NETWORK.replace("x =", "return", 1)))


def forward(code: str, *lines: str) -> None:
    """Other lines in the place of all; they leave their result in ``x``."""
    variants.edit(code, (RIGHT, INDENT.join((*lines, "return x"))))


# --- the norms
forward(
    "post-norm",
    "x = self.norm_1(x + self.self_attention(x, x, mask))",
    "x = self.norm_2(x + self.cross_attention(x, memory, memory_mask))",
    "x = self.norm_3(x + self.feed_forward(x))",
)
forward(
    "one-norm-for-all",
    OWN,
    SELF,
    CROSS.replace("norm_2", "norm_1"),
    NETWORK.replace("norm_3", "norm_1"),
)
forward("second-norm-for-third", OWN, SELF, CROSS, NETWORK.replace("norm_3", "norm_2"))
forward(
    "norms-exchanged",
    OWN,
    SELF,
    CROSS.replace("norm_2", "norm_3"),
    NETWORK.replace("norm_3", "norm_2"),
)
forward("only-queries-normed", OWN, SELF.replace("own, own", "own, x"), CROSS, NETWORK)
forward("self-attention-unnormed", SELF.replace("own", "x"), CROSS, NETWORK)
forward("cross-attention-unnormed", OWN, SELF, CROSS.replace("self.norm_2(x)", "x"), NETWORK)
forward("feed-forward-unnormed", OWN, SELF, CROSS, NETWORK.replace("self.norm_3(x)", "x"))
forward("memory-normed", OWN, SELF, CROSS.replace(" memory,", " self.norm_2(memory),"), NETWORK)
forward("normed-at-the-end", OWN, SELF, CROSS, NETWORK, "x = self.norm_3(x)")
forward(
    "norms-on-the-branch",
    "x = x + self.norm_1(self.self_attention(x, x, mask))",
    "x = x + self.norm_2(self.cross_attention(x, memory, memory_mask))",
    "x = x + self.norm_3(self.feed_forward(x))",
)

# --- the residuals
forward("no-self-attention-residual", OWN, SELF.replace("x + ", ""), CROSS, NETWORK)
forward("no-cross-attention-residual", OWN, SELF, CROSS.replace("x + ", ""), NETWORK)
forward("no-feed-forward-residual", OWN, SELF, CROSS, NETWORK.replace("x + ", ""))
forward(
    "residual-from-the-normed",
    "x = self.norm_1(x)",
    SELF.replace("own", "x"),
    "x = self.norm_2(x)",
    CROSS.replace("self.norm_2(x)", "x"),
    "x = self.norm_3(x)",
    NETWORK.replace("self.norm_3(x)", "x"),
)
forward(
    "residual-from-the-start", "start = x", OWN, SELF, CROSS.replace("x + ", "start + "), NETWORK
)
forward("memory-added", OWN, SELF, CROSS + " + memory.mean(dim=1, keepdim=True)", NETWORK)
forward("residual-detached", OWN, SELF.replace("x + ", "x.detach() + "), CROSS, NETWORK)

# --- the sublayers
forward(
    "cross-attention-first",
    CROSS.replace("norm_2", "norm_1"),
    OWN.replace("norm_1", "norm_2"),
    SELF,
    NETWORK,
)
forward(
    "feed-forward-between",
    OWN,
    SELF,
    NETWORK.replace("norm_3", "norm_2"),
    CROSS.replace("norm_2", "norm_3"),
)
forward(
    "in-parallel",
    "start = x",
    OWN,
    SELF,
    CROSS.replace("norm_2(x)", "norm_2(start)"),
    NETWORK.replace("norm_3(x)", "norm_3(start)"),
)
forward("no-cross-attention", OWN, SELF, NETWORK)
forward("no-self-attention", CROSS, NETWORK)
forward("no-feed-forward", OWN, SELF, CROSS)
forward(
    "cross-attends-to-itself",
    OWN,
    SELF,
    "asking = self.norm_2(x)",
    "x = x + self.cross_attention(asking, asking)",
    NETWORK,
)
forward(
    "self-attends-to-memory",
    OWN,
    SELF.replace("own, own, mask", "own, memory, memory_mask"),
    CROSS,
    NETWORK,
)
forward(
    "memory-asks",
    OWN,
    SELF,
    CROSS.replace("self.norm_2(x), memory, memory_mask", "memory, self.norm_2(x)"),
    NETWORK,
)
forward(
    "same-attention-twice", OWN, SELF, CROSS.replace("cross_attention", "self_attention"), NETWORK
)
forward(
    "attentions-exchanged",
    OWN,
    SELF.replace("self_attention", "cross_attention"),
    CROSS.replace("cross_attention", "self_attention"),
    NETWORK,
)
forward("memory-detached", OWN, SELF, CROSS.replace(" memory,", " memory.detach(),"), NETWORK)

# --- the masks
forward("mask-ignored", OWN, SELF.replace(", mask", ""), CROSS, NETWORK)
forward("memory-mask-ignored", OWN, SELF, CROSS.replace(", memory_mask", ""), NETWORK)
forward(
    "masks-exchanged",
    OWN,
    SELF.replace("mask", "memory_mask"),
    CROSS.replace("memory_mask", "mask"),
    NETWORK,
)
forward("causal-mask-on-memory", OWN, SELF, CROSS.replace("memory_mask", "mask"), NETWORK)
forward(
    "mask-inverted", OWN, SELF.replace("mask", "None if mask is None else ~mask"), CROSS, NETWORK
)
forward(
    "mask-transposed",
    OWN,
    SELF.replace("mask", "None if mask is None else mask.mT"),
    CROSS,
    NETWORK,
)
forward(
    "own-causal-mask",
    OWN,
    SELF.replace("mask", "torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril()"),
    CROSS,
    NETWORK,
)

# --- the contract
forward("returns-pair", OWN, SELF, CROSS, NETWORK, "return x, memory")
forward("writes-into-x", OWN, SELF.replace("x = x +", "x +="), CROSS, NETWORK)
forward("float32-result", OWN, SELF, CROSS, NETWORK, "x = x.float()")
