"""What the sub-commands share: options, and errors as one clear line."""

import functools
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click

from companion.translator.errors import UserError

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

FOLDER = click.Path(path_type=Path, file_okay=False)
device_option = click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda", "mps"]),
    default="auto",
    show_default=True,
    help="Where to compute.",
)
checkpoint_option = click.option(
    "--checkpoint", type=FOLDER, help="Folder of the model; by default the one that is shipped."
)
alpha_option = click.option(
    "--alpha",
    type=click.FloatRange(0),
    help="Strength of the beam's length penalty; by default what the model was tuned to.",
)
consensus_option = click.option(
    "--consensus",
    type=click.FloatRange(0),
    help="Temperature at which the beam's hypotheses agree on one (minimum Bayes risk); 0 takes "
    "the most probable one. By default what the model was tuned to.",
)
beam_option = click.option(
    "--beam",
    type=click.IntRange(1, 64),
    help="Hypotheses to keep; 1 is greedy decoding. By default what the model was tuned to.",
)


class CommandError(click.ClickException):
    """Something a user can put right: one line on stderr, exit code 2."""

    exit_code = 2


class StoppedByUser(click.ClickException):
    """Ctrl-C, handled: what to do next on stderr, and the exit code that shells expect."""

    exit_code = 130

    def show(self, file: Any = None) -> None:
        """Without the word "Error"."""
        click.echo(self.message, file=file, err=file is None)


def clear_errors(command: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """Turn the errors that a user can put right into one line and exit code 2."""

    @functools.wraps(command)
    def wrapped(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise  # click ends quietly
        except (UserError, OSError) as error:
            raise CommandError(" ".join(str(error).split())) from error

    return wrapped


def print_json(values: Any) -> None:
    """Plain data on standard output, readable."""
    click.echo(json.dumps(values, ensure_ascii=False, indent=2))


class stopping:  # noqa: N801 (used like a keyword)
    """Say how to go on when the user stops the training inside."""

    def __init__(self, folder: Path, hint: str, *command: str) -> None:
        self.folder, self.hint, self.command = folder, hint, shlex.join(command)

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from companion.translator.runs import Stopped

        if isinstance(error, Stopped):
            raise StoppedByUser(
                f"\n{str(error).capitalize()}. The checkpoint is in {self.folder}. {self.hint}\n"
                f"  {self.command}"
            ) from error
