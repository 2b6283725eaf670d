"""How a training is set up: from nothing, from a model that is there, or where it was stopped."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from companion.translator import architectures
from companion.translator.architectures import Config, Peer, build, peer_of
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import (
    CONFIG,
    TOKENIZER,
    Checkpoint,
    CheckpointError,
    load_checkpoint,
)
from companion.translator.corpora import ParallelText, load_corpus
from companion.translator.devices import describe_device
from companion.translator.held_out import HeldOut
from companion.translator.recipes import Recipe
from companion.translator.runs import Reporter, Run, TrainingError, train
from companion.translator.settings import TrainingSettings
from companion.translator.stages import earlier
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer


class Roles(NamedTuple):
    """Who trains and who keeps the run's folder: one process alone, or several together."""

    trainer: Callable[..., Trainer] = Trainer
    run: Callable[..., Run] = Run


ALONE = Roles()


class Training(NamedTuple):
    """A training that is ready to go, or to go on."""

    trainer: Trainer
    run: Run
    tokenizer: Tokenizer
    facts: dict[str, Any]
    """What is stored with the model: recipe, corpus, machine."""

    def go(self, reporters: list[Reporter]) -> None:
        """Train to the end; see `companion.translator.runs.train`."""
        train(self.trainer, self.run, self.tokenizer, self.facts, reporters)


def start(
    recipe: Recipe,
    folder: str | Path,
    *,
    device: torch.device | str = "cpu",
    compiled: bool = False,
    peer: Peer | None = None,
    beginning: str | Path | None = None,
    roles: Roles = ALONE,
) -> Training:
    """Set up a training of the recipe's model, of a peer of its size, or of a model that is there.

    `beginning`: the folder of a checkpoint. Its architecture, vocabulary and weights stand in for
    the recipe's model; the optimiser, the learning rate's schedule and the order of sentences begin
    anew. Raises ValueError for a peer with a `beginning`, CheckpointError for one that cannot be
    read, TrainingError when `folder` cannot be written or the recipe misses its `beginning`.
    """
    if recipe.after is not None and beginning is None:
        raise TrainingError(
            f"the recipe {recipe.name} goes on from a model: give one (--from runs/{recipe.after})"
        )
    if peer is not None and beginning is not None:
        raise ValueError(f"{beginning} brings its own architecture: leave out peer={peer!r}")
    known = None if beginning is None else load_checkpoint(beginning)
    run = roles.run(folder)
    run.create()
    text = load_corpus(recipe.corpus)
    config, tokenizer = _from_nothing(recipe, text, peer) if known is None else _of(known)
    parts = _parts(config, text, tokenizer, recipe.settings)
    if known is not None:
        parts["model"].load_state_dict(known.model.state_dict())
    trainer = roles.trainer(**parts, device=device, compiled=compiled)
    facts = {
        "recipe": recipe.name,
        "beginning": known and earlier(known.facts),
        "peer": peer,
        "corpus": recipe.corpus,
        "corpus_sha256": text.fingerprint(),
        "sentences": len(text.train),
        "parameters": sum(weight.numel() for weight in trainer.model.parameters()),
        "torch": torch.__version__,
        "device": describe_device(trainer.device),
    }
    return Training(trainer, run, tokenizer, facts)


def _from_nothing(
    recipe: Recipe, text: ParallelText, peer: Peer | None
) -> tuple[Config, Tokenizer]:
    tokenizer = Tokenizer.train(
        (side for pair in text.train for side in pair),
        vocab_size=recipe.vocab_size,
        max_characters=recipe.alphabet,
    )
    model = recipe.model(tokenizer.vocab_size)
    return model if peer is None else peer_of(model, peer), tokenizer


def _of(known: Checkpoint) -> tuple[Config, Tokenizer]:
    return known.model.config, known.tokenizer


def resume(
    folder: str | Path,
    *,
    device: torch.device | str = "cpu",
    compiled: bool = False,
    roles: Roles = ALONE,
) -> Training:
    """Set up a training where it was stopped, with the settings it was started with.

    Raises CheckpointError when there is nothing to go on from, or when the corpus or the program
    has changed so that it would become another training.
    """
    run = roles.run(folder)
    if not run.has_state:
        raise CheckpointError(f"there is no training to resume in {run.folder}")
    facts = run.facts()
    try:
        content = json.loads((run.folder / CONFIG).read_text(encoding="utf-8"))
        config = architectures.from_json(content)
        tokenizer = Tokenizer.load(run.folder / TOKENIZER)
        settings = TrainingSettings.from_dict(facts["settings"])
        text = load_corpus(facts["corpus"])
        parts = _parts(config, text, tokenizer, settings)
        trainer = roles.trainer(**parts, device=device, compiled=compiled)
        run.restore(trainer)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"cannot resume from {run.folder}: {error}") from error
    state = trainer.state()[1]
    return Training(trainer, run, tokenizer, {k: v for k, v in facts.items() if k not in state})


def _parts(
    config: Config, text: ParallelText, tokenizer: Tokenizer, settings: TrainingSettings
) -> dict[str, Any]:
    """What a trainer is made of."""
    examples = encode_pairs(tokenizer, text.train)
    batches = BatchStream(examples, max_tokens=settings.max_tokens, seed=settings.seed)
    torch.manual_seed(settings.seed)
    dev = [(sentence.source, sentence.references[0]) for sentence in text.dev]
    held_out = HeldOut(
        encode_pairs(tokenizer, dev), max_tokens=settings.max_tokens, max_seq_len=config.max_seq_len
    )
    return {
        "model": build(config),
        "batches": batches,
        "settings": settings,
        "held_out": held_out if held_out.examples else None,
    }
