"""Draw the whole Transformer, `book/architecture.svg`: two stacks, from tokens to probabilities.

    python book/tools/architecture.py

The boxes of a layer are the sub-layers that the package's layers have; a test compares. Words stand
in one place, `WORDS`. The picture is 360 units wide, as wide as a phone.
"""

from html import escape
from pathlib import Path

BOOK = Path(__file__).resolve().parents[1]
INK, BLUE, VERMILION = "#6b7280", "#0072b2", "#d55e00"  # those of course/figures.py

# The sub-layers of a layer from the input up, as the package calls them.
ENCODER = ("self_attention", "feed_forward")
DECODER = ("self_attention", "cross_attention", "feed_forward")
WORDS = {
    "encoder": ("encoder layer", "× N"),
    "decoder": ("decoder layer", "× N"),
    "self_attention": "self-attention",
    "causal": "causal self-attention",
    "cross_attention": "cross-attention",
    "feed_forward": "feed-forward",
    "residual": "add and norm",
    "embedding": "embedding",
    "positions": "+ positions",
    "source": "source: 好久不见",
    "target": "so far: <bos> long time",
    "logits": "table read backward",
    "softmax": "softmax",
    "next": "next: no",
    "bert": "BERT keeps this",
    "gpt": "GPT keeps this,",
    "less": "less what is dashed",
}
WIDTH, HEIGHT, BOX, STEP = 360, 560, (124, 24), 34
COLUMNS = {"encoder": 92, "decoder": 264}
GROUND, FIRST = 530, 428  # of the tokens, and of a layer's first box


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{style}>{escape(words)}</text>'


def _box(x: float, y: float, words: str, extra: str = "") -> list[str]:
    width, height = BOX
    return [
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" '
        f'rx="4"{extra}/>',
        _text(x, y + 4, words),
    ]


def _arrow(*points: tuple[float, float]) -> str:
    """A line through the points with a head at the last one, which it reaches straight."""
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    ends = [(x - 5 * dx + s * 3 * dy, y - 5 * dy + s * 3 * dx) for s in (1, -1)]
    line = " L".join(f"{a:g} {b:g}" for a, b in points)
    head = f"M{ends[0][0]:g} {ends[0][1]:g} L{x:g} {y:g} L{ends[1][0]:g} {ends[1][1]:g}"
    return f'<path d="M{line} {head}"/>'


def rows(stack: str) -> list[tuple[str, float]]:
    """A layer's boxes from below, with their heights: each sub-layer, then its frame's end."""
    names = [n for part in (DECODER if stack == "decoder" else ENCODER) for n in (part, "residual")]
    return [(name, FIRST - STEP * i) for i, name in enumerate(names)]


def _stack(stack: str) -> list[str]:
    """One column: the layer with its residual connections, and the frame around it."""
    x, half = COLUMNS[stack], BOX[1] / 2
    side = -1 if stack == "encoder" else 1
    drawn, layer = [], rows(stack)
    for i, (name, y) in enumerate(layer):
        dashed = stack == "decoder" and i in (2, 3)
        words = WORDS["causal" if (stack, i) == ("decoder", 0) else name]
        drawn += _box(x, y, words, ' stroke-dasharray="4 3"' if dashed else "")
        drawn.append(_arrow((x, y + STEP - half), (x, y + half)))
        if name == "residual":  # what went into the sub-layer goes around it
            below, edge = y + 2 * STEP - half - 5, x + side * BOX[0] / 2
            out = edge + side * 10
            drawn.append(_arrow((x, below), (out, below), (out, y), (edge, y)))
    top, bottom = layer[-1][1] - half - 8, FIRST + half + 13
    width = BOX[0] + 34
    left = x - width / 2 + side * 4
    drawn.append(
        f'<rect x="{left:g}" y="{top:g}" width="{width}" height="{bottom - top:g}" rx="8" '
        f'stroke-width="0.8"/>'
    )
    name, times = WORDS[stack]
    drawn.append(_text(x - 7, top - 7, name, "small end"))
    drawn.append(_text(x + 7, top - 7, times, "small start"))
    return drawn


def _inputs(stack: str) -> list[str]:
    x, half = COLUMNS[stack], BOX[1] / 2
    return [
        _text(x, GROUND + 14, WORDS["source" if stack == "encoder" else "target"], "small"),
        _arrow((x, GROUND), (x, GROUND - 16)),
        *_box(x, GROUND - 28, WORDS["embedding"]),
        _arrow((x, GROUND - 28 - half), (x, GROUND - 54)),
        _text(x, GROUND - 58, WORDS["positions"], "small"),
    ]


def _outputs() -> list[str]:
    x, half = COLUMNS["decoder"], BOX[1] / 2
    top = rows("decoder")[-1][1] - half - 22
    drawn = [_arrow((x, top + 14), (x, top - 12)), *_box(x, top - 12 - half, WORDS["logits"])]
    drawn += [_arrow((x, top - 36), (x, top - 46)), *_box(x, top - 46 - half, WORDS["softmax"])]
    return [
        *drawn,
        _arrow((x, top - 70), (x, top - 82)),
        _text(x, top - 87, WORDS["next"], "small"),
    ]


def _memory() -> str:
    """From the top of the encoder to the decoder's cross-attention."""
    x, half = COLUMNS["encoder"], BOX[1] / 2
    top = rows("encoder")[-1][1] - half - 8
    y = dict(rows("decoder"))["cross_attention"]
    middle, edge = (x + COLUMNS["decoder"]) / 2, COLUMNS["decoder"] - BOX[0] / 2
    return _arrow((x, top), (x, top - 26), (middle, top - 26), (middle, y), (edge, y))


def _cuts() -> list[str]:
    """The two halves that became models of their own."""
    top = rows("decoder")[-1][1] - 138
    return [
        f'<rect x="3" y="{top:g}" width="168" height="{HEIGHT - top - 4:g}" rx="10" '
        f'stroke="{BLUE}" stroke-width="2.5"/>',
        f'<rect x="182" y="{top:g}" width="175" height="{HEIGHT - top - 4:g}" rx="10" '
        f'stroke="{VERMILION}" stroke-width="2.5"/>',
        _text(87, top - 8, WORDS["bert"]),
        _text(269, top - 22, WORDS["gpt"]),
        _text(269, top - 8, WORDS["less"]),
    ]


def svg() -> str:
    """The picture."""
    style = (
        f"text {{ font: 12px sans-serif; text-anchor: middle; fill: {INK}; stroke: none }} "
        ".small { font-size: 11px } .end { text-anchor: end } .start { text-anchor: start }"
    )
    top = rows("decoder")[-1][1] - 176
    box = f"0 {top:g} {WIDTH} {HEIGHT - top:g}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">',
            f"<style>{style}</style>",
            f'<g fill="none" stroke="{INK}" stroke-width="1.2">',
            *_cuts(),
            *(part for stack in COLUMNS for part in (*_stack(stack), *_inputs(stack))),
            _memory(),
            *_outputs(),
            "</g>",
            "</svg>",
            "",
        ]
    )


def main() -> None:
    """Write the picture."""
    (BOOK / "architecture.svg").write_text(svg(), encoding="utf-8")
    print("wrote book/architecture.svg")


if __name__ == "__main__":
    main()
