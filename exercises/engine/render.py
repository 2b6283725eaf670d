"""Show a verdict: the same lines as plain text, in the terminal, and in a notebook."""

import html as html_escape
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from exercises.engine.text import book_link, page_link, say
from exercises.engine.verdict import FAILED, NOT_STARTED, PARTIAL, PASSED, Failure, Verdict

Line = tuple[str, str, str]  # style, label, text
TERMINAL = {"good": "green", "bad": "red", "quiet": "dim", "label": "bold", "what": "bold"}
PAGE = {
    "good": "color:#1a7f37;font-weight:600",
    "bad": "color:#cf222e;font-weight:600",
    "quiet": "opacity:.7",
    "what": "font-weight:600",
}
LABEL_WIDTH = 9


def lines(verdict: Verdict) -> Iterator[Line]:
    """The verdict, line by line."""
    yield _head(verdict)
    failure = verdict.failure
    if failure is not None:
        yield from (
            _unwritten(failure) if failure.mistakes == ("not-started",) else _failure(failure)
        )
    if verdict.state in (PASSED, PARTIAL):
        for result in verdict.results:
            yield "quiet", say("section_checked"), f"{result.stage}: {result.what}"
    for note in verdict.notes:
        yield "quiet", "", note
    if verdict.printed.strip():
        yield "label", say("section_output"), ""
        for line in verdict.printed.strip().splitlines()[:30]:
            yield "quiet", "", "│ " + line[:200]


def _head(verdict: Verdict) -> Line:
    count = len(verdict.results)
    done = sum(result.status == PASSED for result in verdict.results)
    values = {"id": verdict.exercise, "count": count, "seconds": verdict.seconds}
    if verdict.state == PASSED:
        return "good", "", say("head_passed", **values)
    if verdict.state == PARTIAL:
        return "good", "", say("head_partial", **values)
    if verdict.state == NOT_STARTED:
        return "quiet", "", say("head_not_started", **values)
    if verdict.failure is not None and verdict.failure.check == "run":
        return "bad", "", say("head_run", **values)
    failure = verdict.failure
    stage, check = (failure.stage, failure.check) if failure else ("", "")
    return "bad", "", say("head_failed", number=done + 1, stage=stage, check=check, **values)


def _unwritten(failure: Failure) -> Iterator[Line]:
    """Nothing is wrong yet: the task, and where the book has it."""
    yield "what", "", failure.what
    yield "", "", failure.why
    yield "", say("section_book"), book_link(failure.book)


def _failure(failure: Failure) -> Iterator[Line]:
    what = failure.what if failure.certain else say("looks_like", what=failure.what)
    yield "what", "", what
    if failure.alternative:
        yield "what", "", say("either", what=failure.alternative)
    yield "", say("section_why"), failure.why
    if failure.case:
        yield "", say("section_case"), failure.case
    for fact in failure.facts:
        yield "", say("section_seen"), fact
    for sentence in failure.breaks:
        yield "", say("section_breaks"), sentence
    for sentence in failure.holds:
        yield "quiet", say("section_holds"), sentence
    yield "", say("section_print"), failure.print
    yield "", say("section_book"), book_link(failure.book)


def plain(verdict: Verdict) -> str:
    """For pipes, logs and ``repr``."""
    return "\n".join(_row(label, text) for _, label, text in lines(verdict))


def _row(label: str, text: str) -> str:
    indent = text.replace("\n", "\n" + " " * (LABEL_WIDTH + 1))
    return f"{label:<{LABEL_WIDTH}} {indent}".rstrip() if label else text


def show(verdict: Verdict, console: Console) -> None:
    """For the terminal; a repeated label is printed once."""
    last = ""
    for style, label, text in lines(verdict):
        row = _row(label if label != last else " ", text) if label else text
        line = Text(row, style=TERMINAL.get(style, ""))
        if label and style == "":
            line.stylize("bold", 0, LABEL_WIDTH)
        console.print(line, soft_wrap=True, highlight=False)
        last = label


def html(verdict: Verdict) -> str:
    """For a notebook or a page of the book, in light and dark."""
    rows, last = [], ""
    for style, label, text in lines(verdict):
        body = _linked(verdict.failure, text) if label == say("section_book") else _escape(text)
        css = f' style="{PAGE[style]}"' if style in PAGE else ""
        if not label:
            rows.append(f"<div{css}>{body}</div>")
            continue
        name = label if label != last else ""
        rows.append(
            f'<div style="display:flex;gap:.8em"><span style="min-width:5.5em;opacity:.7">'
            f"{_escape(name)}</span><span{css}>{body}</span></div>"
        )
        last = label
    edge = {PASSED: "#1a7f37", PARTIAL: "#1a7f37", FAILED: "#cf222e"}.get(verdict.state, "#888")
    return (
        f'<div class="exercise-verdict" style="border-left:4px solid {edge};padding:.4em .9em;'
        f'margin:.4em 0">{"".join(rows)}</div>'
    )


def _escape(text: str) -> str:
    return html_escape.escape(text).replace("\n", "<br>")


def _linked(failure: Failure | None, text: str) -> str:
    """Pages of the book link to each other by file name; elsewhere the full address is needed."""
    assert failure is not None
    target = text if text.startswith("http") else page_link(failure.book)
    return f'<a href="{html_escape.escape(target)}">{_escape(text)}</a>'
