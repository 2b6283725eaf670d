"""The model of real sentences that ships: what its card says, and what was promised of it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.translator.architectures import count
from companion.translator.corpora import load_corpus
from companion.translator.decoding import Decoding
from companion.translator.model_card import CARD
from companion.translator.recipes import RECIPES
from companion.translator.recorded import SCORES, read_record
from companion.translator.scoring import MODEL, ORDINARY, sentences_sha256
from companion.translator.settings import TrainingSettings
from companion.translator.stages import commands, stages
from companion.translator.translator import Translator, shipped_folder
from companion.translator.tuning import RECORD

FOLDER = shipped_folder("tatoeba")


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(device="cpu")


def test_it_is_the_default_and_small_enough(translator: Translator) -> None:
    assert shipped_folder() == FOLDER
    names = {"config.json", "tokenizer.json", "model.safetensors", CARD, SCORES, RECORD}
    assert {path.name for path in FOLDER.iterdir()} == names
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 25_000_000
    assert count(translator.model.config) == translator.facts["parameters"] <= 12_000_000


def test_long_time_no_see(translator: Translator) -> None:
    decoding = translator.facts["decoding"]
    assert translator.translate(["好久不见", "好久不見"], **decoding) == ["Long time no see."] * 2
    assert translator.translate(["我喜欢这本书。"], **decoding) == ["I like this book."]


def test_it_was_trained_as_make_translator_trains(translator: Translator) -> None:
    made = commands(translator.facts)
    assert made == [
        "companion train --recipe tatoeba --out runs/tatoeba",
        "companion train --recipe tatoeba-polish --steps 3300 --from runs/tatoeba "
        "--out runs/tatoeba-polish-steps-3300",
        "companion train --recipe tatoeba-polish --seed 1 --from runs/tatoeba-polish-steps-3300 "
        "--out runs/tatoeba-polish-seed-1",
    ]
    for stage in stages(translator.facts):
        ours = RECIPES[stage["recipe"]].settings
        stored = TrainingSettings.from_dict(stage["settings"])
        assert replace(stored, steps=ours.steps, seed=ours.seed) == ours
        assert stage["corpus_sha256"] == translator.facts["corpus_sha256"]
    config = RECIPES["tatoeba"].model(translator.tokenizer.vocab_size)
    assert translator.model.config == config
    asked = [line.split("--out")[0].split("train ")[1].split("--from")[0] for line in made]
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    called = re.findall(r"call TRAIN,(\S+?),\$\(RUN\)(?:-\d)?(?:,(--\w+ \d+))?", makefile)
    assert [f"--recipe {recipe} {options}".strip() for recipe, options in called] == [
        words.strip() for words in asked
    ]


def test_it_was_scored_on_the_fixed_test_set_of_the_corpus_as_it_is(translator: Translator) -> None:
    text = load_corpus(translator.facts["corpus"])
    assert text.fingerprint() == translator.facts["corpus_sha256"]
    scores = read_record(FOLDER)["tatoeba"]
    assert scores.test_sha256 == sentences_sha256([text.cases[ORDINARY]])
    assert scores.ordinary[MODEL].exact.total == len(text.cases[ORDINARY]) >= 2000
    assert scores.leaked == 0


def test_the_floor_is_kept_and_the_card_says_the_recorded_scores() -> None:
    scores = read_record(FOLDER)["tatoeba"].ordinary
    ours, memory = scores[MODEL], scores["nearest neighbour"]
    assert "case:mixed" in ours.bleu.signature
    assert "tok:13a" in ours.bleu.signature
    assert ours.bleu.score > 28
    assert ours.bleu.score > memory.bleu.score + 10
    card = (FOLDER / CARD).read_text(encoding="utf-8")
    row = re.search(rf"\| {MODEL} \| (.*?)% \| (.*?) \| (.*?) \|", card)
    assert row is not None
    assert row.groups() == (
        f"{ours.exact.percent:.1f}",
        f"{ours.bleu.score:.1f}",
        f"{ours.chrf.score:.1f}",
    )
    for words in ("CC BY 2.0", "## Limits", "## Failures", "has not been run on a GPU"):
        assert words in card


def test_the_decoding_was_chosen_on_the_development_set(translator: Translator) -> None:
    rows = json.loads((FOLDER / RECORD).read_text(encoding="utf-8"))["decoding"]
    best = max(rows, key=lambda row: row["bleu"])
    assert translator.facts["decoding"] == {k: best[k] for k in Decoding._fields}
