"""The sheet of shapes: what stands on it is what the package has."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"


def _load() -> ModuleType:
    sys.path.insert(0, str(BOOK))
    try:
        import cheat_sheet
    finally:
        sys.path.remove(str(BOOK))
    return cheat_sheet


sheet = _load()
TABLES = {name: getattr(sheet, name) for name in ("MODEL", "CACHE", "MASKS", "LOSS")}


@pytest.fixture(scope="module")
def page() -> str:
    return (BOOK / "cheat_sheet.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_package_s_shapes(name: str, page: str):
    assert len(sheet.measured()[name]) == len(TABLES[name])
    assert sheet.shapes(name, TABLES[name]) in page, "run `make notebooks`"


@pytest.mark.parametrize("name", TABLES)
def test_a_wrong_shape_is_refused(name: str):
    first, *others = TABLES[name]
    wrong = (replace(first, letters=first.letters.replace("B", "d")), *others)
    with pytest.raises(AssertionError, match=r"\(2, .* and not \(\d{3,4}, "):
        sheet.shapes(name, wrong)


def test_the_letters_of_every_shape_are_explained(page: str):
    explained = set(re.findall(r"\w+", ",".join(re.findall(r"^\| `([^`]+)` \|", page, re.M))))
    used = {
        letter
        for rows in TABLES.values()
        for row in rows
        for letter in re.findall(r"[A-Za-z_]+", row.letters)
    }
    assert used <= explained


def formulas() -> list:
    return [
        *sheet.parameters(),
        *sheet.flops(),
        sheet.parameters_today(),
        sheet.cache_bytes(),
        sheet.grouped(),
    ]


@pytest.mark.parametrize("row", formulas(), ids=lambda row: row.name)
def test_a_formula_gives_what_the_package_counts(row, page: str):
    assert sheet.value(row) == row.by_hand == row.counted
    on_the_page = "1 GiB" if row.name == "cache" else f"{row.counted:,}"
    assert on_the_page in page
    with pytest.raises(AssertionError, match="by the formula"):
        sheet.value(replace(row, by_hand=row.by_hand + 1))


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("attention", lambda d, **_: 4 * d**2 + 4 * d),
        ("feed-forward", lambda d, f, **_: 2 * d * f + f + d),
        ("LayerNorm", lambda d, **_: 2 * d),
        ("table of tokens", lambda d, v, **_: v * d),
        ("encoder layer", lambda d, f, **_: 4 * d**2 + 2 * d * f + f + 9 * d),
        ("decoder layer", lambda d, f, **_: 8 * d**2 + 2 * d * f + f + 15 * d),
    ],
)
def test_the_formula_as_printed_is_the_one_computed(name: str, formula):
    row = next(row for row in sheet.parameters() if row.name == name)
    assert row.counted == formula(d=512, f=2048, v=37_000)


def test_no_place_in_the_template_is_left_empty(page: str):
    assert not re.search(r"<[a-z_]+>", page)
    template = (BOOK / "cheat_sheet" / "page.md").read_text(encoding="utf-8")
    assert len(re.findall(r"<[a-z_]+>", template)) > 10


def test_the_print_style_knows_the_page(page: str):
    """The style sheet finds the page by the id that Sphinx makes of its title."""
    title = re.search(r"^# (.+)$", page, re.M)[1]
    style = (BOOK / "assets" / "course.css").read_text(encoding="utf-8")
    assert f"#{title.lower().replace(' ', '-')} " in style.partition("@media print")[2]
