"""Where the decoder looked while it wrote each token: a heat map a layer, heads averaged."""

from collections.abc import Iterable
from pathlib import Path

from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from companion.translator.errors import UserError
from companion.translator.translator import Alignment

# Looked for first: what systems and font packages bring along for Chinese.
_PREFERRED = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)
SUFFIXES = (".png", ".svg", ".pdf")
_INCH = 0.42  # of a cell


class PictureError(UserError, ValueError):
    """A file name whose suffix is no format that can be drawn."""


def draw_attention(alignment: Alignment, path: Path) -> list[str]:
    """Draw into `path` (its suffix gives the format); returns warnings for the user.

    Rows are the tokens written, from top to bottom, columns the tokens read; a row sums to 1. Where
    no installed font has the characters, labels are code points such as `U+597D`, with a warning.
    Raises PictureError, OSError.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PictureError(f"cannot draw {path}: the name must end in {', '.join(SUFFIXES)}")
    layers, _, n_target, n_source = alignment.weights.shape
    cells = layers * (n_source + 3) + 1
    figure = Figure(
        figsize=(max(cells * _INCH + 1, 4), (n_target + 3) * _INCH), layout="constrained"
    )
    FigureCanvasAgg(figure)
    font = find_font("".join([*alignment.source, *alignment.target]))
    family = {} if font is None else {"fontfamily": [font, "DejaVu Sans"]}
    source, target = (_labels(side, font) for side in (alignment.source, alignment.target))
    axes = figure.subplots(1, layers, squeeze=False)[0]
    for number, (panel, weights) in enumerate(
        zip(axes, alignment.weights.mean(dim=1), strict=True)
    ):
        image = panel.imshow(weights.numpy(), vmin=0, vmax=1, cmap="Blues", aspect="auto")
        panel.set_title(f"decoder layer {number + 1}", fontsize=10)
        panel.set_xticks(range(n_source), source, **family)
        panel.set_yticks(range(n_target), target if number == 0 else [""] * n_target, **family)
        panel.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False)
    axes[0].set_ylabel("written")
    figure.colorbar(image, ax=axes, label="attention (mean of heads)")
    figure.savefig(path, dpi=150)
    if font is not None:
        return []
    return [
        "no installed font has these Chinese characters, so the picture shows code points; "
        "install one (Debian: fonts-noto-cjk) and draw it again"
    ]


def find_font(text: str) -> str | None:
    """The name of an installed font that has every character of `text`, or None."""
    needed = {ord(character) for character in text if not character.isspace()}
    fonts = {entry.name: entry.fname for entry in reversed(font_manager.fontManager.ttflist)}
    # DejaVu comes with matplotlib and fills in Latin, so only the rest must be there.
    needed -= _characters(font_manager.findfont("DejaVu Sans"))
    if not needed:
        return "DejaVu Sans"
    order = [name for name in _PREFERRED if name in fonts]
    order += [name for name in sorted(fonts) if name not in _PREFERRED]
    return next((name for name in order if needed <= _characters(fonts[name])), None)


def _characters(path: str) -> set[int]:
    try:
        return set(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):  # a font file that cannot be read is no font for us
        return set()


def _labels(pieces: Iterable[str], font: str | None) -> list[str]:
    # A dollar sign would open a formula.
    pieces = [piece.replace("$", r"\$") for piece in pieces]
    if font is not None:
        return pieces
    known = _characters(font_manager.findfont("DejaVu Sans"))
    return [
        "".join(c if ord(c) in known else f"U+{ord(c):04X} " for c in piece).strip()
        for piece in pieces
    ]
