"""Tables of text: aligned for the terminal, as Markdown for notebooks."""

from collections.abc import Sequence

Row = Sequence[str]


def aligned_table(header: Row, rows: Sequence[Row]) -> str:
    """Columns padded to their widest cell, two blanks apart."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    )


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """A pipe table; cells must not hold pipes."""
    lines = (header, ["---"] * len(header), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
