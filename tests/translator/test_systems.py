"""Peers stand beside a model only where they learned the same, and speed is what the clock says."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from companion.config import TransformerConfig
from companion.translator import systems
from companion.translator.architectures import build, peer_of
from companion.translator.checkpoint import load_checkpoint, save_checkpoint
from companion.translator.corpora import ParallelText, load_corpus
from companion.translator.decoding import Decoding
from companion.translator.recipes import RECIPES, Recipe
from companion.translator.systems import (
    About,
    PeerError,
    Speed,
    Stopwatch,
    System,
    load_peers,
    model_system,
)
from companion.translator.tokenizer import Tokenizer
from companion.translator.translator import Translator


@pytest.fixture(scope="module")
def peers(
    trained: Path, tmp_path_factory: pytest.TempPathFactory, config: TransformerConfig
) -> dict[str, Path]:
    """Untrained models of the other kinds, which claim to have learned the tiny corpus."""
    _, tokenizer, facts = load_checkpoint(trained)
    folders = {}
    for kind in ("torch", "recurrent"):
        torch.manual_seed(0)
        folders[kind] = tmp_path_factory.mktemp(kind)
        model = build(peer_of(config, kind))
        save_checkpoint(
            folders[kind], model, tokenizer, facts | {"processor_seconds": 90, "tokens": 7}
        )
    return folders


@pytest.fixture
def text(tiny_recipe: Recipe) -> ParallelText:
    return load_corpus(tiny_recipe.corpus)


def test_peers_are_named_by_what_they_are(
    trained: Path, peers: dict[str, Path], text: ParallelText
) -> None:
    folders = [peers["torch"], peers["recurrent"], trained, peers["torch"]]
    found = load_peers(folders, text, Decoding(), device="cpu")
    assert [system.name for system in found] == [
        "nn.Transformer",
        "LSTM with attention",
        "Transformer",
        f"nn.Transformer ({peers['torch'].name})",
    ]
    model, tokenizer, facts = load_checkpoint(trained)
    settings = RECIPES["tatoeba"].settings.to_dict() | {"seed": 1}
    facts_of_the_recipe = {"recipe": "tatoeba", "settings": settings}
    save_checkpoint(trained.parent / "named", model, tokenizer, facts | facts_of_the_recipe)
    [named] = load_peers([trained.parent / "named"], text, Decoding(), device="cpu")
    assert named.name == "Transformer (tatoeba-seed-1)"
    about = found[0].about
    assert (about.updates, about.processor_minutes, about.tokens) == (120, 1.5, 7)
    assert about.parameters == sum(
        w.numel() for w in load_checkpoint(peers["torch"]).model.parameters()
    )
    assert found[2].about.processor_minutes is None
    assert found[2].translate(["好久不见"]) == ["long time no see"]


def test_what_a_model_cost_is_the_cost_of_all_its_trainings(trained: Path, tmp_path: Path) -> None:
    model, tokenizer, facts = load_checkpoint(trained)
    first = {"step": 9000, "processor_seconds": 600, "settings": {"learning_rate": 1e-3}}
    second = {"processor_seconds": 300.0, "settings": {"learning_rate": 1e-4}, "beginning": first}
    save_checkpoint(tmp_path, model, tokenizer, facts | second)
    about = model_system("x", Translator.load(tmp_path, device="cpu"), Decoding()).about
    assert (about.updates, about.processor_minutes) == (9120, 15.0)
    assert about.tokens is None  # neither tells
    assert about.learning_rate == 1e-3


def test_a_model_of_other_sentences_is_no_peer(
    trained: Path, tmp_path: Path, text: ParallelText
) -> None:
    model, tokenizer, facts = load_checkpoint(trained)
    for wrong in ({"corpus_sha256": "0"}, {"corpus_sha256": None}):
        save_checkpoint(tmp_path / "other", model, tokenizer, facts | wrong)
        with pytest.raises(PeerError, match=r"other.* was trained on other sentences"):
            load_peers([tmp_path / "other"], text, Decoding(), device="cpu")


def test_the_decoding_is_the_one_asked_for(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    translator = Translator.load(trained, device="cpu")
    asked: list[object] = []

    def translate(texts: Sequence[str], **options: object) -> list[str]:
        asked.append(options)
        return list(texts)

    monkeypatch.setattr(translator, "translate", translate)
    model_system("m", translator, Decoding(5, 0.9, 0.5)).translate(["好"])
    assert asked == [{"beam_size": 5, "alpha": 0.9, "consensus": 0.5}]


def test_the_clock(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def translate(texts: Sequence[str]) -> list[str]:
        now[0] += 0.5 * len(texts) + (0.25 if len(texts) == 1 else 0)
        return ["a cat"] * len(texts)

    monkeypatch.setattr(systems.time, "perf_counter", lambda: now[0])
    translator = Translator.load(trained, device="cpu")
    tokens = len(translator.tokenizer.encode("a cat")) + 1
    watch = Stopwatch(System("s", translate, translator=translator))
    assert watch(["x"] * 10) == ["a cat"] * 10
    assert watch.speed(["x"] * 10) == Speed(2.0, 2.0 * tokens, 750.0)
    plain = Stopwatch(System("s", translate))
    plain(["x"] * 4)
    assert plain.speed(["x"]).tokens_per_second is None


def test_costs_are_json() -> None:
    for about in (
        About(),
        About("nn.Transformer", 5, 6, 7, 8.5, "cpu", True, Speed(1.0, None, 2.0)),
        About(commands=("companion train --out runs/a",)),
    ):
        assert About.from_dict(json.loads(json.dumps(about.to_dict()))) == about


def test_the_names_cover_every_architecture(tokenizer: Tokenizer) -> None:
    from companion.translator.architectures import _KINDS

    assert tokenizer.vocab_size
    assert set(_KINDS) == set(systems.NAMES)
