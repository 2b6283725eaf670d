"""A training is set up from a recipe, or from what is stored of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from companion.translator import corpora
from companion.translator.architectures import count
from companion.translator.checkpoint import CheckpointError, load_checkpoint, load_tensors
from companion.translator.recipes import RECIPES, Recipe, changed
from companion.translator.runs import STATE, Run, TrainingError
from companion.translator.settings import TrainingSettings
from companion.translator.stages import in_all, stages
from companion.translator.trainings import resume, start


def test_a_recipe_makes_a_checkpoint_that_knows_where_it_comes_from(
    tiny_recipe: Recipe, tmp_path: Path
) -> None:
    training = start(tiny_recipe, tmp_path)
    training.go([])
    loaded = load_checkpoint(tmp_path)
    parameters = sum(weight.numel() for weight in loaded.model.parameters())
    assert (
        loaded.facts.items()
        >= {
            "recipe": "demo",
            "corpus": {"name": "tiny"},
            "sentences": 6,
            "parameters": parameters,
            "torch": torch.__version__,
            "step": 4,
        }.items()
    )
    assert TrainingSettings.from_dict(loaded.facts["settings"]) == tiny_recipe.settings
    assert Run(tmp_path).is_finished


def test_resuming_finishes_as_if_nothing_had_happened(tiny_recipe: Recipe, tmp_path: Path) -> None:
    whole = start(tiny_recipe, tmp_path / "whole")
    whole.go([])
    half = start(tiny_recipe, tmp_path / "half")
    for _ in range(3):
        half.trainer.update()
    half.run.save(half.trainer, half.tokenizer, half.facts)
    resumed = resume(tmp_path / "half")
    assert resumed.trainer.step == 3
    resumed.go([])
    expected, facts = load_tensors(tmp_path / "whole" / STATE)
    stored, stored_facts = load_tensors(tmp_path / "half" / STATE)
    for name, tensor in stored.items():
        assert torch.equal(tensor, expected[name]), name
    # Everything but the clock is the same.
    clock = {"seconds": 0, "processor_seconds": 0}
    assert stored_facts | clock == facts | clock


def test_the_same_seed_gives_the_same_model(tiny_recipe: Recipe, tmp_path: Path) -> None:
    weights = []
    for name in ("a", "b"):
        training = start(tiny_recipe, tmp_path / name)
        training.go([])
        weights.append(load_tensors(tmp_path / name / "model.safetensors")[0])
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_a_training_begins_with_the_weights_and_vocabulary_of_a_model(
    tiny_recipe: Recipe, tmp_path: Path
) -> None:
    start(tiny_recipe, tmp_path / "first").go([])
    before = load_checkpoint(tmp_path / "first")
    other = replace(
        changed(tiny_recipe, {"seed": 7, "steps": 2}), name="second", vocab_size=300, after="demo"
    )
    training = start(other, tmp_path / "second", beginning=tmp_path / "first")
    weights = before.model.state_dict()
    for name, weight in training.trainer.model.state_dict().items():
        assert torch.equal(weight, weights[name]), name
    assert training.tokenizer.tokens == before.tokenizer.tokens
    assert training.trainer.step == 0
    training.go([])
    facts = load_checkpoint(tmp_path / "second").facts
    assert [stage["recipe"] for stage in stages(facts)] == ["demo", "second"]
    assert in_all(facts, "step") == 6
    assert in_all(facts, "tokens") == before.facts["tokens"] + facts["tokens"]
    assert facts["beginning"]["settings"]["seed"] == 0
    assert resume(tmp_path / "second").facts["beginning"] == facts["beginning"]


def test_a_training_that_cannot_begin_says_why(tiny_recipe: Recipe, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"demo goes on from a model: .*--from runs/tatoeba"):
        start(replace(tiny_recipe, after="tatoeba"), tmp_path)
    with pytest.raises(ValueError, match=r"x brings its own architecture: .*peer='torch'"):
        start(tiny_recipe, tmp_path, peer="torch", beginning="x")
    with pytest.raises(CheckpointError, match=r"no checkpoint folder at .*absent"):
        start(tiny_recipe, tmp_path, beginning=tmp_path / "absent")
    assert not any(tmp_path.iterdir())


def test_settings_can_be_changed(tiny_recipe: Recipe) -> None:
    other = changed(tiny_recipe, {"steps": 9, "seed": 5})
    assert (other.settings.steps, other.settings.seed) == (9, 5)
    assert other.settings.max_tokens == tiny_recipe.settings.max_tokens
    assert changed(tiny_recipe, {}) == tiny_recipe


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"no training to resume in .*x"):
        resume(tmp_path / "x")


def test_a_corpus_that_has_changed_is_refused(
    tiny_recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tiny_recipe, tmp_path).go([])
    other = corpora.load_corpus({"name": "tiny"})._replace(train=[("好", "good")])
    monkeypatch.setitem(corpora._LOADERS, "tiny", lambda: other)
    with pytest.raises(CheckpointError, match=r"cannot resume from .*: the corpus"):
        resume(tmp_path)


def test_damaged_files_are_refused_when_resuming(tiny_recipe: Recipe, tmp_path: Path) -> None:
    start(tiny_recipe, tmp_path).go([])
    state = (tmp_path / STATE).read_bytes()
    (tmp_path / STATE).write_bytes(state[:-100])
    with pytest.raises(CheckpointError, match=r"training_state\.safetensors is damaged"):
        resume(tmp_path)
    (tmp_path / STATE).write_bytes(state)
    (tmp_path / "config.json").write_text(json.dumps({"format": 1}), encoding="utf-8")
    with pytest.raises(CheckpointError, match="cannot resume"):
        resume(tmp_path)


def test_a_folder_that_cannot_be_written_is_refused(tiny_recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(TrainingError, match="cannot write"):
        start(tiny_recipe, tmp_path / "file" / "run")


def test_the_recipes_that_are_offered() -> None:
    assert set(RECIPES) == {"demo", "grammar", "tatoeba", "tatoeba-polish", "tatoeba-gpu"}
    for name, recipe in RECIPES.items():
        assert recipe.name == name
        model = recipe.model(2000)
        assert model.max_seq_len is not None
        assert recipe.after is None or recipe.after in RECIPES


def test_the_recipe_for_gpus_is_the_same_but_wider(
    tiny_recipe: Recipe,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Built whole, and one small update made with it, on the CPU."""
    monkeypatch.setitem(corpora._LOADERS, "tatoeba", corpora._LOADERS["tiny"])
    plain, wide = RECIPES["tatoeba"], RECIPES["tatoeba-gpu"]
    assert (wide.corpus, wide.vocab_size, wide.alphabet) == (
        *(plain.corpus, plain.vocab_size, plain.alphabet),
    )
    assert "never been run on a GPU" in wide.about
    assert 45e6 < count(wide.model(wide.vocab_size)) < 50e6
    assert wide.settings.precision == "auto"  # bfloat16 on CUDA
    trainer = start(changed(wide, {"max_tokens": 60, "steps": 1}), tmp_path).trainer
    assert trainer.model.config.d_model == 2 * plain.model(2000).d_model
    assert trainer.update().loss > 1.0
