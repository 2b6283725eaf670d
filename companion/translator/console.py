"""What the command line prints as tables: decoding step by step, and scores."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.translator.evaluation import Result, Share
from companion.translator.scoring import MODEL, Scores
from companion.translator.translator import DecodingStep

# Where output goes to a file there is no width to fit; tables then keep their lines whole.
_FILE_WIDTH = 120


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
    """Exact match by case and by construction, then BLEU and chrF with their signatures."""
    table = Table(title=Text(name), title_justify="left", show_footer=True)
    table.add_column("sentences", footer="all")
    table.add_column("exact match", justify="right", footer=f"{result.exact.percent:.1f}%")
    table.add_column("count", justify="right", footer=str(result.exact.total))
    if len(result.by_case) > 1:
        _add_rows(table, result.by_case)
    table.add_section()
    _add_rows(table, result.by_construction)
    console.print(table)
    for label, metric in (("BLEU", result.bleu), ("chrF", result.chrf)):
        console.print(Text(f"{label} {metric.score:.1f}   {metric.signature}"), soft_wrap=True)


def _add_rows(table: Table, shares: Mapping[str, Share]) -> None:
    for name, share in shares.items():
        table.add_row(Text(name), f"{share.percent:.1f}%", str(share.total))


def show_scores(console: Console, scores: Scores) -> None:
    """All of a model's scores: ordinary sentences, hard cases, baselines."""
    show_result(console, "unseen sentences", scores.ordinary[MODEL])
    if scores.hard:
        console.print()
        show_result(console, "hard on purpose", scores.hard[MODEL])
    if len(scores.ordinary) > 1:
        console.print()
        show_comparison(console, scores.ordinary)


def show_comparison(console: Console, results: Mapping[str, Result]) -> None:
    """One row a system: the model beside its baselines."""
    table = Table(title=Text("beside baselines"), title_justify="left")
    table.add_column("system")
    for heading in ("exact match", "BLEU", "chrF"):
        table.add_column(heading, justify="right")
    for name, result in results.items():
        bleu, chrf = f"{result.bleu.score:.1f}", f"{result.chrf.score:.1f}"
        table.add_row(Text(name), f"{result.exact.percent:.1f}%", bleu, chrf)
    console.print(table)


def show_facts(console: Console, facts: Mapping[str, object]) -> None:
    """Two columns without lines: name and value."""
    table = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        table.add_row(Text(name), Text(str(value)))
    console.print(table)
