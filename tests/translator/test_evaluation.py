"""Scores are counted right, and BLEU is sacrebleu's."""

import json
import math

import pytest
import sacrebleu

from companion.translator.corpora import Sentence
from companion.translator.evaluation import Share, corpus_scores, evaluate, shares

CASES = {
    "unseen": [
        Sentence("甲", ("a cat sleeps on the mat", "a cat is sleeping on the mat"), "plain"),
        Sentence("乙", ("the dog does not bark at all",), "negation"),
    ],
    "deeper": [Sentence("丙", ("the dog that saw the cat ran away",), "plain")],
}
ANSWERS = {
    "甲": "a cat is sleeping on the mat",
    "乙": "the dog barks not at all",
    "丙": "the dog that saw the cat ran away",
}


def translate(texts: list[str]) -> list[str]:
    return [ANSWERS[text] for text in texts]


def test_exact_match_in_total_by_case_and_by_construction() -> None:
    result = evaluate(translate, CASES)
    assert result.exact == Share(2, 3)
    assert {name: part.exact for name, part in result.by_case.items()} == {
        "unseen": Share(1, 2),
        "deeper": Share(1, 1),
    }
    assert result.by_construction == {"plain": Share(2, 2), "negation": Share(0, 1)}


def test_bleu_and_chrf_are_sacrebleus() -> None:
    result = evaluate(translate, CASES)
    hypotheses = list(ANSWERS.values())
    references = [
        [s.references[0] for case in CASES.values() for s in case],
        ["a cat is sleeping on the mat", None, None],
    ]
    assert result.bleu.score == pytest.approx(
        sacrebleu.corpus_bleu(hypotheses, references).score, abs=1e-3
    )
    assert result.chrf.score == pytest.approx(
        sacrebleu.corpus_chrf(hypotheses, references).score, abs=1e-3
    )
    assert "nrefs:var" in result.bleu.signature
    assert f"version:{sacrebleu.__version__}" in result.bleu.signature
    assert "nc:6" in result.chrf.signature


def test_perfect_translations_score_100() -> None:
    bleu, chrf = corpus_scores(["the cat sat on the mat"], [["the cat sat on the mat"]])
    assert math.isclose(bleu.score, 100, abs_tol=1e-3)
    assert math.isclose(chrf.score, 100, abs_tol=1e-3)


def test_results_are_json() -> None:
    values = json.loads(json.dumps(evaluate(translate, CASES).to_dict()))
    assert values["exact"] == {"right": 2, "total": 3, "percent": 66.67}
    assert values["bleu"].keys() == {"score", "signature"}


def test_shares() -> None:
    assert str(Share(1, 3)) == "33.3% (1/3)"
    assert Share(0, 0).percent == 0.0
    assert shares(["b", "a", "b"], [True, False, False]) == {"b": Share(1, 2), "a": Share(0, 1)}
    with pytest.raises(ValueError, match="no sentences"):
        evaluate(translate, {"unseen": []})
