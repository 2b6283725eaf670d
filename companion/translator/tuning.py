"""How to decode is chosen on the development set, and what the choice looked at is kept.

`training.json` beside a model that ships holds, for its readers, what a run's folder knew and what
was decided on the development set:

    {"format": 1, "steps": …, "curve": {…}, "held_out": […], "data": {…},
     "peers": {"nn.Transformer": {"steps": …, "curve": {…}, "held_out": […], "greedy_bleu": …}, …},
     "decoding": [{"beam_size": 1, "alpha": 0.6, "consensus": 0.0, "bleu": …}, …],
     "spellings_of_bleu": {…}}
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from companion._files import write_json
from companion.translator.corpora import Sentence
from companion.translator.decoding import Decoding
from companion.translator.errors import UserError
from companion.translator.evaluation import corpus_scores
from companion.translator.runs import LOG, read_log
from companion.translator.translator import Translator

RECORD = "training.json"
_FORMAT = 1
# Greedy, beams with less and more favour for long translations, then hypotheses that agree on one.
# Of temperatures from 0.3 to 1 that one was best on half of Tatoeba's development set.
CANDIDATES = (
    Decoding(1, 0.6),
    *(Decoding(5, alpha) for alpha in (0.3, 0.6, 1.0)),
    Decoding(10, 0.6),
    Decoding(10, 0.6, 0.7),
)


class Trained(NamedTuple):
    """The folder of a training, and its model if it is to be compared by BLEU as well."""

    folder: Path
    translator: Translator | None = None


class NoLogError(UserError, ValueError):
    """The folder is not that of a training."""


def choose_decoding(
    translator: Translator,
    dev: Sequence[Sentence],
    candidates: Sequence[Decoding] | None = None,
) -> tuple[Decoding, list[dict[str, Any]]]:
    """The candidate with the best BLEU on the development set, and the BLEU of each.

    By default these are `CANDIDATES`. Of equal ones the first counts. Raises ValueError without
    sentences.
    """
    if not dev:
        raise ValueError("there are no development sentences to choose the decoding on")
    candidates = CANDIDATES if candidates is None else candidates
    rows = []
    for candidate in candidates:
        found = translator.translate([s.source for s in dev], **candidate._asdict())
        bleu = corpus_scores(found, [s.references for s in dev])[0].score
        rows.append({**candidate._asdict(), "bleu": bleu})
    best = max(range(len(rows)), key=lambda index: rows[index]["bleu"])
    return candidates[best], rows


def spellings_of_bleu(
    translations: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, float]:
    """BLEU of the very same translations, counted in the ways that papers and repositories do."""
    from sacrebleu.metrics.bleu import BLEU

    def lower(text: str) -> str:
        return text.lower()

    def words(text: str) -> str:
        """Our own tokens: letters and marks apart, as word-level models split them."""
        spaced = "".join(f" {c} " if not (c.isalnum() or c in " '") else c for c in text.lower())
        return " ".join(spaced.split())

    def stripped(text: str) -> str:
        return " ".join("".join(c for c in text.lower() if c.isalnum() or c in " '").split())

    first = [row[:1] for row in references]
    own = BLEU(tokenize="none", force=True)
    split = [[words(row[0]) for row in first]]
    return {
        "cased, 13a, all references": corpus_scores(translations, references)[0].score,
        "cased, 13a, one reference": corpus_scores(translations, first)[0].score,
        "lower case": corpus_scores(
            [lower(t) for t in translations], [[lower(r) for r in row] for row in references]
        )[0].score,
        "lower case, own tokens, one reference": round(
            own.corpus_score([words(t) for t in translations], split).score, 4
        ),
        "lower case, marks left out": corpus_scores(
            [stripped(t) for t in translations],
            [[stripped(r) for r in row] for row in references],
        )[0].score,
    }


def write_training_record(
    run: Path,
    out: Path,
    translator: Translator,
    dev: Sequence[Sentence],
    data: dict[str, Any],
    *,
    peers: Mapping[str, Trained] | None = None,
    points: int = 300,
) -> Decoding:
    """Write `training.json` into `out`; returns the decoding that did best on `dev`.

    Args:
        run: the folder of the training, with its log.
        data: a report on the corpus, stored as it is.
        peers: other trainings to keep the curves and the BLEU of as well, by name; one without a
            log is left out. BLEU is that of greedy decoding, which no choice favours.
        points: at most so many points of each curve, each the mean of the updates it stands for.

    Raises NoLogError, ValueError without sentences, OSError.
    """
    entries = read_log(run / LOG)
    if not entries:
        raise NoLogError(
            f"there is no log of a training in {run}: give the folder of a run, or leave out --tune"
        )
    others = {name: _other(peer, dev, points) for name, peer in (peers or {}).items()}
    best, rows = choose_decoding(translator, dev)
    found = translator.translate([s.source for s in dev], **best._asdict())
    write_json(
        out / RECORD,
        {
            "format": _FORMAT,
            **_course(entries, points),
            "peers": {name: course for name, course in others.items() if course},
            "decoding": rows,
            "spellings_of_bleu": spellings_of_bleu(found, [s.references for s in dev]),
            "data": data,
        },
    )
    return best


def _other(peer: Trained, dev: Sequence[Sentence], points: int) -> dict[str, Any]:
    entries = read_log(peer.folder / LOG)
    if not entries:
        return {}
    course = _course(entries, points)
    if peer.translator is None:
        return course
    found = peer.translator.translate([s.source for s in dev])
    bleu = corpus_scores(found, [s.references for s in dev])[0].score
    return course | {"greedy_bleu": bleu}


def _course(entries: Sequence[dict[str, Any]], points: int) -> dict[str, Any]:
    """How a training went."""
    return {
        "steps": entries[-1]["step"],
        "curve": thinned(entries, points),
        "held_out": _held_out(entries),
    }


def _held_out(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"step": entry["step"], "loss": round(entry["dev_loss"], 4)}
        for entry in entries
        if entry.get("dev_loss") is not None
    ]


def thinned(entries: Sequence[dict[str, Any]], points: int) -> dict[str, list[Any]]:
    """Curves of at most `points` points: means over equal stretches of the log."""
    count = min(points, len(entries))
    cuts = [round(i * len(entries) / count) for i in range(count + 1)]
    stretches = [entries[start:end] for start, end in pairwise(cuts)]

    def means(name: str) -> list[float]:
        return [round(sum(e[name] for e in part) / len(part), 6) for part in stretches]

    speed = [sum(e["tokens"] for e in p) / sum(e["seconds"] for e in p) for p in stretches]
    return {
        "step": [part[-1]["step"] for part in stretches],
        "loss": means("loss"),
        "learning_rate": means("learning_rate"),
        "gradient_norm": means("gradient_norm"),
        "tokens_a_second": [round(value) for value in speed],
    }
