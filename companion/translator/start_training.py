"""What `companion train` does once its options are known: set up, train, say how to go on."""

from typing import Any

import click
import torch

from companion.translator.command_support import CommandError, stopping
from companion.translator.devices import choose_device
from companion.translator.progress import run_training
from companion.translator.recipes import RECIPES, changed
from companion.translator.runs import Run
from companion.translator.training_options import Options
from companion.translator.trainings import ALONE, Roles, Training, resume, start

PREPARING = "Preparing the corpus and the vocabulary ..."


def train_alone(asked: Options) -> None:
    """Train in this process. Raises CommandError and UserErrors."""
    target = choose_device(asked.device)
    click.echo(PREPARING)
    train_aloud(prepare(asked, target), "companion", "train")


def prepare(asked: Options, device: torch.device, roles: Roles = ALONE) -> Training:
    """Set up what was asked for. Raises CommandError where the folder holds a training already."""
    changes, recipe = asked.changes(), asked.chosen()
    where: dict[str, Any] = {"device": device, "compiled": asked.compiled, "roles": roles}
    if asked.going_on:
        return resume(asked.out, **where)
    if Run(asked.out).has_state:
        raise CommandError(
            f"{asked.out} holds a training already: add --resume to go on with it, or choose "
            "another folder"
        )
    chosen = changed(RECIPES[recipe], changes, data=asked.data)
    return start(chosen, asked.out, peer=asked.peer, beginning=asked.beginning, **where)


def train_aloud(training: Training, *command: str, silent: bool = False) -> None:
    """Train with everything that shows it; `command --resume` goes on where it is stopped.

    `silent`: another process shows it.
    """
    out = training.run.folder
    with stopping(out, "To go on:", *command, "--resume", "--out", str(out)):
        if silent:
            training.go([])
            return
        run_training(training)
    click.echo(f"The model is in {out}: companion translate --checkpoint {out} 好久不见")
