"""From a run's folder to a model for others: half precision, measured, recorded, described."""

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from companion.transformer import Transformer
from companion.translator.alignment import READINGS, AlignmentScores, score_alignment
from companion.translator.checkpoint import WEIGHTS, load_checkpoint, save_checkpoint
from companion.translator.decoding import decoding_of
from companion.translator.devices import describe_device
from companion.translator.files import write_text
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
from companion.translator.translator import Translator


def export_model(
    run: Path,
    out: Path,
    *,
    peers: Sequence[Path] = (),
    beam_size: int | None = None,
    alpha: float | None = None,
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
        peers: models to score beside it, which are recorded but not written.
        beam_size: how to decode, stored with the model; by default what its facts say.
        alpha: likewise.
        out_of_domain: also score on the HSK sentences.
        device: where to compute.

    Raises CheckpointError, UnknownCorpusError, PeerError, DataError, OSError.
    """
    model, tokenizer, facts = load_checkpoint(run)
    decoding = decoding_of(facts, beam_size=beam_size, alpha=alpha)
    facts = facts | {"decoding": decoding._asdict()}
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    shipped = Translator.load(out, device=device)
    tests = _scores(shipped, peers, out_of_domain, device)
    name = facts["corpus"]["name"]
    aligned = _alignment(shipped)
    facts = facts | {"scores": summary(tests[name])}
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    write_record(out, tests, _machine(shipped), alignment=[a.to_dict() for a in aligned])
    described = Described(
        facts=facts,
        vocabulary=tokenizer.vocab_size,
        size=(out / WEIGHTS).stat().st_size,
        tests=tests,
        alignment=aligned,
        failures=_failures(shipped, tests[name]),
    )
    write_text(out / CARD, card(described))


def _scores(
    translator: Translator, peers: Sequence[Path], out_of_domain: bool, device: str
) -> dict[str, Scores]:
    """By test set, the corpus' own first."""
    names = [translator.facts["corpus"]["name"], *([OUT_OF_DOMAIN] if out_of_domain else [])]
    return {
        name: score(translator, text=text_to_score_on(translator, name), peers=peers, device=device)
        for name in names
    }


def _failures(translator: Translator, scores: Scores) -> Failures:
    sentences = text_to_score_on(translator).cases[ORDINARY]
    return failures(sentences, scores.ordinary[MODEL].translations)


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
