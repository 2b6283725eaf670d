"""Whole trainings by name: corpus, vocabulary, model, settings."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.config import (
    AttentionSpec,
    FeedForwardSpec,
    TransformerConfig,
    tiny_translator,
)
from companion.positions import Sinusoidal
from companion.translator.settings import TrainingSettings


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Everything that a training needs to know before it begins."""

    name: str
    about: str
    corpus: dict[str, Any]
    vocab_size: int
    alphabet: int | None = None
    """Most characters with a token of their own; rarer ones are spelled in bytes."""
    model: Callable[[int], TransformerConfig]
    """From the size of the vocabulary that was learned."""
    settings: TrainingSettings
    after: str | None = None
    """The recipe whose model it goes on from; its own `model` is not built then."""


def changed(recipe: Recipe, settings: dict[str, Any], *, data: Path | None = None) -> Recipe:
    """The recipe with some of its settings replaced, and with another file of sentence pairs."""
    corpus = recipe.corpus if data is None else recipe.corpus | {"path": str(data)}
    return replace(recipe, corpus=corpus, settings=replace(recipe.settings, **settings))


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


_TATOEBA_POLISH = replace(
    _TATOEBA,
    name="tatoeba-polish",
    about="goes on from a tatoeba model: the learning rate rises and falls once more",
    after="tatoeba",
    settings=replace(
        _TATOEBA.settings,
        steps=3000,
        learning_rate=6e-4,
        warmup=200,
    ),
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
RECIPES = {
    recipe.name: recipe for recipe in (_DEMO, _GRAMMAR, _TATOEBA, _TATOEBA_POLISH, _TATOEBA_GPU)
}
