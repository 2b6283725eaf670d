"""The sub-commands around training: train, demo, curves."""

from pathlib import Path
from typing import Any

import click

from companion.translator.command_support import FOLDER, clear_errors, device_option, stopping
from companion.translator.training_options import RECIPE_NAMES, Options, training_options


@click.command()
@training_options
@clear_errors
def train(**options: Any) -> None:
    """Train a translator, from nothing or --from a model, or --resume. Ctrl-C saves it."""
    asked = Options(**options)
    asked.changes()
    asked.chosen()
    from companion.translator.start_training import train_alone

    train_alone(asked)


@click.command()
@click.option("--recipe", type=click.Choice(RECIPE_NAMES), default="demo", hidden=True)
@click.option("--out", type=FOLDER, default=Path("runs/demo"), show_default=True)
@device_option
@clear_errors
def demo(recipe: str, out: Path, device: str) -> None:
    """Train the small translator (or go on, or use what is there) and show what it can do."""
    from companion.translator.demo import run_demo

    hint = "To go on, run the same command again:"
    with stopping(out, hint, "companion", "demo", "--out", str(out)):
        run_demo(recipe, out, device)


@click.command()
@click.argument("run", type=FOLDER)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The picture (PNG); by default curves.png in the run's folder.",
)
@clear_errors
def curves(run: Path, out: Path | None) -> None:
    """Draw losses, learning rate, gradient and speed of RUN, also while it is trained."""
    from companion.translator.curves import draw_curves

    click.echo(f"The curves are in {draw_curves(run, out)}")
