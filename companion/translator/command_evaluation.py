"""The sub-commands around measuring: evaluate, export."""

from pathlib import Path

import click

from companion.translator.command_support import (
    FOLDER,
    checkpoint_option,
    clear_errors,
    device_option,
    print_json,
)


@click.command()
@checkpoint_option
@device_option
@click.option("--beam", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--limit", type=click.IntRange(1), help="At most so many sentences of each case.")
@click.option("--baselines/--no-baselines", default=True, help="Score the baselines as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@clear_errors
def evaluate(
    checkpoint: Path | None,
    device: str,
    beam: int,
    limit: int | None,
    baselines: bool,
    as_json: bool,
) -> None:
    """Score a checkpoint on the held-out sentences of its corpus, with baselines beside it."""
    from companion.translator.scoring import score
    from companion.translator.translator import Translator

    translator = Translator.load(checkpoint, device=device)
    scores = score(translator, beam_size=beam, limit=limit, with_baselines=baselines)
    if as_json:
        print_json(scores.to_dict())
        return
    from companion.translator.console import make_console, show_scores

    show_scores(make_console(), scores)


@click.command()
@click.argument("run", type=FOLDER)
@click.argument("out", type=FOLDER)
@device_option
@clear_errors
def export(run: Path, out: Path, device: str) -> None:
    """Write the model of RUN to OUT for others: half precision, measured, with a model card."""
    from companion.translator.model_card import export_model

    export_model(run, out, device=device)
    click.echo(f"The model and its card are in {out}")
