"""A tiny corpus, tokenizer and model that the translator's tests share."""

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig, tiny_translator
from companion.positions import Sinusoidal
from companion.transformer import Transformer
from companion.translator import corpora
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import save_checkpoint
from companion.translator.compounds import CompoundError
from companion.translator.corpora import ParallelText, Sentence
from companion.translator.decoding import Decoding
from companion.translator.evaluation import Metric, Part, Result, Share
from companion.translator.recipes import RECIPES, Recipe
from companion.translator.scoring import Scores
from companion.translator.settings import TrainingSettings
from companion.translator.systems import About, Speed
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Report, Trainer

PAIRS = [
    ("好久不见", "long time no see"),
    ("我看书", "I read a book"),
    ("他看书", "he reads a book"),
    ("我不看书", "I don't read a book"),
    ("他不看书", "he doesn't read a book"),
    ("你好", "hello"),
]


@pytest.fixture(scope="session")
def pairs() -> list[tuple[str, str]]:
    return list(PAIRS)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train([text for pair in PAIRS * 3 for text in pair], vocab_size=400)


@pytest.fixture(scope="session")
def config(tokenizer: Tokenizer) -> TransformerConfig:
    return tiny_translator(
        tokenizer.vocab_size,
        d_model=16,
        n_encoder_layers=1,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=2),
        feed_forward=FeedForwardSpec(d_ff=24),
        position=Sinusoidal(max_seq_len=40),
        dropout=0.1,
    )


@pytest.fixture
def make_model(config: TransformerConfig) -> Callable[[int], Transformer]:
    def make(seed: int = 0) -> Transformer:
        torch.manual_seed(seed)
        return Transformer(config)

    return make


@pytest.fixture(scope="session")
def trained(
    tmp_path_factory: pytest.TempPathFactory, config: TransformerConfig, tokenizer: Tokenizer
) -> Path:
    """A checkpoint folder whose model knows the six sentences by heart."""
    torch.manual_seed(0)
    settings = TrainingSettings(
        steps=120, max_tokens=200, learning_rate=2e-2, warmup=10, schedule="cosine"
    )
    batches = BatchStream(encode_pairs(tokenizer, PAIRS), max_tokens=200)
    trainer = Trainer(Transformer(config), batches, settings)
    for _ in range(settings.steps):
        trainer.update()
    folder = tmp_path_factory.mktemp("trained")
    facts = {"corpus": {"name": "tiny"}, "corpus_sha256": tiny_corpus().fingerprint(), "step": 120}
    save_checkpoint(folder, trainer.model, tokenizer, facts)
    return folder


def tiny_corpus() -> ParallelText:
    return ParallelText(
        train=PAIRS,
        dev=[],
        cases={
            "unseen": [
                Sentence("我看书", ("I read a book", "I am reading a book"), "plain"),
                Sentence("好久不见", ("long time no see",), "expression"),
                Sentence("你不看书", ("you don't read a book",), "negation"),
            ],
            "deeper": [Sentence("你好你好", ("hello hello",), "plain")],
        },
        word_pairs=[("我", "I"), ("看", "read"), ("书", "book"), ("好", "good")],
    )


class StopAfter:
    """A reporter that presses Ctrl-C (or sends another signal) during an update."""

    def __init__(self, step: int, number: int = signal.SIGINT) -> None:
        self.step, self.number = step, number

    def start(self, step: int, steps: int) -> None:
        pass

    def report(self, report: Report) -> None:
        if report.step == self.step:
            signal.raise_signal(self.number)

    def close(self) -> None:
        pass


@pytest.fixture(scope="session")
def stop_after() -> Callable[..., StopAfter]:
    """Makes reporters that stop a training."""
    return StopAfter


@pytest.fixture
def tiny_recipe(
    monkeypatch: pytest.MonkeyPatch, config: TransformerConfig, tokenizer: Tokenizer
) -> Recipe:
    """A training that takes no time, under the name of the demo's."""
    monkeypatch.setitem(corpora._LOADERS, "tiny", tiny_corpus)
    recipe = Recipe(
        name="demo",
        about="six sentences",
        corpus={"name": "tiny"},
        vocab_size=tokenizer.vocab_size,
        model=lambda vocab_size: replace(
            config, source_vocab_size=vocab_size, target_vocab_size=vocab_size
        ),
        settings=TrainingSettings(steps=4, max_tokens=200, checkpoint_every=2, average=0.9),
    )
    monkeypatch.setitem(RECIPES, "demo", recipe)
    return recipe


def _result(right: int) -> Result:
    part = Part(Share(right, 10), 12.5)
    return Result(
        exact=Share(right, 10),
        by_case={"unseen": part},
        by_length={"1-5": part},
        by_construction={"ba": Share(right, 10)},
        bleu=Metric(20.0, "nrefs:1"),
        chrf=Metric(30.0, "nc:6"),
    )


def make_scores(sha256: str = "x", **right: int) -> Scores:
    """Scores of systems that get so many of ten sentences right."""
    named = {name.replace("_", " "): number for name, number in right.items()}
    return Scores(
        ordinary={name: _result(number) for name, number in named.items()},
        hard={name: _result(number) for name, number in named.items()},
        systems={name: About("LSTM", 5, speed=Speed(1.0, 2.0, 3.0)) for name in named},
        decoding=Decoding(4, 0.7),
        test_sha256=sha256,
        leaked=0,
        compounds={
            name: {"role_swap": CompoundError(Share(number, 10), Share(1, 2))}
            for name, number in named.items()
        },
    )


@pytest.fixture
def make() -> Callable[..., Scores]:
    """`make_scores`: made-up scores by the names of systems."""
    return make_scores
