"""From a run's folder to a model for others: half precision, measured, described."""

import json
from pathlib import Path
from typing import Any

import torch

from companion.translator.checkpoint import WEIGHTS, load_checkpoint, save_checkpoint
from companion.translator.evaluation import Result
from companion.translator.files import write_text
from companion.translator.scoring import DICTIONARY, MEMORY, MODEL, Scores, score
from companion.translator.translator import Translator

CARD = "MODEL_CARD.md"


def export_model(run: Path, out: Path, *, device: str = "auto") -> None:
    """Write `out` so that `Translator.load(out)` reads it, with the scores of that very file.

    The model is stored in float16 and measured as it is read back, so the card tells of what is
    shipped and not of what was rounded. Raises CheckpointError, UnknownCorpusError, OSError.
    """
    model, tokenizer, facts = load_checkpoint(run)
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    shipped = Translator.load(out, device=device)
    scores = score(shipped)
    facts = facts | {"scores": summary(scores)}
    save_checkpoint(out, model, tokenizer, facts, dtype=torch.float16)
    size = (out / WEIGHTS).stat().st_size
    write_text(out / CARD, card(facts, scores, tokenizer.vocab_size, size))


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


def card(facts: dict[str, Any], scores: Scores, vocabulary: int, size: int) -> str:
    """The model card as Markdown; every number in it was measured or stored with the weights."""
    return "\n".join([_data(facts, vocabulary, size), _recipe(facts), _scores(scores), _LIMITS])


_LIMITS = """## Limits

It knows the grammar's words and constructions and nothing else. On other Chinese it writes
something from that small world, fluent and wrong: every character is accepted (unknown ones as
bytes), none is understood. Its scores say how well it has learned this grammar, not how well it
translates Chinese.
"""


def _data(facts: dict[str, Any], vocabulary: int, size: int) -> str:
    return f"""# The grammar translator

Chinese to English, {facts["parameters"]:,} parameters, a joint vocabulary of {vocabulary:,} tokens,
{size / 1e6:.1f} MB in half precision. It ships with the package so that the course has a trained
model to look into; `companion translate` uses it unless told otherwise.

## Data

{facts["sentences"]:,} sentence pairs that `companion.translator.grammar` generates (corpus
`{json.dumps(facts["corpus"])}`). They are made by rules written for this course; no text of others
is in them.

## Licence

MIT, like the package.
"""


def _recipe(facts: dict[str, Any]) -> str:
    settings = facts["settings"]
    return f"""## Recipe

`{facts["recipe"]}` (see `companion/translator/recipes.py`), made by

    companion train --recipe {facts["recipe"]} --out runs/{facts["recipe"]}
    companion export runs/{facts["recipe"]} companion/translator/models/grammar

- {facts["step"]:,} updates of up to {settings["max_tokens"]:,} tokens, with AdamW
- learning rate up to {settings["learning_rate"]:g} after {settings["warmup"]} updates of warm-up,
  then {settings["schedule"]}
- label smoothing {settings["label_smoothing"]:g}, {_averaging(settings["average"])}
- seed {settings["seed"]}
- hardware: {facts["device"]}, PyTorch {facts["torch"]}
- {facts["tokens"]:,} tokens in {facts["processor_seconds"] / 60:.1f} minutes of processor time,
  {facts["seconds"] / 60:.1f} minutes on the clock of a machine that may have had other work
"""


def _scores(scores: Scores) -> str:
    ours = scores.ordinary[MODEL]
    return f"""## Scores

On {ours.exact.total:,} sentences of the same grammar that are not in the training data, greedy
decoding, measured on the file that ships:

{_systems(scores.ordinary)}

BLEU: `{ours.bleu.signature}`. chrF: `{ours.chrf.signature}`.

{_constructions(ours)}
{_hard(scores.hard)}"""


def _averaging(decay: float) -> str:
    return f"running average of weights {decay:g}" if decay else "no averaging of weights"


def _systems(results: dict[str, Result]) -> str:
    rows = ["| system | exact match | BLEU | chrF |", "|---|---:|---:|---:|"]
    for name in (MODEL, MEMORY, DICTIONARY):
        if name in results:
            r = results[name]
            rows.append(
                f"| {name} | {r.exact.percent:.1f}% | {r.bleu.score:.1f} | {r.chrf.score:.1f} |"
            )
    return "\n".join(rows)


def _constructions(result: Result) -> str:
    rows = ["| construction | exact match | sentences |", "|---|---:|---:|"]
    hardest_first = sorted(result.by_construction.items(), key=lambda row: (row[1].percent, row[0]))
    for name, share in hardest_first:
        if share.right < share.total:
            rows.append(f"| {name} | {share.percent:.1f}% | {share.total} |")
    perfect = [share for share in result.by_construction.values() if share.right == share.total]
    if perfect:
        others = sum(share.total for share in perfect)
        rows.append(f"| the other {len(perfect)} | 100.0% | {others} |")
    return "\n".join(rows) + "\n"


def _hard(results: dict[str, Result]) -> str:
    if not results:
        return ""
    rows = [
        "Cases that are hard on purpose:\n",
        f"| case | sentences | {MODEL} | {MEMORY} |",
        "|---|---:|---:|---:|",
    ]
    for name, share in results[MODEL].by_case.items():
        memory = results[MEMORY].by_case[name]
        rows.append(f"| {name} | {share.total} | {share.percent:.1f}% | {memory.percent:.1f}% |")
    return "\n".join(rows) + "\n"
