"""`companion train` in several processes, on one machine or many.

    torchrun --nproc-per-node=2 -m companion.translator.train --recipe demo --out runs/demo

Started without torchrun it is `companion train`.
"""

from functools import partial
from typing import Any

import click

from companion.translator.command_support import clear_errors
from companion.translator.distributed import (
    DistributedTrainer,
    Group,
    SharedRun,
    joined,
    launched,
    one_voice,
)
from companion.translator.start_training import PREPARING, prepare, train_alone, train_aloud
from companion.translator.training_options import Options, training_options
from companion.translator.trainings import Roles


@click.command()
@training_options
@clear_errors
def main(**options: Any) -> None:
    """Train a translator in the processes that torchrun starts. Ctrl-C leaves a checkpoint."""
    asked = Options(**options)
    if not launched():
        train_alone(asked)
        return
    with joined(asked.device) as group, one_voice(group):
        _train_together(asked, group)


def _train_together(asked: Options, group: Group) -> None:
    if group.is_first:
        click.echo(f"{group.size} processes. {PREPARING}")
    roles = Roles(partial(DistributedTrainer, group=group), partial(SharedRun, group=group))
    training = prepare(asked, group.device, roles)
    facts = training.trainer.state()[1]
    group.require_same({key: facts[key] for key in ("step", "settings", "batches")})
    if not asked.going_on:
        training.facts["device"] = f"{group.size} × {training.facts['device']}"
    again = ("torchrun", f"--nproc-per-node={group.size}", "-m", "companion.translator.train")
    train_aloud(training, *again, silent=not group.is_first)


if __name__ == "__main__":
    main()
