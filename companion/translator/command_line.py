"""The command `companion`: translate, train, evaluate, info, export, demo, curves.

What a sub-command needs is imported when it runs: translating loads neither matplotlib nor
sacrebleu nor training code.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.translator import command_data, command_evaluation, command_training
from companion.translator.command_support import (
    alpha_option,
    beam_option,
    checkpoint_option,
    clear_errors,
    consensus_option,
    device_option,
    print_json,
)
from companion.translator.decoding import Decoding, decoding_of

if TYPE_CHECKING:
    from companion.translator.translator import Translator


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="transformer-companion", prog_name="companion")
def main() -> None:
    """A Chinese-English translator that you can train yourself, and look inside."""
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if hasattr(stream, "reconfigure"):
            # UTF-8 whatever the system's locale says.
            stream.reconfigure(encoding="utf-8", errors=errors)


@main.command()
@click.argument("sentences", nargs=-1)
@click.option(
    "--file", "path", type=click.Path(path_type=Path, allow_dash=True), help="One sentence a line."
)
@beam_option
@alpha_option
@consensus_option
@click.option("--show-steps", is_flag=True, help="Show each step of greedy decoding.")
@click.option(
    "--attention",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw where the decoder looked, for one sentence, into this file (.png, .svg, .pdf).",
)
@checkpoint_option
@device_option
@clear_errors
def translate(
    sentences: tuple[str, ...],
    path: Path | None,
    beam: int | None,
    alpha: float | None,
    consensus: float | None,
    show_steps: bool,
    picture: Path | None,
    checkpoint: Path | None,
    device: str,
) -> None:
    """Translate SENTENCES, the lines of --file, or standard input: one line each, in order."""
    if sentences and path is not None:
        raise click.UsageError("give sentences or --file, not both")
    greedy = show_steps or picture is not None
    if greedy and beam not in (None, 1):
        raise click.UsageError(
            "--show-steps and --attention show greedy decoding: leave out --beam"
        )
    if picture is not None and len(sentences) != 1:
        raise click.UsageError("--attention draws one sentence: give exactly one as argument")
    from companion.translator.translator import Translator

    translator = Translator.load(checkpoint, device=device)
    if picture is not None:
        from companion.translator.attention_figure import draw_attention

        for warning in draw_attention(translator.cross_attention(sentences[0]), picture):
            click.echo(f"warning: {warning}", err=True)
    lines = (" ".join(s.splitlines()) for s in sentences) if sentences else _lines(path)
    if show_steps:
        _translate_slowly(translator, lines)
    else:
        # A picture shows greedy decoding, so the text beside it must be greedy decoding's.
        beam = 1 if greedy else beam
        decoding = decoding_of(translator.facts, beam_size=beam, alpha=alpha, consensus=consensus)
        _translate(translator, lines, decoding, at_once=1 if _typed(sentences, path) else 256)


def _typed(sentences: tuple[str, ...], path: Path | None) -> bool:
    from_stdin = not sentences and (path is None or str(path) == "-")
    return from_stdin and sys.stdin.isatty()


def _lines(path: Path | None) -> Iterator[str]:
    """Lines without their ends, of a file or of standard input; a byte order mark is skipped."""
    if path is None or str(path) == "-":
        if sys.stdin.isatty():
            click.echo("Type Chinese sentences, one a line; Ctrl-D ends.", err=True)
        yield from _stripped(sys.stdin)
    else:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from _stripped(file)


def _stripped(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield (line.removeprefix("\ufeff") if number == 0 else line).rstrip("\n")


def _translate(
    translator: "Translator", lines: Iterable[str], decoding: Decoding, at_once: int
) -> None:
    results = translator.stream(lines, decoding, at_once=at_once)
    for number, result in enumerate(results, start=1):
        click.echo(" ".join(result.text.splitlines()))
        if not result.finished:
            click.echo(
                f"warning: the translation of text {number} does not come to an end; it was "
                "stopped",
                err=True,
            )


def _translate_slowly(translator: "Translator", lines: Iterable[str]) -> None:
    from companion.translator.console import make_console, show_steps

    console = make_console()
    for line in lines:
        click.echo(show_steps(console, line, translator.steps(line)))


@main.command()
@checkpoint_option
@device_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@clear_errors
def info(checkpoint: Path | None, device: str, as_json: bool) -> None:
    """Versions, device, and what is known about a checkpoint."""
    from companion.translator.information import describe, versions
    from companion.translator.translator import Translator

    facts = versions() | describe(Translator.load(checkpoint, device=device), checkpoint)
    if as_json:
        print_json(facts)
        return
    from companion.translator.console import make_console, show_facts

    training = facts.pop("training")
    show_facts(make_console(), facts | training)


for command in (
    command_training.train,
    command_evaluation.evaluate,
    command_evaluation.export,
    command_training.demo,
    command_training.curves,
    command_data.data,
):
    main.add_command(command)
