"""What the command line prints as tables: decoding step by step, and results.

The tables of `companion evaluate` are in `companion.translator.tables`.
"""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.translator.evaluation import Result
from companion.translator.translator import DecodingStep

# Where output goes to a file there is no width to fit; tables then keep their lines whole.
_FILE_WIDTH = 140


def make_console() -> Console:
    """A console on standard output, as it is now; wide enough for tables when it is no terminal."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_FILE_WIDTH)


def show_steps(console: Console, text: str, steps: Iterable[DecodingStep]) -> str:
    """A table of greedy decoding, one row a step; returns the translation."""
    table = Table(title=Text(text), title_justify="left")
    table.add_column("step", justify="right")
    table.add_column("written so far")
    for heading in ("most probable next", "second", "third"):
        table.add_column(heading)
    last = None
    for number, step in enumerate(steps, start=1):
        cells = [f"{piece}  {share:.3f}" for piece, share in step.candidates]
        table.add_row(str(number), Text(step.prefix), *map(Text, cells))
        last = step
    if last is None:
        return ""
    console.print(table)
    # The last step chose the end token, so its prefix is the whole text; see `Translator.steps`.
    return last.prefix


def show_result(console: Console, name: str, result: Result) -> None:
    """Exact match by construction, hardest first, then BLEU and chrF with their signatures."""
    table = Table(title=Text(name), title_justify="left", show_footer=True)
    table.add_column("construction", footer="all")
    table.add_column("exact match", justify="right", footer=f"{result.exact.percent:.1f}%")
    table.add_column("sentences", justify="right", footer=str(result.exact.total))
    for construction, share in result.hardest_first():
        table.add_row(Text(construction), f"{share.percent:.1f}%", str(share.total))
    console.print(table)
    for label, metric in (("BLEU", result.bleu), ("chrF", result.chrf)):
        console.print(Text(f"{label} {metric.score:.1f}   {metric.signature}"), soft_wrap=True)


def show_facts(console: Console, facts: Mapping[str, object]) -> None:
    """Two columns without lines: name and value."""
    table = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        table.add_row(Text(name), Text(str(value)))
    console.print(table)
