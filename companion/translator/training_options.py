"""What `companion train` can be asked for, alone or with several processes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click

from companion.translator.command_support import FOLDER, device_option

RECIPE_NAMES = ("demo", "grammar", "tatoeba", "tatoeba-polish", "tatoeba-gpu")


class Options(NamedTuple):
    """What `companion train` was asked for."""

    recipe: str | None
    preset: str | None
    out: Path
    going_on: bool
    steps: int | None
    learning_rate: float | None
    consistency: float | None
    seed: int | None
    patience: int | None
    precision: str | None
    data: Path | None
    beginning: Path | None
    peer: Literal["torch", "recurrent"] | None
    compiled: bool
    device: str

    def chosen(self) -> str:
        """The name of the recipe. Raises UsageError for options that a recipe does not have."""
        name = self.recipe or "demo"
        if self.preset is not None:
            if self.recipe not in (None, "tatoeba", "tatoeba-gpu"):
                raise click.UsageError(
                    f"--preset {self.preset} belongs to --recipe tatoeba, not to {self.recipe}"
                )
            name = f"tatoeba-{self.preset}"
        if self.data is not None and not name.startswith("tatoeba"):
            raise click.UsageError(f"--data belongs to --recipe tatoeba, not to {name}")
        return name

    def changes(self) -> dict[str, Any]:
        """Settings that stand in for the recipe's. Raises UsageError where none may be given."""
        given = {name: getattr(self, name) for name in SETTINGS}
        changes = {name: value for name, value in given.items() if value is not None}
        others = (self.peer, self.preset, self.data, self.beginning)
        if self.going_on and (changes or any(others)):
            raise click.UsageError(
                "--resume goes on with the settings that the run was started with"
            )
        if self.beginning and self.peer:
            raise click.UsageError("--from brings its own architecture: leave out --peer")
        return changes


SETTINGS = ("steps", "learning_rate", "consistency", "seed", "patience", "precision")
_OPTIONS = (
    click.option("--recipe", type=click.Choice(RECIPE_NAMES), show_default="demo"),
    click.option(
        "--preset",
        type=click.Choice(["gpu"]),
        help="gpu: the tatoeba recipe, wider; never been run on a GPU.",
    ),
    click.option("--out", type=FOLDER, required=True, help="Folder of the run, such as runs/demo."),
    click.option("--resume", "going_on", is_flag=True, help="Go on where the run was stopped."),
    click.option(
        "--steps", type=click.IntRange(1), help="Instead of the recipe's number of updates."
    ),
    click.option("--learning-rate", type=click.FloatRange(0, min_open=True), help="Likewise."),
    click.option(
        "--consistency", type=click.FloatRange(0), help="Likewise: weight of R-Drop; 0 without."
    ),
    click.option("--seed", type=int, help="Likewise."),
    click.option(
        "--patience",
        type=click.IntRange(0),
        help="End after so many looks without a better held-out loss, with the best model.",
    ),
    click.option(
        "--precision",
        type=click.Choice(["auto", "float32", "bfloat16"]),
        help="Of the matrix products. auto: bfloat16 on CUDA; older CPUs are slow with bfloat16.",
    ),
    click.option(
        "--data",
        type=click.Path(path_type=Path, exists=True, dir_okay=False, resolve_path=True),
        help="Sentence pairs of your own for the tatoeba recipes; see companion data.",
    ),
    click.option(
        "--from",
        "beginning",
        type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
        help="Begin with the weights and vocabulary of this run or model (fine-tuning).",
    ),
    click.option(
        "--peer",
        type=click.Choice(["torch", "recurrent"]),
        help="Train nn.Transformer, or LSTMs with attention, of the same size instead, to compare.",
    ),
    click.option(
        "--compile", "compiled", is_flag=True, help="Run the model through torch.compile."
    ),
    device_option,
)


def training_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of `companion train`, which `companion.translator.train` has as well."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
