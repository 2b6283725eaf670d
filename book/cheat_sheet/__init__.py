"""The sheet of shapes: one page to print, every shape and number on it taken from the package.

The page ``book/cheat_sheet.md`` is written from here by ``book/tools/build_pages.py``.
"""

from pathlib import Path

from cheat_sheet.formulas import (
    Formula,
    cache_bytes,
    first_loss,
    flops,
    grouped,
    parameters,
    parameters_today,
)
from cheat_sheet.shapes import CACHE, LOSS, MASKS, MODEL, Row, measured, sizes, sizes_today

__all__ = ["CACHE", "LOSS", "MASKS", "MODEL", "measured", "page"]

TEMPLATE = Path(__file__).parent / "page.md"


def shapes(table: str, rows: tuple[Row, ...]) -> str:
    """A table of tensors: name, letters, numbers.

    Raises:
        AssertionError: if the package has another shape than the letters say.
    """
    numbers = sizes_today() | sizes() if table != "CACHE" else sizes_today()
    lines = ["| tensor | shape | here |", "|:--|:--|:--|"]
    for row, found in zip(rows, measured()[table], strict=True):
        shape = row.shape(numbers)
        if found != shape:
            raise AssertionError(f"{row.name} {row.letters}: {found} and not {shape}")
        here = str(shape).replace(",)", ")")
        lines.append(f"| {row.name} | `{row.letters}` | `{here}` |")
    return "\n".join(lines)


def formulas(header: str, rows: list[Formula]) -> str:
    """A table of formulas and their values.

    Raises:
        AssertionError: if the package counts something else than the formula gives.
    """
    lines = [f"| {header} | formula | here |", "|:--|:--|--:|"]
    lines += [f"| {row.name} | {row.formula} | {value(row):,} |" for row in rows]
    return "\n".join(lines)


def value(row: Formula) -> int:
    """The number of a formula, which the package must count too."""
    if row.by_hand != row.counted:
        raise AssertionError(f"{row.name}: {row.by_hand:,} by the formula, {row.counted:,} counted")
    return row.counted


def letters() -> str:
    """What the letters mean, and their values in the two examples."""
    one, today = sizes(), sizes_today()
    meaning = {
        "B": "sentences (`batch`)",
        "s, t": "positions of source and target",
        "n, m": "new tokens, all tokens so far",
        "d": "`d_model`",
        "h": "`n_heads`",
        "g": "`n_kv_heads`",
        "d_k": "`d_head`, mostly $d / h$",
        "d_ff": "`d_ff`",
        "N": "`n_layers`",
        "V": "`vocab_size`",
    }

    def cell(values: dict[str, int], names: str) -> str:
        found = [f"{values[x]:,}" for x in names.split(", ") if x in values]
        return ", ".join(found) or "–"

    rows = [f"| `{x}` | {m} | {cell(one, x)} | {cell(today, x)} |" for x, m in meaning.items()]
    return "\n".join(["| | | base | Llama 8B |", "|:--|:--|--:|--:|", *rows])


def page() -> str:
    """The sheet as MyST Markdown."""
    memory, today = cache_bytes(), parameters_today()
    parts = {
        "letters": letters(),
        "model": shapes("MODEL", MODEL),
        "cache": shapes("CACHE", CACHE),
        "masks": shapes("MASKS", MASKS),
        "loss": shapes("LOSS", LOSS),
        "parameters": formulas("parameters", parameters()),
        "flops": formulas("FLOPs", flops()),
        "cache_gib": f"{value(memory) / 2**30:g}",
        "cache_formula": memory.formula,
        "today": f"{value(today):,}",
        "today_formula": today.formula,
        "grouped": f"{value(grouped()):,}",
        "first_loss": f"{first_loss():.2f}",
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, part in parts.items():
        if f"<{name}>" not in text:
            raise ValueError(f"page.md has no place for <{name}>")
        text = text.replace(f"<{name}>", part)
    return text
