"""Decoding is chosen by the development set, and the record of a training says what it was."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.translator.corpora import Sentence
from companion.translator.decoding import Decoding
from companion.translator.translator import Translator
from companion.translator.tuning import (
    RECORD,
    Trained,
    choose_decoding,
    spellings_of_bleu,
    thinned,
    write_training_record,
)

DEV = [Sentence("甲", ("one two three four five",), ""), Sentence("乙", ("a b c d e",), "")]


class Stand(Translator):
    """Translates well with a beam of 3, and badly otherwise."""

    def __init__(self) -> None:
        """There is no model."""

    def translate(self, texts: Sequence[str], *, beam_size: int = 1, **_: float) -> list[str]:
        assert texts == ["甲", "乙"]
        good = [sentence.references[0] for sentence in DEV]
        return good if beam_size == 3 else [good[0], "x"]


def test_the_best_on_the_development_set_is_chosen() -> None:
    candidates = [Decoding(1), Decoding(3, 0.2), Decoding(3, 0.9), Decoding(4)]
    best, rows = choose_decoding(Stand(), DEV, candidates)
    assert best == Decoding(3, 0.2)  # of equal ones the first
    assert [row["beam_size"] for row in rows] == [1, 3, 3, 4]
    assert rows[1]["bleu"] == pytest.approx(100)
    assert rows[0]["bleu"] < 90
    with pytest.raises(ValueError, match="no development sentences"):
        choose_decoding(Stand(), [], candidates)


def test_the_same_translations_have_many_bleus() -> None:
    values = spellings_of_bleu(
        ["Is that a Blue bird over there?", "we saw the Red house ."],
        [
            ["Is that a blue bird over there?", "Is it a Blue bird over there?"],
            ["We saw the red house."],
        ],
    )
    names = list(values)
    cased, single, lower, own, stripped = (values[name] for name in names)
    assert single <= cased < lower <= 100
    assert own == pytest.approx(100, abs=0.01)
    assert stripped == pytest.approx(100, abs=0.01)


def test_curves_are_thinned_by_means() -> None:
    log = [
        {"step": i + 1, "loss": float(i), "learning_rate": 1.0, "gradient_norm": 2.0}
        | {"tokens": 10 * (i + 1), "seconds": 2.0}
        for i in range(10)
    ]
    curve = thinned(log, 5)
    assert curve["step"] == [2, 4, 6, 8, 10]
    assert curve["loss"] == [0.5, 2.5, 4.5, 6.5, 8.5]
    assert curve["tokens_a_second"][0] == round((10 + 20) / 4)
    assert thinned(log, 100)["loss"] == [float(i) for i in range(10)]


def test_the_record_of_a_training(tmp_path: Path) -> None:
    line = {"step": 1, "loss": 3.0, "learning_rate": 1e-3, "gradient_norm": 1.0}
    rest = {"tokens": 9, "seconds": 0.5}
    entries = [line | rest, line | rest | {"step": 2, "dev_loss": 2.25}]
    log = "".join(json.dumps(entry) + "\n" for entry in entries)
    (tmp_path / "log.jsonl").write_text(log, encoding="utf-8")
    peer, silent = tmp_path / "peer", tmp_path / "silent"
    for folder in (peer, silent):
        folder.mkdir()
    (peer / "log.jsonl").write_text(log.replace("2.25", "2.5"), encoding="utf-8")
    peers = {"LSTM": Trained(peer, Stand()), "without a log": Trained(silent, Stand())}
    best = write_training_record(tmp_path, tmp_path, Stand(), DEV, {"steps": []}, peers=peers)
    record = json.loads((tmp_path / RECORD).read_text(encoding="utf-8"))
    assert record["held_out"] == [{"step": 2, "loss": 2.25}]
    course = {name: record[name] for name in ("steps", "curve")}
    own = {"held_out": [{"step": 2, "loss": 2.5}], "greedy_bleu": record["decoding"][0]["bleu"]}
    assert record["peers"] == {"LSTM": course | own}
    assert record["steps"] == 2
    assert best == Decoding(record["decoding"][0]["beam_size"])
    assert set(record) >= {"curve", "data", "spellings_of_bleu"}


@pytest.mark.usefixtures("as_a_user")
def test_without_a_log_there_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no log of a training"):
        write_training_record(tmp_path, tmp_path, Stand(), DEV, {})
