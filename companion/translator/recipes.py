"""Whole trainings by name: corpus, vocabulary, model, settings. And how to start or resume one."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch

from companion.config import (
    AttentionSpec,
    FeedForwardSpec,
    TransformerConfig,
    tiny_translator,
)
from companion.positions import Sinusoidal
from companion.translator import architectures
from companion.translator.architectures import Config, Peer, build, peer_of
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import CONFIG, TOKENIZER, CheckpointError
from companion.translator.corpora import ParallelText, load_corpus
from companion.translator.devices import describe_device
from companion.translator.held_out import HeldOut
from companion.translator.runs import Reporter, Run, train
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Everything that a training from nothing needs to know."""

    name: str
    about: str
    corpus: dict[str, Any]
    vocab_size: int
    alphabet: int | None = None
    """Most characters with a token of their own; rarer ones are spelled in bytes."""
    model: Callable[[int], TransformerConfig]
    """From the size of the vocabulary that was learned."""
    settings: TrainingSettings


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
    roles: Roles = ALONE,
) -> Training:
    """Set up a training from nothing, of our model or of a peer of its size.

    Raises TrainingError when `folder` cannot be written.
    """
    run = roles.run(folder)
    run.create()
    text = load_corpus(recipe.corpus)
    tokenizer = Tokenizer.train(
        (side for pair in text.train for side in pair),
        vocab_size=recipe.vocab_size,
        max_characters=recipe.alphabet,
    )
    model = recipe.model(tokenizer.vocab_size)
    config: Config = model if peer is None else peer_of(model, peer)
    trainer = roles.trainer(
        **_parts(config, text, tokenizer, recipe.settings), device=device, compiled=compiled
    )
    parameters = sum(weight.numel() for weight in trainer.model.parameters())
    facts = {
        "recipe": recipe.name,
        "peer": peer,
        "corpus": recipe.corpus,
        "corpus_sha256": text.fingerprint(),
        "sentences": len(text.train),
        "parameters": parameters,
        "torch": torch.__version__,
        "device": describe_device(trainer.device),
    }
    return Training(trainer, run, tokenizer, facts)


def changed(recipe: Recipe, settings: dict[str, Any], *, data: Path | None = None) -> Recipe:
    """The recipe with some of its settings replaced, and with another file of sentence pairs."""
    corpus = recipe.corpus if data is None else recipe.corpus | {"path": str(data)}
    return replace(recipe, corpus=corpus, settings=replace(recipe.settings, **settings))


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


def _grammar_model(vocab_size: int) -> TransformerConfig:
    return tiny_translator(
        vocab_size, attention=AttentionSpec(n_heads=8), position=Sinusoidal(max_seq_len=128)
    )


# Chosen by measured trials on 60,000 pairs at equal cost (CPU seconds): many small updates beat few
# large ones (94.5% against 91.1% exact match), every frequent word as one token beats a vocabulary
# of 2,000, eight heads beat four by a point, and a peak of 4e-3 beats both 2e-3 and 6e-3.
_GRAMMAR = Recipe(
    name="grammar",
    about="the same for longer: the checkpoint that ships with the package",
    corpus={"name": "grammar", "seed": 0},
    vocab_size=4000,
    model=_grammar_model,
    settings=TrainingSettings(
        steps=3000,
        max_tokens=2000,
        learning_rate=3e-3,
        warmup=200,
        schedule="cosine",
        checkpoint_every=200,
    ),
)
_DEMO = replace(
    _GRAMMAR,
    name="demo",
    about="the grammar corpus in about two minutes on two CPU cores",
    settings=TrainingSettings(
        steps=1600,
        max_tokens=1500,
        learning_rate=4e-3,
        warmup=100,
        schedule="cosine",
        checkpoint_every=100,
    ),
)


def _tatoeba_model(vocab_size: int) -> TransformerConfig:
    return TransformerConfig(
        source_vocab_size=vocab_size,
        target_vocab_size=vocab_size,
        d_model=256,
        n_encoder_layers=6,
        n_decoder_layers=3,
        attention=AttentionSpec(n_heads=8),
        feed_forward=FeedForwardSpec(d_ff=1024),
        position=Sinusoidal(max_seq_len=512),
        dropout=0.25,
    )


_TATOEBA = Recipe(
    name="tatoeba",
    about="real sentences: the model that ships with the package",
    corpus={"name": "tatoeba"},
    vocab_size=8000,
    alphabet=2800,
    model=_tatoeba_model,
    settings=TrainingSettings(
        steps=9000,
        max_tokens=3000,
        learning_rate=1.5e-3,
        warmup=800,
        schedule="cosine",
        precision="bfloat16",
        average=0.999,
        checkpoint_every=250,
    ),
)


def _wide_tatoeba_model(vocab_size: int) -> TransformerConfig:
    return replace(
        _tatoeba_model(vocab_size),
        d_model=512,
        n_decoder_layers=6,
        feed_forward=FeedForwardSpec(d_ff=2048),
        dropout=0.3,
    )


_TATOEBA_GPU = replace(
    _TATOEBA,
    name="tatoeba-gpu",
    about="the same, wider and in larger batches; it has never been run on a GPU",
    model=_wide_tatoeba_model,
    settings=replace(
        _TATOEBA.settings,
        steps=6000,
        max_tokens=12000,
        learning_rate=7e-4,
        warmup=600,
        precision="auto",
        checkpoint_every=200,
    ),
)
RECIPES = {recipe.name: recipe for recipe in (_DEMO, _GRAMMAR, _TATOEBA, _TATOEBA_GPU)}
