"""What translates, whatever it is: the model, its peers, the baselines; with cost and speed."""

import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.translator.architectures import kind_of
from companion.translator.corpora import ParallelText
from companion.translator.decoding import Decoding
from companion.translator.errors import UserError
from companion.translator.evaluation import Translate
from companion.translator.stages import commands, in_all, stages
from companion.translator.translator import Translator

# By the kind of their configuration, which for a peer is what `companion train --peer` calls it.
NAMES = {
    "transformer": "Transformer",
    "torch": "nn.Transformer",
    "recurrent": "LSTM with attention",
}
# Sentences that are translated one at a time to know how long one takes.
_SINGLE = 25


class PeerError(UserError, ValueError):
    """A model cannot stand beside another: it learned from other sentences."""


class Speed(NamedTuple):
    """How fast a system is on the machine that measured it."""

    sentences_per_second: float
    """All test sentences at once, in batches of like lengths."""
    tokens_per_second: float | None
    """Likewise, in tokens written; None for what writes no tokens."""
    milliseconds: float
    """One sentence alone: the median of some sentences, evenly spaced over the test set."""


class About(NamedTuple):
    """What a system is and what its training cost; None where that is no question."""

    architecture: str | None = None
    parameters: int | None = None
    updates: int | None = None
    tokens: int | None = None
    """Source and target tokens seen in training."""
    processor_minutes: float | None = None
    device: str | None = None
    recorded: bool = False
    """Whether the scores come from `scores.json` and not from this machine."""
    speed: Speed | None = None
    learning_rate: float | None = None
    """The highest one of the (first) training."""
    commands: tuple[str, ...] = ()
    """What trains it, where its recipe is known; the last word of each is the folder."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return self._asdict() | {"speed": self.speed and self.speed._asdict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "About":
        """The inverse of `to_dict`. Raises KeyError or TypeError for anything else."""
        speed = values["speed"]
        told = {"speed": speed and Speed(**speed), "commands": tuple(values.get("commands", ()))}
        return cls(**(dict(values) | told))


class System(NamedTuple):
    """Something that translates, under the name that it has in tables."""

    name: str
    translate: Translate
    about: About = About()
    translator: Translator | None = None


def model_system(name: str, translator: Translator, decoding: Decoding) -> System:
    """A trained model as a system."""

    def translate(texts: Sequence[str]) -> list[str]:
        return translator.translate(texts, **decoding._asdict())

    return System(name, translate, _about(translator), translator)


def _about(translator: Translator) -> About:
    facts = translator.facts
    seconds = in_all(facts, "processor_seconds")
    return About(
        architecture=NAMES[kind_of(translator.model.config)],
        parameters=sum(weight.numel() for weight in translator.model.parameters()),
        updates=in_all(facts, "step"),
        tokens=in_all(facts, "tokens"),
        processor_minutes=None if seconds is None else round(seconds / 60, 1),
        device=facts.get("device"),
        learning_rate=stages(facts)[0].get("settings", {}).get("learning_rate"),
        commands=tuple(commands(facts)),
    )


def load_peers(
    folders: Sequence[Path], text: ParallelText, decoding: Decoding, *, device: str = "auto"
) -> list[System]:
    """Trained models to stand beside the one that is scored, named by their architecture.

    A Transformer, which that one is itself, is told from it by its recipe and options.
    Raises CheckpointError, and PeerError for one that was not trained on the very pairs of `text`
    (and so may have seen its test sentences).
    """
    fingerprint = text.fingerprint()
    peers: list[System] = []
    for folder in folders:
        translator = Translator.load(folder, device=device)
        if translator.facts.get("corpus_sha256") != fingerprint:
            raise PeerError(
                f"the model in {folder} was trained on other sentences, perhaps on the test "
                "sentences: it cannot be compared"
            )
        kind, made = kind_of(translator.model.config), commands(translator.facts)
        name = NAMES[kind]
        if kind == "transformer" and made:
            name = f"{name} ({made[-1].split('/')[-1]})"
        if any(peer.name == name for peer in peers):
            name = f"{name} ({folder.name})"
        peers.append(model_system(name, translator, decoding))
    return peers


class Stopwatch:
    """A system's `translate`, which notes how long it took."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.sentences, self.tokens, self.seconds = 0, 0, 0.0

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Translate, all at once."""
        start = time.perf_counter()
        translations = self.system.translate(texts)
        self.seconds += time.perf_counter() - start
        self.sentences += len(texts)
        if self.system.translator is not None:
            tokenizer = self.system.translator.tokenizer
            self.tokens += sum(len(tokenizer.encode(text)) + 1 for text in translations)
        return translations

    def speed(self, texts: Sequence[str]) -> Speed:
        """The speed so far, and that of some of `texts` one at a time."""
        times = []
        for text in texts[:: max(len(texts) // _SINGLE, 1)][:_SINGLE]:
            start = time.perf_counter()
            self.system.translate([text])
            times.append(time.perf_counter() - start)
        seconds = max(self.seconds, 1e-9)
        return Speed(
            sentences_per_second=round(self.sentences / seconds, 2),
            tokens_per_second=round(self.tokens / seconds, 1) if self.tokens else None,
            milliseconds=round(1000 * statistics.median(times), 2),
        )
