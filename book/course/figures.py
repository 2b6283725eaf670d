"""One look for every figure: readable on white and on black, for colour-blind readers, in Chinese.

The background is transparent and the ink a mid-grey, so the same picture serves light and dark
pages. Lines differ by dash and marker as well as by colour.
"""

from collections.abc import Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

INK = "#6b7280"
# Okabe and Ito's palette, the members with contrast enough on white and on black.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
# Perceived alike with and without colour vision (Nuñez, Anderton & Renslow, 2018).
SEQUENTIAL = "cividis"
# Both sides equally strong, no red beside green.
DIVERGING = "PuOr"
CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK JP",
)


def chinese_font() -> str | None:
    """The first installed font that has Chinese characters, or None."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in CHINESE_FONTS if name in installed), None)


def label(chinese: str, romanised: str) -> str:
    """``chinese`` where a font can draw it, else ``romanised``: never a row of empty boxes."""
    return chinese if chinese_font() else romanised


def use_style() -> None:
    """Set matplotlib up for the course. Call it once, in a chapter's first cell."""
    fonts = [name for name in ("DejaVu Sans", chinese_font()) if name]
    cycle = mpl.cycler(
        color=[BLUE, VERMILION, GREEN, PURPLE],
        linestyle=["-", "--", "-.", ":"],
        marker=["o", "s", "^", "D"],
    )
    mpl.rcParams.update(
        {
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "figure.figsize": (7.2, 3.4),
            "figure.dpi": 160,
            "figure.constrained_layout.use": True,
            "font.family": fonts,
            "font.size": 11,
            "axes.prop_cycle": cycle,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.unicode_minus": False,
            "legend.frameon": False,
            "grid.color": INK,
            "grid.alpha": 0.25,
            **dict.fromkeys(
                ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"),
                INK,
            ),
        }
    )


def heatmap(
    ax: Axes,
    matrix: np.ndarray,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    limits: tuple[float, float] = (0.0, 1.0),
    cmap: str = SEQUENTIAL,
    decimals: int | None = 2,
) -> AxesImage:
    """A matrix as coloured cells with its numbers written in them.

    Args:
        limits: values at the two ends of the colour map: the same for maps that are compared.
        decimals: how many to write in a cell; None writes nothing.

    Raises:
        ValueError: if the labels do not fit the matrix.
    """
    if matrix.shape != (len(rows), len(columns)):
        raise ValueError(
            f"a {matrix.shape} matrix needs as many labels, "
            f"got {len(rows)} for its rows and {len(columns)} for its columns"
        )
    image = ax.imshow(matrix, cmap=cmap, vmin=limits[0], vmax=limits[1], aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if decimals is not None:
        for (row, column), value in np.ndenumerate(matrix):
            ink = _readable_on(image.cmap(image.norm(value)))
            ax.text(column, row, f"{value:.{decimals}f}", ha="center", va="center", color=ink)
    return image


def colorbar(image: AxesImage, ax: Axes, text: str) -> None:
    """The scale of a heatmap, with what it measures."""
    bar = plt.colorbar(image, ax=ax, label=text)
    bar.outline.set_visible(False)


def _readable_on(rgba: tuple[float, ...]) -> str:
    """Black or white, whichever has more contrast (relative luminance of WCAG 2)."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
    luminance = float(np.dot(channels, (0.2126, 0.7152, 0.0722)))
    return "black" if luminance > 0.179 else "white"
