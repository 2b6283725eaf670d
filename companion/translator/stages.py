"""A model may come of several trainings, each going on from the one before it.

The facts of a checkpoint hold those of the training that it came of, and under `beginning` those of
the one before it, and so on.
"""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from companion.translator.recipes import RECIPES
from companion.translator.training_options import SETTINGS

Facts = Mapping[str, Any]

_KEPT = (
    *("recipe", "peer", "beginning", "corpus", "corpus_sha256", "settings", "device", "torch"),
    *("step", "tokens", "seconds", "processor_seconds"),
)


def earlier(facts: Facts) -> dict[str, Any]:
    """What a training keeps of the facts of the checkpoint that it begins with."""
    return {name: facts[name] for name in _KEPT if facts.get(name) is not None}


def stages(facts: Facts) -> list[Facts]:
    """The facts of each training of a model, the first one first."""
    found = [facts]
    while (before := found[0].get("beginning")) is not None:
        found.insert(0, before)
    return found


def in_all(facts: Facts, name: str) -> Any:
    """The sum of a cost (`step`, `tokens`, `seconds`, …) over all trainings, None if one is silent.

    A whole number where all of them are.
    """
    costs = [stage.get(name) for stage in stages(facts)]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def commands(facts: Facts) -> list[str]:
    """The commands that train a model like this one, in order; none if no recipe is known.

    Each writes to a folder below `runs`, which is the last word of it.
    """
    found: list[str] = []
    for stage in stages(facts):
        if stage.get("recipe") not in RECIPES or not stage.get("settings"):
            return []
        told = list(_options(stage))
        before = ["--from", found[-1].split()[-1]] if found else []
        name = "-".join(word.removeprefix("--") for word in (stage["recipe"], *told))
        words = ["companion", "train", "--recipe", stage["recipe"], *told, *before]
        found.append(shlex.join([*words, *_data(stage), "--out", f"runs/{name}"]))
    return found


def _options(stage: Facts) -> Iterator[str]:
    """What a training was told beside its recipe."""
    if stage.get("peer"):
        yield from ("--peer", stage["peer"])
    plain = RECIPES[stage["recipe"]].settings.to_dict()
    for name in SETTINGS:
        value = stage["settings"].get(name, plain[name])
        if value != plain[name]:
            yield from (f"--{name.replace('_', '-')}", str(value))


def _data(stage: Facts) -> list[str]:
    path = stage.get("corpus", {}).get("path")
    return [] if path is None else ["--data", path]
