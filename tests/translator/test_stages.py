"""A model's trainings: what they cost together, and the commands that make it again."""

from typing import Any

import pytest
from click.testing import CliRunner

from companion.translator import command_training, start_training
from companion.translator.recipes import RECIPES
from companion.translator.stages import commands, earlier, in_all, stages
from companion.translator.training_options import Options

SECOND: dict[str, Any] = {"recipe": "tatoeba-polish", "step": 5, "seconds": 0.5}
FIRST: dict[str, Any] = {"recipe": "tatoeba", "step": 7, "scores": "many", "sentences": 3}


def facts_of(recipe: str, **changes: Any) -> dict[str, Any]:
    return {"recipe": recipe, "settings": RECIPES[recipe].settings.to_dict() | changes}


def test_the_trainings_in_their_order_and_their_cost() -> None:
    assert earlier(FIRST) == {"recipe": "tatoeba", "step": 7}
    facts = SECOND | {"beginning": earlier(FIRST)}
    assert [stage["recipe"] for stage in stages(facts)] == ["tatoeba", "tatoeba-polish"]
    assert in_all(facts, "step") == 12
    assert in_all(facts, "seconds") is None  # the first does not tell
    assert stages(FIRST) == [FIRST]
    third = {"recipe": "demo", "beginning": earlier(facts), "step": 1}
    assert in_all(third, "step") == 13


def test_a_recipe_as_it_is_needs_no_options() -> None:
    assert commands(facts_of("demo")) == ["companion train --recipe demo --out runs/demo"]
    assert commands({"recipe": "demo"}) == commands(facts_of("demo") | {"recipe": "mine"}) == []


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_command_asks_for_is_what_the_facts_say(
    recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read by the command line itself."""
    changes = {"steps": 9, "learning_rate": 5e-4, "consistency": 1.5, "seed": 3}
    facts = facts_of(recipe, **changes) | {"peer": "torch", "corpus": {"name": recipe}}
    asked: list[Options] = []
    monkeypatch.setattr(start_training, "train_alone", asked.append)
    [command] = commands(facts)
    done = CliRunner().invoke(command_training.train, command.split()[2:])
    assert done.exit_code == 0, done.output
    [found] = asked
    assert (found.recipe, found.peer, found.changes()) == (recipe, "torch", changes)


def test_a_second_training_begins_with_the_first_and_names_its_data() -> None:
    corpus = {"name": "tatoeba", "path": "my pairs.tsv"}
    first = facts_of("tatoeba", seed=2) | {"corpus": corpus}
    second = facts_of("tatoeba-polish") | {"beginning": earlier(first), "corpus": corpus}
    assert commands(second) == [
        "companion train --recipe tatoeba --seed 2 --data 'my pairs.tsv' --out runs/tatoeba-seed-2",
        "companion train --recipe tatoeba-polish --from runs/tatoeba-seed-2 "
        "--data 'my pairs.tsv' --out runs/tatoeba-polish",
    ]
