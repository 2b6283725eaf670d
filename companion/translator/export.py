"""From a run's folder to a model for others: half precision, measured, recorded, described."""

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from companion._files import write_text
from companion.transformer import Transformer
from companion.translator.alignment import READINGS, AlignmentScores, score_alignment
from companion.translator.checkpoint import WEIGHTS, load_checkpoint, save_checkpoint
from companion.translator.corpora import ParallelText, describe_corpus
from companion.translator.decoding import decoding_of
from companion.translator.devices import describe_device
from companion.translator.information import versions
from companion.translator.model_card import CARD, Described, Failures, card, failures
from companion.translator.recorded import write_record
from companion.translator.scoring import (
    MODEL,
    ORDINARY,
    OUT_OF_DOMAIN,
    Scores,
    grammar_corpus,
    score,
    text_to_score_on,
)
from companion.translator.systems import load_peers
from companion.translator.translator import Translator
from companion.translator.tuning import RECORD, Trained, write_training_record


def export_model(
    run: Path,
    out: Path,
    *,
    peers: Sequence[Path] = (),
    beam_size: int | None = None,
    alpha: float | None = None,
    consensus: float | None = None,
    tune: bool = False,
    out_of_domain: bool = False,
    device: str = "auto",
) -> None:
    """Write `out` so that `Translator.load(out)` reads it, with the scores of that very file.

    The model is stored in float16 and measured as it is read back, so that the scores tell of what
    is shipped and not of what was rounded. `run` may be `out`, which measures a model anew without
    a change of its weights.

    Args:
        run: folder of a training, or of any checkpoint.
        out: folder for the model, `scores.json` and the model card.
        peers: models to score beside it on the corpus' own test; recorded but not written.
        beam_size: how to decode, stored with the model; by default what its facts say.
        alpha, consensus: likewise.
        tune: choose all three on the development set instead, and write `training.json`.
        out_of_domain: also score on the HSK sentences, beside the baselines.
        device: where to compute.

    Raises CheckpointError, UnknownCorpusError, PeerError, DataError, NoLogError, OSError.
    """
    model, tokenizer, facts = load_checkpoint(run)
    decoding = decoding_of(facts, beam_size=beam_size, alpha=alpha, consensus=consensus)
    facts = facts | {"decoding": decoding._asdict()}
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    shipped = Translator.load(out, device=device)
    name = facts["corpus"]["name"]
    wanted = [name, OUT_OF_DOMAIN] if out_of_domain else [name]
    texts = {wish: text_to_score_on(shipped, wish) for wish in wanted}
    if tune:
        shipped.facts = facts = facts | _tuned(run, out, shipped, texts[name], peers)
    tests = _scored(shipped, texts, peers, device)
    facts = facts | {"scores": summary(tests[name])}
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    found = failures(texts[name].cases[ORDINARY], tests[name].ordinary[MODEL].translations)
    _describe(out, shipped, facts, tests, found)


def _scored(
    shipped: Translator, texts: dict[str, ParallelText], peers: Sequence[Path], device: str
) -> dict[str, Scores]:
    own = next(iter(texts))
    return {
        name: score(shipped, text=text, peers=peers if name == own else (), device=device)
        for name, text in texts.items()
    }


def _tuned(
    run: Path, out: Path, shipped: Translator, text: ParallelText, peers: Sequence[Path]
) -> dict[str, Any]:
    systems = load_peers(peers, text, decoding_of(shipped.facts))
    # Earlier trainings of its own kind are compared closely. The others have no cache, or none like
    # ours: a bad model that finds no end takes longer than everything else together.
    kind = type(shipped.model)
    named = {
        system.name: Trained(folder, other if other and type(other.model) is kind else None)
        for system, folder in zip(systems, peers, strict=True)
        for other in (system.translator,)
    }
    data = describe_corpus(shipped.facts["corpus"], text)
    best = write_training_record(run, out, shipped, text.dev, data, peers=named)
    return {"decoding": best._asdict()}


def _describe(
    out: Path,
    translator: Translator,
    facts: dict[str, Any],
    tests: dict[str, Scores],
    found: Failures,
) -> None:
    """Write the record and the card."""
    aligned, machine = _alignment(translator), _machine(translator)
    write_record(out, tests, machine, alignment=[a.to_dict() for a in aligned])
    described = Described(
        facts=facts,
        vocabulary=translator.tokenizer.vocab_size,
        size=(out / WEIGHTS).stat().st_size,
        tests=tests,
        alignment=aligned,
        failures=found,
        measured_on=machine["device"],
        tuned=(out / RECORD).exists(),
    )
    write_text(out / CARD, card(described))


def summary(scores: Scores) -> dict[str, Any]:
    """The scores worth carrying in the checkpoint itself."""
    return {
        name: {
            "exact_match": round(result.exact.percent, 2),
            "sentences": result.exact.total,
            "bleu": result.bleu.score,
            "chrf": result.chrf.score,
        }
        for name, result in scores.ordinary.items()
    }


def _alignment(translator: Translator) -> list[AlignmentScores]:
    spec = translator.facts["corpus"]
    if spec["name"] != "grammar" or not isinstance(translator.model, Transformer):
        return []
    pairs = grammar_corpus(spec).test
    return [score_alignment(translator, pairs, reading=reading) for reading in READINGS]


def _machine(translator: Translator) -> dict[str, str]:
    known = versions()
    return {
        "device": describe_device(translator.device),
        "processor": platform.machine(),
        **{name: known[name] for name in ("python", "torch", "tokenizers", "sacrebleu")},
    }
