"""The model that ships is the one its card describes, and knows what the course says it knows."""

import json
import re
import subprocess
import sys

import pytest

from companion.translator.model_card import CARD
from companion.translator.recorded import SCORES, read_record
from companion.translator.scoring import MODEL
from companion.translator.tokenizer import Tokenizer
from companion.translator.translator import Translator, shipped_folder

GRAMMAR = shipped_folder("grammar")


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.shipped("grammar", device="cpu")


def test_long_time_no_see(translator: Translator) -> None:
    assert translator.translate(["好久不见", "好久不见。"]) == ["long time no see"] * 2
    assert translator.translate(["好久不见"], beam_size=4) == ["long time no see"]
    assert [step.chosen for step in translator.steps("好久不见")] == [
        "long",
        "time",
        "no",
        "see",
        "<eos>",
    ]


def test_it_was_trained_on_the_grammar_as_it_is_and_translates_unseen_sentences() -> None:
    """Fails when the grammar has changed since: then the model must be trained and exported anew.

    In a process of its own, without the run-time type checks that slow the grammar down.
    """
    command = [
        "evaluate",
        "--corpus",
        "grammar",
        "--device",
        "cpu",
        "--no-baselines",
        "--limit",
        "300",
        "--json",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "companion.translator", *command],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    exact = json.loads(done.stdout)["ordinary"][MODEL]["exact"]
    assert exact["total"] == 300
    assert exact["percent"] >= 95


def test_common_words_and_characters_are_one_token() -> None:
    tokenizer = Tokenizer.load(GRAMMAR / "tokenizer.json")
    assert tokenizer.pieces(tokenizer.encode("好久不见")) == ["好", "久", "不", "见"]
    assert tokenizer.pieces(tokenizer.encode("long time no see")) == ["long", "time", "no", "see"]


def test_it_is_small_and_whole() -> None:
    files = {path.name: path.stat().st_size for path in GRAMMAR.iterdir()}
    assert files.keys() == {"config.json", "tokenizer.json", "model.safetensors", SCORES, CARD}
    assert sum(files.values()) < 5_000_000


def test_the_card_tells_the_scores_that_are_stored(translator: Translator) -> None:
    scores = translator.facts["scores"][MODEL]
    card = (GRAMMAR / CARD).read_text(encoding="utf-8")
    assert f"On {scores['sentences']:,} sentences" in card
    number = r"([\d.]+)"
    (row,) = re.findall(rf"\| {MODEL} \| {number}% \| {number} \| {number} \| [\d,]+ \|", card)
    assert row == (
        f"{scores['exact_match']:.1f}",
        f"{scores['bleu']:.1f}",
        f"{scores['chrf']:.1f}",
    )
    recorded = read_record(GRAMMAR)["grammar"].ordinary[MODEL]
    assert recorded.bleu.score == scores["bleu"]
    assert scores["exact_match"] >= 95
    assert scores["sentences"] >= 1000
