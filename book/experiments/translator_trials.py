"""What a change of the recipe does to a translator of real sentences, in miniature.

    cd book && python -m experiments.translator_trials

Needs the data: pip install 'transformer-companion[tatoeba]'. One small model is trained with three
seeds, then once more with each single change: learning rate, vocabulary, dropout, depth, norm, kind
of model (with as many parameters), and what the first third of the updates sees. BLEU is of greedy
translations of the development set; the test set is not touched. About an hour on one core;
`runs/trials.jsonl` keeps what is done, so that it can be stopped and started again. More changes
are one line each.
"""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from course import experiments

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.translator.architectures import Model, build, peer_of
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import load_weights
from companion.translator.corpora import ParallelText, load_corpus
from companion.translator.evaluation import corpus_scores
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer
from companion.translator.translator import Translator

SEEDS = [0, 1, 2]
DONE = Path(__file__).resolve().parents[2] / "runs" / "trials.jsonl"
BASE: dict[str, Any] = {
    "vocab_size": 8000,
    "han_as_characters": True,
    "layers": (4, 2),
    "norm": "pre",
    "dropout": 0.1,
    "learning_rate": 3e-3,
    "precision": "bfloat16",
    "peer": None,
    "first": None,
}
CHANGES: dict[str, dict[str, Any]] = {
    "a third of the learning rate": {"learning_rate": 1e-3},
    "4,000 tokens": {"vocab_size": 4000},
    "Chinese in pieces of any length": {"han_as_characters": False},
    "no dropout": {"dropout": 0.0},
    "dropout 0.25": {"dropout": 0.25},
    "2 + 2 layers": {"layers": (2, 2)},
    "6 + 3 layers": {"layers": (6, 3)},
    "both directions first": {"first": "both directions"},
    "the grammar first": {"first": "grammar"},
    "post-norm": {"norm": "post"},
    "nn.Transformer": {"peer": "torch"},
    "LSTMs with attention": {"peer": "recurrent"},
}
SETTINGS = TrainingSettings(
    steps=1500, max_tokens=2000, warmup=200, schedule="cosine", average=0.995
)


def config_for(trial: dict[str, Any], vocab_size: int) -> TransformerConfig:
    """The small model of a trial."""
    return TransformerConfig(
        source_vocab_size=vocab_size,
        target_vocab_size=vocab_size,
        d_model=128,
        n_encoder_layers=trial["layers"][0],
        n_decoder_layers=trial["layers"][1],
        attention=AttentionSpec(n_heads=4),
        feed_forward=FeedForwardSpec(d_ff=512),
        norm=NormSpec(position=trial["norm"]),
        dropout=trial["dropout"],
    )


def first_pairs(kind: str | None, text: ParallelText) -> list[tuple[str, str]]:
    """What the first third of the updates sees, when it is not the corpus alone."""
    if kind == "both directions":
        return [*text.train, *((target, source) for source, target in text.train)]
    return load_corpus({"name": "grammar", "seed": 0}).train if kind == "grammar" else text.train


def dev_bleu(model: Model, tokenizer: Tokenizer, text: ParallelText) -> float:
    """Of greedy translations of the development set."""
    found = Translator(model, tokenizer).translate([s.source for s in text.dev])
    return corpus_scores(found, [s.references for s in text.dev])[0].score


def run(trial: dict[str, Any], seed: int, text: ParallelText) -> dict[str, Any]:
    """Train and score one trial: with the last weights, and with their running average."""
    tokenizer = Tokenizer.train(
        (side for pair in text.train for side in pair),
        vocab_size=trial["vocab_size"],
        max_characters=2800,
        han_as_characters=trial["han_as_characters"],
    )
    settings = replace(
        SETTINGS,
        seed=seed,
        learning_rate=trial["learning_rate"],
        precision=trial["precision"],
    )
    first, batches = (
        BatchStream(encode_pairs(tokenizer, pairs), max_tokens=settings.max_tokens, seed=seed)
        for pairs in (first_pairs(trial["first"], text), text.train)
    )
    config = config_for(trial, tokenizer.vocab_size)
    torch.manual_seed(seed)
    model = build(config if trial["peer"] is None else peer_of(config, trial["peer"]))
    trainer = Trainer(model, first if trial["first"] else batches, settings)
    while trainer.step < settings.steps:
        if trainer.step == settings.steps // 3:
            trainer.batches = batches
        trainer.update()
    used = (first, batches) if trial["first"] else (batches,)
    last = dev_bleu(trainer.model, tokenizer, text)
    load_weights(trainer.model, trainer.weights(), Path("the average"))
    return {
        "bleu": round(dev_bleu(trainer.model, tokenizer, text), 2),
        "bleu_of_last_weights": round(last, 2),
        "epochs": round(sum(b.epoch + b.position / b.batches_per_epoch for b in used), 2),
        "parameters": sum(weight.numel() for weight in trainer.model.parameters()),
        "processor_minutes": round(trainer.processor_seconds / 60, 1),
    }


def finished() -> dict[str, dict[str, Any]]:
    """What an earlier start of this script has done."""
    if not DONE.exists():
        return {}
    lines = DONE.read_text(encoding="utf-8").splitlines()
    return {entry["trial"]: entry for entry in map(json.loads, lines)}


def main() -> None:
    """Run what is not done yet, and store the table."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    text = load_corpus({"name": "tatoeba"})
    planned = [(f"base, seed {seed}", {}, seed) for seed in SEEDS]
    planned += [(name, change, SEEDS[0]) for name, change in CHANGES.items()]
    done = finished()
    DONE.parent.mkdir(exist_ok=True)
    for name, change, seed in planned:
        if name not in done:
            done[name] = {"trial": name, **run(BASE | change, seed, text)}
            with DONE.open("a", encoding="utf-8") as file:
                file.write(json.dumps(done[name], ensure_ascii=False) + "\n")
            print(done[name], flush=True)
    experiments.save(
        __file__,
        configuration={"base": BASE, "changes": CHANGES, "settings": SETTINGS.to_dict()},
        seeds=SEEDS,
        results=[done[name] for name, _, _ in planned],
        seconds=sum(done[name]["processor_minutes"] for name, _, _ in planned) * 60
        or time.perf_counter() - started,
    )


if __name__ == "__main__":
    main()
