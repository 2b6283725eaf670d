"""The helpers that the chapters' cells import."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import matplotlib as mpl
import numpy as np
import pytest

from companion.attention import MultiHeadAttention, scaled_dot_product_attention

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture(scope="module")
def course() -> ModuleType:
    sys.path.insert(0, str(BOOK))
    try:
        return importlib.import_module("course")
    finally:
        sys.path.remove(str(BOOK))


@pytest.fixture
def axes():
    figure = mpl.figure.Figure()
    return figure.add_subplot()


def test_source_is_shown_as_it_stands_in_the_package_without_its_docstring(course: ModuleType):
    shown = course.show_source(scaled_dot_product_attention).data
    assert shown.startswith(
        "```python\n# companion/attention.py\ndef scaled_dot_product_attention("
    )
    assert shown.endswith("\n```")
    assert "Args:" not in shown
    whole = course.show_source(scaled_dot_product_attention, docstring=True).data
    assert "Args:" in whole
    assert len(whole) > len(shown)


def test_sources_of_one_module_name_it_once_and_methods_are_moved_to_the_left(course: ModuleType):
    shown = course.show_source(scaled_dot_product_attention, MultiHeadAttention._merge).data
    assert shown.count("# companion/attention.py") == 1
    assert "\n\n\ndef _merge(" in shown
    assert '"""' not in shown


def test_a_glued_value_is_a_record_that_myst_nb_reads(
    course: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    displayed = []
    monkeypatch.setattr(
        sys.modules["course.notebook"], "display", lambda *a, **k: displayed.append((a, k))
    )
    course.glue("share", "12%")
    ((data,), options) = displayed[0]
    prefix = "application/papermill.record/"
    assert data == {prefix + "text/plain": "12%"}
    assert options["metadata"] == {"scrapbook": {"name": "share", "mime_prefix": prefix}}


def test_a_label_is_romanised_where_no_font_has_chinese(
    course: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(course.figures, "CHINESE_FONTS", ("no such font",))
    assert course.label("见", "jian") == "jian"
    course.use_style()
    assert mpl.rcParams["font.family"] == ["DejaVu Sans"]
    monkeypatch.setattr(course.figures, "CHINESE_FONTS", ("no such font", "DejaVu Sans"))
    assert course.label("见", "jian") == "见"


def test_figures_have_no_background(course: ModuleType):
    course.use_style()
    assert mpl.rcParams["figure.facecolor"] == mpl.rcParams["axes.facecolor"] == "none"


def test_a_heatmap_writes_its_numbers_in_ink_that_stands_out(course: ModuleType, axes):
    course.heatmap(axes, np.array([[0.0, 1.0]]), rows=["a"], columns=["b", "c"])
    assert [(t.get_text(), t.get_color()) for t in axes.texts] == [
        ("0.00", "white"),
        ("1.00", "black"),
    ]


def test_a_heatmap_refuses_labels_that_do_not_fit(course: ModuleType, axes):
    with pytest.raises(ValueError, match="2 for its rows and 1 for its columns"):
        course.heatmap(axes, np.zeros((1, 2)), rows=["a", "b"], columns=["c"])
