"""The model card's recipe: how the model was made, in commands and in numbers."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.translator.decoding import decoding_of
from companion.translator.scoring import MODEL, OUT_OF_DOMAIN, Scores
from companion.translator.stages import Facts, commands, in_all, stages


def recipe_section(facts: Facts, tests: Mapping[str, Scores], *, tuned: bool) -> str:
    """The commands that make the model and its scores again, its settings, and what it cost."""
    trainings = stages(facts)
    if any(not stage.get("settings") or stage.get("recipe") is None for stage in trainings):
        return "## Recipe\n\nThe checkpoint does not tell how it was trained.\n"
    made = _made_by(facts, tests, tuned)
    names = ", then ".join(f"`{stage['recipe']}`" for stage in trainings)
    names += " (see `companion/translator/recipes.py`)" + (", made by" if made else "")
    several = len(trainings) > 1
    gap = "\n\n" if several else "\n"
    settings = "\n\n".join(_settings(stage, several=several) for stage in trainings)
    return f"""## Recipe

{textwrap.fill(names, 100, break_on_hyphens=False)}{made}

{settings}{gap}{_listed(_whole(facts))}
"""


def _settings(facts: Facts, *, several: bool) -> str:
    """One training's."""
    settings = facts["settings"]
    lines = [
        f"{_steps(facts)} updates of up to {settings['max_tokens']:,} tokens, with AdamW",
        f"learning rate up to {settings['learning_rate']:g} after {settings['warmup']} updates of "
        f"warm-up, then {settings['schedule']}",
        f"label smoothing {settings['label_smoothing']:g}, {_averaging(settings['average'])}",
        *_consistency(settings.get("consistency", 0.0)),
        f"seed {settings['seed']}, {settings.get('precision', 'float32')}",
        f"hardware: {facts['device']}, PyTorch {facts['torch']}",
        _cost(facts),
    ]
    return f"`{facts['recipe']}`:\n\n{_listed(lines)}" if several else _listed(lines)


def _whole(facts: Facts) -> list[str]:
    """What is told once, however many trainings there were."""
    trainings = stages(facts)
    lines = []
    if len(trainings) > 1:
        lines.append(f"in all: {_cost({name: in_all(facts, name) for name in _COSTS})}")
    if all(str(stage["device"]).startswith("cpu") for stage in trainings):
        lines.append("the recipe has not been run on a GPU")
    return [*lines, f"decoding: {decoding_of(dict(facts))}"]


_COSTS = ("tokens", "processor_seconds", "seconds")


def _cost(facts: Mapping[str, Any]) -> str:
    return (
        f"{facts['tokens']:,} tokens in {facts['processor_seconds'] / 60:,.1f} minutes of "
        f"processor time, {facts['seconds'] / 60:,.1f} minutes on the clock of a machine that may "
        "have had other work"
    )


def _listed(lines: list[str]) -> str:
    return "\n".join(
        textwrap.fill(f"- {line}", 100, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines
    )


def _steps(facts: Facts) -> str:
    step, planned = facts["step"], facts["settings"]["steps"]
    return f"{step:,}" if step == planned else f"{step:,} (of {planned:,} planned)"


def _averaging(decay: float) -> str:
    return f"running average of weights {decay:g}" if decay else "no averaging of weights"


def _consistency(weight: float) -> Iterator[str]:
    if weight:
        yield f"R-Drop with weight {weight:g}: every sentence is read twice, and counted once here"


def _made_by(facts: Facts, tests: Mapping[str, Scores], tuned: bool) -> str:
    own = commands(facts)
    if not own:
        return ""
    trainings = dict.fromkeys(own)
    export = [f"companion export {_folder(own)} companion/translator/models/"]
    export[0] += facts["corpus"]["name"]
    export += ["--tune"] * tuned + ["--out-of-domain"] * (OUT_OF_DOMAIN in tests)
    for name, about in next(iter(tests.values())).systems.items():
        if name != MODEL and about.commands and not about.recorded:
            trainings |= dict.fromkeys(about.commands)
            export.append(f"--peer {_folder(about.commands)}")
    lines = [line for command in (*trainings, " ".join(export)) for line in _broken(command)]
    return "\n\n" + textwrap.indent("\n".join(lines), "    ")


def _folder(trainings: Sequence[str]) -> str:
    return trainings[-1].split()[-1]


def _broken(command: str) -> list[str]:
    """In lines of at most 96 characters, as a shell takes them."""
    *lines, last = textwrap.wrap(
        command, 92, break_on_hyphens=False, break_long_words=False, subsequent_indent="  "
    )
    return [*(f"{line} \\" for line in lines), last]
