"""The attention picture has the right numbers, labels and fonts."""

from pathlib import Path

import pytest
import torch
from matplotlib import font_manager
from matplotlib.figure import Figure

from companion.translator import attention_figure
from companion.translator.attention_figure import PictureError, draw_attention, find_font
from companion.translator.translator import Alignment


@pytest.fixture
def alignment() -> Alignment:
    weights = torch.rand(2, 3, 3, 4, generator=torch.Generator().manual_seed(0)).softmax(-1)
    return Alignment(["好", "久", "$不", "见"], ["long", "time", "<eos>"], weights)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    seen: list[Figure] = []
    save = Figure.savefig

    def remember(figure: Figure, *args: object, **options: object) -> None:
        seen.append(figure)
        save(figure, *args, **options)

    monkeypatch.setattr(Figure, "savefig", remember)
    return seen


def only(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Only these of the installed fonts exist."""
    kept = [entry for entry in font_manager.fontManager.ttflist if entry.name in names]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", kept)


def test_it_draws_a_layer_a_panel_with_heads_averaged(
    alignment: Alignment, figures: list[Figure], tmp_path: Path
) -> None:
    draw_attention(alignment, tmp_path / "a.png")
    (figure,) = figures
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [panel.get_title() for panel in panels] == ["decoder layer 1", "decoder layer 2"]
    for panel, expected in zip(panels, alignment.weights.mean(dim=1), strict=True):
        drawn = torch.as_tensor(panel.images[0].get_array())
        torch.testing.assert_close(drawn, expected, check_dtype=False)
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["long", "time", "<eos>"]


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".PNG"])
def test_formats(alignment: Alignment, tmp_path: Path, suffix: str) -> None:
    draw_attention(alignment, tmp_path / f"a{suffix}")
    assert (tmp_path / f"a{suffix}").stat().st_size > 1000
    with pytest.raises(PictureError, match=r"a\.txt: the name must end in \.png"):
        draw_attention(alignment, tmp_path / "a.txt")


def test_without_a_chinese_font_labels_are_code_points_and_a_warning_says_so(
    alignment: Alignment,
    figures: list[Figure],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only(monkeypatch, "DejaVu Sans")
    (warning,) = draw_attention(alignment, tmp_path / "a.png")
    assert "no installed font" in warning
    assert "fonts-noto-cjk" in warning
    labels = [label.get_text() for label in figures[0].axes[0].get_xticklabels()]
    assert labels == ["U+597D", "U+4E45", r"\$U+4E0D", "U+89C1"]


def test_a_font_is_taken_for_its_characters_not_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    characters = {"DejaVu Sans": {ord("a")}, "Zhong": {ord("好")}, "SimHei": {ord("久")}}

    class Entry:
        def __init__(self, name: str) -> None:
            self.name = self.fname = name

    monkeypatch.setattr(font_manager.fontManager, "ttflist", [Entry(n) for n in characters])
    monkeypatch.setattr(font_manager, "findfont", lambda name: name)
    monkeypatch.setattr(attention_figure, "_characters", lambda path: characters[path])
    assert find_font("a好") == "Zhong"
    assert find_font("a 久") == "SimHei"
    assert find_font("a") == "DejaVu Sans"
    assert find_font("好久") is None
