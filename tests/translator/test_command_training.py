"""What `companion train` is asked for becomes one recipe, or is refused with the way out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.translator import command_training, start_training, train
from companion.translator.recipes import RECIPES, changed
from companion.translator.training_options import RECIPE_NAMES, Options

Ask = Callable[..., Result]


@pytest.fixture(params=["companion train", "companion.translator.train"])
def ask(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Both ways to start a training, where only the name of the recipe is looked at."""
    monkeypatch.delenv("RANK", raising=False)

    def prepare(asked: Options, _: object) -> str:
        return f"{asked.chosen()} {asked.changes()}"

    monkeypatch.setattr(start_training, "prepare", prepare)
    monkeypatch.setattr(start_training, "train_aloud", lambda found, *_: print(found))
    command = command_training.train if request.param == "companion train" else train.main
    return lambda *options: CliRunner().invoke(
        command, ["--out", str(tmp_path), "--device", "cpu", *options]
    )


def test_the_recipe_is_the_one_asked_for(ask: Ask) -> None:
    assert ask().stdout.splitlines()[-1] == "demo {}"
    assert ask("--recipe", "tatoeba").stdout.splitlines()[-1] == "tatoeba {}"
    found = ask("--steps", "9", "--patience", "2").stdout.splitlines()[-1]
    assert found == "demo {'steps': 9, 'patience': 2}"


def test_the_preset_for_gpus_is_a_wider_tatoeba(ask: Ask) -> None:
    for options in ((), ("--recipe", "tatoeba"), ("--recipe", "tatoeba-gpu")):
        assert ask("--preset", "gpu", *options).stdout.splitlines()[-1] == "tatoeba-gpu {}"


def test_what_does_not_go_together_is_refused(ask: Ask, tmp_path: Path) -> None:
    refused = ask("--recipe", "grammar", "--preset", "gpu")
    assert refused.exit_code == 2
    assert "--preset gpu belongs to --recipe tatoeba, not to grammar" in refused.stderr
    here = ("--from", str(tmp_path))
    for options in (("--preset", "gpu"), ("--patience", "0"), ("--seed", "3"), here):
        refused = ask("--resume", *options)
        assert refused.exit_code == 2
        assert "--resume goes on with the settings" in refused.stderr
    refused = ask(*here, "--peer", "torch")
    assert refused.exit_code == 2
    assert "--from brings its own architecture: leave out --peer" in refused.stderr
    assert ask("--from", str(tmp_path / "none")).exit_code == 2


def test_sentence_pairs_of_ones_own(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "cmn.txt"
    path.write_text("Hi.\t嗨。\n", encoding="utf-8")
    assert ask("--preset", "gpu", "--data", str(path)).stdout.splitlines()[-1] == "tatoeba-gpu {}"
    refused = ask("--data", str(path))
    assert refused.exit_code == 2
    assert "--data belongs to --recipe tatoeba, not to demo" in refused.stderr
    assert ask("--recipe", "tatoeba", "--data", str(tmp_path / "none")).exit_code == 2


def test_a_changed_recipe_trains_on_them() -> None:
    recipe = changed(RECIPES["tatoeba"], {"precision": "float32"}, data=Path("my.tsv"))
    assert recipe.corpus == {"name": "tatoeba", "path": "my.tsv"}
    assert recipe.settings.precision == "float32"
    assert "path" not in RECIPES["tatoeba"].corpus


def test_every_recipe_can_be_asked_for() -> None:
    assert set(RECIPE_NAMES) == set(RECIPES)
