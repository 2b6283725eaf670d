"""Scores as tables: rows of cells once, printed in a terminal or written as Markdown.

Every function that makes a table returns a `Grid`; `companion evaluate` prints it, the model card
writes it, so that the two cannot tell different things.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.translator.alignment import AlignmentScores
from companion.translator.evaluation import Result
from companion.translator.scoring import MODEL, Scores
from companion.translator.systems import About

NONE = "–"


class Grid(NamedTuple):
    """A table: the first column is text, the others are numbers."""

    title: str
    headings: list[str]
    rows: list[list[str]]

    def markdown(self) -> str:
        """Without the title."""
        lines = [self.headings, ["---", *["---:"] * (len(self.headings) - 1)], *self.rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    def show(self, console: Console) -> None:
        """Print it, after an empty line."""
        table = Table(title=Text(self.title), title_justify="left")
        for number, heading in enumerate(self.headings):
            table.add_column(Text(heading), justify="right" if number else "left")
        for cells in self.rows:
            table.add_row(*map(Text, cells))
        console.print()
        console.print(table)


def comparison(scores: Scores) -> Grid:
    """One row a system: scores on ordinary sentences, what it is, what it cost."""
    rows = []
    for name, result in scores.ordinary.items():
        about = scores.systems[name]
        rows.append(
            [
                f"{name} (recorded)" if about.recorded else name,
                f"{result.exact.percent:.1f}%",
                f"{result.bleu.score:.1f}",
                f"{result.chrf.score:.1f}",
                *_cost(about),
            ]
        )
    headings = ["system", "exact match", "BLEU", "chrF", "parameters", "updates", "peak rate"]
    headings.append("CPU minutes")
    return Grid("beside peers and baselines", headings, rows)


def _cost(about: About) -> list[str]:
    minutes = about.processor_minutes
    return [
        NONE if about.parameters is None else f"{about.parameters:,}",
        NONE if about.updates is None else f"{about.updates:,}",
        NONE if about.learning_rate is None else f"{about.learning_rate:g}",
        NONE if minutes is None else f"{minutes:,.1f}",
    ]


def speed(scores: Scores) -> Grid:
    """How fast each system is."""
    rows = []
    for name, about in scores.systems.items():
        if about.speed is not None:
            tokens = about.speed.tokens_per_second
            rows.append(
                [
                    f"{name} (recorded)" if about.recorded else name,
                    f"{about.speed.sentences_per_second:,.1f}",
                    NONE if tokens is None else f"{tokens:,.0f}",
                    f"{about.speed.milliseconds:,.1f}",
                ]
            )
    headings = ["system", "sentences/s, batched", "tokens/s, batched", "ms, one alone (median)"]
    return Grid("speed", headings, rows)


def by_length(results: Mapping[str, Result]) -> Grid:
    """Exact match and BLEU of the model, BLEU of the others, by length of the source."""
    ours = results[MODEL]
    others = {name: result for name, result in results.items() if name != MODEL}
    rows = [
        [
            name,
            f"{part.exact.total:,}",
            f"{part.exact.percent:.1f}%",
            f"{part.bleu:.1f}",
            *(f"{result.by_length[name].bleu:.1f}" for result in others.values()),
        ]
        for name, part in ours.by_length.items()
    ]
    headings = ["characters", "sentences", "exact match", "BLEU", *(f"BLEU, {n}" for n in others)]
    return Grid("by length of the source", headings, rows)


def hard_cases(results: Mapping[str, Result]) -> Grid:
    """Exact match of every system, and the model's BLEU, by case."""
    headings = ["case", "sentences", *results, f"BLEU, {MODEL}"]
    rows = []
    for case, part in results[MODEL].by_case.items():
        found = [f"{result.by_case[case].exact.percent:.1f}%" for result in results.values()]
        rows.append([case, str(part.exact.total), *found, f"{part.bleu:.1f}"])
    return Grid("hard on purpose: exact match", headings, rows)


def compounds(scores: Scores) -> Grid:
    """Compound error at both levels, of what has learned: sentences, compounds with any error."""
    systems = [name for name in scores.compounds if scores.systems[name].architecture]
    headings = ["case", *(f"{name}: {level}" for name in systems for level in ("each", "any"))]
    rows = []
    for case in scores.compounds[MODEL]:
        errors = [scores.compounds[name][case] for name in systems]
        cells = [share for error in errors for share in (error.instances, error.compounds)]
        rows.append([case, *(f"{share.percent:.1f}%" for share in cells)])
    title = "compound error: share of sentences (each), of compounds wrong at least once (any)"
    return Grid(title, headings, rows)


def constructions(result: Result) -> Grid:
    """Exact match by construction, hardest first."""
    rows = [
        [name, f"{share.percent:.1f}%", str(share.total)] for name, share in result.hardest_first()
    ]
    return Grid("by kind of sentence", ["kind", "exact match", "sentences"], rows)


def alignment(scores: AlignmentScores) -> Grid:
    """AER by layer and head."""
    n_heads = max(map(len, scores.heads))
    rows = [
        [f"layer {number}", *(f"{rate:.2f}" for rate in rates), f"{average:.2f}"]
        for number, (rates, average) in enumerate(
            zip(scores.heads, scores.layers, strict=True), start=1
        )
    ]
    title = (
        f"alignment error rate, by the query that {scores.reading} the word "
        f"({scores.sentences:,} sentences, {scores.gold_links:,} gold links)"
    )
    return Grid(title, ["", *(f"head {h + 1}" for h in range(n_heads)), "heads averaged"], rows)


def signatures(result: Result) -> Iterable[str]:
    """What belongs below a table of scores: how BLEU and chrF were computed."""
    yield f"BLEU  {result.bleu.signature}"
    yield f"chrF  {result.chrf.signature}"


def show_scores(console: Console, scores: Scores, title: str) -> None:
    """All scores; the comparison last, where the eye is, with what makes it comparable."""
    ours = scores.ordinary[MODEL]
    console.print(Text(title), soft_wrap=True)
    if len(ours.by_construction) > 1:
        constructions(ours).show(console)
    if scores.hard:
        hard_cases(scores.hard).show(console)
    if scores.compounds:
        compounds(scores).show(console)
    by_length(scores.ordinary).show(console)
    speed(scores).show(console)
    comparison(scores).show(console)
    for line in notes(scores):
        console.print(Text(line), soft_wrap=True)


def notes(scores: Scores) -> Sequence[str]:
    """Signatures, decoding, and what a reader must know about the rows."""
    lines = [*signatures(scores.ordinary[MODEL]), f"Model and peers: {scores.decoding}."]
    if any(about.recorded for about in scores.systems.values()):
        lines.append("(recorded): measured when the model was exported, on that machine.")
    if scores.leaked:
        lines.append(f"Warning: {scores.leaked} of these sources are in the training data too.")
    return lines


def show_alignment(console: Console, scores: AlignmentScores) -> None:
    """AER of every head, and the baselines."""
    alignment(scores).show(console)
    console.print(
        f"diagonal {scores.diagonal:.2f}, a word at random {scores.uniform:.2f}, "
        f"best possible {scores.best_possible:.2f}"
    )
