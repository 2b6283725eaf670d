"""The model card's recipe: how the model was made, in commands and in numbers."""

import textwrap
from collections.abc import Mapping
from typing import Any

from companion.translator.decoding import decoding_of
from companion.translator.scoring import OUT_OF_DOMAIN, Scores
from companion.translator.systems import KINDS, About

_PEERS = {KINDS["TorchTransformer"]: "torch", KINDS["RecurrentSeq2Seq"]: "recurrent"}


def recipe_section(facts: dict[str, Any], tests: Mapping[str, Scores], *, tuned: bool) -> str:
    """The commands that make the model and its scores again, its settings, and what it cost."""
    settings, name = facts.get("settings", {}), facts.get("recipe")
    if not settings or name is None:
        return "## Recipe\n\nThe checkpoint does not tell how it was trained.\n"
    on_cpu = str(facts["device"]).startswith("cpu")
    lines = [
        f"{_steps(facts)} updates of up to {settings['max_tokens']:,} tokens, with AdamW",
        f"learning rate up to {settings['learning_rate']:g} after {settings['warmup']} updates of "
        f"warm-up, then {settings['schedule']}",
        f"label smoothing {settings['label_smoothing']:g}, {_averaging(settings['average'])}",
        f"seed {settings['seed']}, {settings.get('precision', 'float32')}",
        f"hardware: {facts['device']}, PyTorch {facts['torch']}"
        + (". The recipe has not been run on a GPU." if on_cpu else ""),
        f"{facts['tokens']:,} tokens in {facts['processor_seconds'] / 60:,.1f} minutes of "
        f"processor time, {facts['seconds'] / 60:,.1f} minutes on the clock of a machine that may "
        "have had other work",
    ]
    listed = "\n".join(
        textwrap.fill(f"- {line}", 100, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines
    )
    return f"""## Recipe

`{name}` (see `companion/translator/recipes.py`), made by

{_commands(facts, tests, tuned)}

{listed}
- decoding: {decoding_of(facts)}
"""


def _steps(facts: dict[str, Any]) -> str:
    step, planned = facts["step"], facts["settings"]["steps"]
    return f"{step:,}" if step == planned else f"{step:,} (of {planned:,} planned)"


def _averaging(decay: float) -> str:
    return f"running average of weights {decay:g}" if decay else "no averaging of weights"


def _commands(facts: dict[str, Any], tests: Mapping[str, Scores], tuned: bool) -> str:
    name, settings = facts["recipe"], facts["settings"]
    trainings = [f"companion train --recipe {name} --out runs/{name}"]
    export = [f"companion export runs/{name} companion/translator/models/{facts['corpus']['name']}"]
    export += ["--tune"] * tuned + ["--out-of-domain"] * (OUT_OF_DOMAIN in tests)
    for about in next(iter(tests.values())).systems.values():
        if about.architecture in _PEERS and not about.recorded:
            peer = _PEERS[about.architecture]
            trainings.append(_training_of_peer(name, peer, about, settings["learning_rate"]))
            export.append(f"--peer runs/{name}-{peer}")
    wrapped = textwrap.wrap(" ".join(export), 92, break_on_hyphens=False)
    lines = [*trainings, *(f"{line} \\" for line in wrapped[:-1]), wrapped[-1]]
    return textwrap.indent("\n".join(lines), "    ")


def _training_of_peer(name: str, peer: str, about: About, ours: float) -> str:
    own = about.learning_rate not in (None, ours)
    rate = f" --learning-rate {about.learning_rate:g}" if own else ""
    return f"companion train --recipe {name} --peer {peer}{rate} --out runs/{name}-{peer}"
