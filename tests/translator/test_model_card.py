"""The card tells what was measured, and shows failures that nobody has chosen."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.translator.alignment import AlignmentScores
from companion.translator.corpora import Sentence
from companion.translator.evaluation import Share
from companion.translator.model_card import Described, Failures, card, failures
from companion.translator.recipes import RECIPES
from companion.translator.scoring import Scores
from companion.translator.stages import commands
from companion.translator.systems import About

FACTS: dict[str, Any] = {
    "recipe": "tatoeba",
    "corpus": {"name": "tatoeba"},
    "sentences": 40000,
    "settings": {
        "steps": 9000,
        "max_tokens": 3000,
        "learning_rate": 1.5e-3,
        "warmup": 800,
        "schedule": "cosine",
        "label_smoothing": 0.1,
        "average": 0.999,
        "seed": 0,
        "precision": "bfloat16",
    },
    "step": 9000,
    "tokens": 27_000_000,
    "processor_seconds": 6000.0,
    "seconds": 6600.0,
    "device": "cpu (1 threads)",
    "torch": "2.13.0",
    "decoding": {"beam_size": 5, "alpha": 0.8},
}
WRONG = (Sentence("好|坏", ("good", "fine"), ""), "bad")


Make = Callable[..., Scores]
Describe = Callable[..., Described]


@pytest.fixture
def described(make: Make) -> Describe:
    whole = Described(
        facts=FACTS,
        vocabulary=8000,
        size=20_000_000,
        tests={"tatoeba": make(this_model=3, nn_Transformer=2)},
        alignment=[],
        failures=Failures(7, 10, 1, [WRONG]),
        measured_on="cpu (2 threads)",
    )
    return lambda **changes: whole._replace(**changes)


def test_every_nth_failure_in_the_order_of_the_test_set() -> None:
    sentences = [Sentence(str(n), ("right",), "") for n in range(200)]
    translations = ["right" if n % 2 else "wrong" for n in range(200)]
    found = failures(sentences, translations)
    assert (found.wrong, found.total, found.every) == (100, 200, 4)
    assert [int(sentence.source) for sentence, _ in found.examples] == list(range(0, 200, 8))
    assert failures(sentences, ["right"] * 200) == Failures(0, 200, 1, [])
    assert len(failures(sentences[:3], translations[:3]).examples) == 2


def test_credit_licence_recipe_scores_and_failures_are_told(described: Describe) -> None:
    text = card(described())
    for words in (
        "# The Tatoeba translator",
        "people of tatoeba.org",
        "CC BY 2.0 FR",
        "MIT licence",
        "companion train --recipe tatoeba --out runs/tatoeba",
        "models/tatoeba",
        "9,000 updates of up to 3,000 tokens",
        "100.0 minutes of processor time",
        "has not been run on a GPU",
        "beam search with 5 hypotheses, length penalty 0.8",
        "| this model | 30.0% | 20.0 | 30.0 | 5 |",
        "| nn Transformer | 20.0% |",
        "BLEU nrefs:1",
        "| 1-5 | 10 | 30.0% | 12.5 | 12.5 |",
        "7 of the 10 translations equal no reference",
        "| 好\\|坏 | bad | good / fine |",
        "## Limits",
        "Speed on cpu (2 threads)",
    ):
        assert words in " ".join(text.split()), words
    assert "Out of domain" not in text
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("|"))


def told(text: str) -> list[str]:
    """The commands of a card, each in one line."""
    lines = text.split("made by\n\n")[1].split("\n\n")[0].replace(" \\\n", "").splitlines()
    return [" ".join(line.split()) for line in lines]


def test_the_commands_are_those_that_make_this_very_card(described: Describe, make: Make) -> None:
    tests = {
        "tatoeba": make(this_model=3, nn_Transformer=2, LSTMs=1, old=0),
        "hsk": make("y", this_model=1),
    }
    train = "companion train --recipe tatoeba"
    slow = f"{train} --peer torch --learning-rate 0.0005 --out runs/slow"
    lstm = f"{train} --peer recurrent --out runs/tatoeba-recurrent"
    tests["tatoeba"].systems.update(
        {
            "nn Transformer": About("nn.Transformer", learning_rate=5e-4, commands=(slow,)),
            "LSTMs": About("LSTM with attention", learning_rate=1e-3, commands=(lstm,)),
            "old": About("nn.Transformer", recorded=True, commands=("companion train …",)),
        }
    )
    text = card(described(tests=tests, tuned=True))
    assert told(text) == [
        f"{train} --out runs/tatoeba",
        slow,
        lstm,
        "companion export runs/tatoeba companion/translator/models/tatoeba --tune --out-of-domain "
        "--peer runs/slow --peer runs/tatoeba-recurrent",
    ]
    assert "| nn Transformer | 20.0% | 20.0 | 30.0 | – | – | 0.0005 |" in text


def test_a_model_of_two_trainings_tells_of_both(described: Describe, make: Make) -> None:
    first = FACTS | {"step": 8000, "settings": FACTS["settings"] | {"steps": 8000}}
    second = {
        "recipe": "tatoeba-polish",
        "beginning": first,
        "settings": RECIPES["tatoeba-polish"].settings.to_dict() | {"consistency": 4.0},
        "step": 4000,
        "tokens": 10_000_000,
        "processor_seconds": 3000.0,
        "seconds": 3300.0,
    }
    tests = {"tatoeba": make(this_model=3, Before=2)}
    before = About("Transformer", 5, commands=tuple(commands(first)))
    tests["tatoeba"].systems["Before"] = before
    text = card(described(tests=tests, tuned=True, facts=FACTS | second))
    assert told(text) == [
        "companion train --recipe tatoeba --steps 8000 --out runs/tatoeba-steps-8000",
        "companion train --recipe tatoeba-polish --consistency 4.0 --from runs/tatoeba-steps-8000 "
        "--out runs/tatoeba-polish-consistency-4.0",
        "companion export runs/tatoeba-polish-consistency-4.0 companion/translator/models/tatoeba "
        "--tune --peer runs/tatoeba-steps-8000",
    ]
    plain = " ".join(text.split())
    for words in (
        "`tatoeba`, then `tatoeba-polish` (see",
        "`tatoeba`: - 8,000 updates",
        "`tatoeba-polish`: - 4,000 ",
        "in all: 37,000,000 tokens in 150.0 minutes",
    ):
        assert words in plain, words
    assert plain.count("R-Drop with weight 4") == 1


def test_what_is_not_known_is_not_told(described: Describe) -> None:
    text = card(described(facts={"corpus": {"name": "mine"}}))
    assert "does not tell how it was trained" in text
    assert "tatoeba.org" not in text
    own = card(described(facts=FACTS | {"recipe": "mine"}))
    assert "9,000 updates" in own
    assert "companion train" not in own
    gpu = card(described(facts=FACTS | {"device": "cuda (NVIDIA H200)", "step": 100}))
    assert "run on a GPU" not in gpu
    assert "100 (of 9,000 planned) updates" in gpu


def test_sentences_from_elsewhere_and_their_credit(described: Describe, make: Make) -> None:
    tests = {"tatoeba": make(this_model=3), "hsk": make("y", this_model=1)}
    text = card(described(tests=tests))
    assert "## Out of domain" in text
    assert "CC BY-SA 4.0" in text
    assert text.index("| this model | 30.0%") < text.index("| this model | 10.0%")


def test_the_grammars_card_has_hard_cases_compounds_and_alignment(described: Describe) -> None:
    aligned = AlignmentScores("predicts", 9, 50, [[0.2, 0.4]], [0.1], 0.6, 0.8, 0.01)
    facts = FACTS | {"corpus": {"name": "grammar"}, "recipe": "grammar"}
    text = card(described(facts=facts, alignment=[aligned], failures=Failures(0, 10, 1, [])))
    for words in ("# The grammar translator", "| unseen | 10 |", "| role_swap | 30.0% | 50.0% |"):
        assert words in text
    assert "| layer 1 | 0.20 | 0.40 | 0.10 |" in text
    assert "## Failures" not in text


@pytest.mark.parametrize("cut", [1, 2])
def test_constructions_that_are_perfect_share_a_row(
    cut: int, described: Describe, make: Make
) -> None:
    scores = make(this_model=3)
    ours = scores.ordinary["this model"]
    kinds = {"a": Share(4, 4), "b": Share(5, 5), "c": Share(cut, 5)}
    scores.ordinary["this model"] = ours._replace(by_construction=kinds)
    text = card(described(tests={"tatoeba": scores}))
    assert f"| c | {20 * cut}.0% | 5 |" in text
    assert "| the other 2 | 100.0% | 9 |" in text
