"""Sentences from elsewhere: read, spelled as the corpus spells, and never seen in training."""

import importlib.metadata
import json
from pathlib import Path

import pytest

from companion.translator.corpora import Sentence
from companion.translator.tatoeba import out_of_domain
from companion.translator.tatoeba.out_of_domain import load_hsk
from companion.translator.tatoeba.reading import DataError

ENTRIES = [
    ("老師，您好!", "Hello,  teacher!", 1),
    ("老师，您好！", "Good day, teacher!", 2),
    ("我要走了。", "I’m leaving.", 1),
    ("谢谢。", "Thanks.", 3),
]


def write(path: Path, entries: object) -> Path:
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    entries = [{"chinese": c, "translation": {"en": e}, "hsk_level": n} for c, e, n in ENTRIES]
    return write(tmp_path / "sentences.json", entries)


def test_sentences_are_spelled_alike_and_keep_all_their_references(file: Path) -> None:
    found = load_hsk(path=file)
    assert found.read == 4
    assert found.trained_on == 0
    assert found.sentences == [
        Sentence("老师，您好！", ("Hello, teacher!", "Good day, teacher!"), "HSK 1"),
        Sentence("我要走了。", ("I'm leaving.",), "HSK 1"),
        Sentence("谢谢。", ("Thanks.",), "HSK 3"),
    ]


def test_what_training_has_seen_is_dropped_and_counted(file: Path) -> None:
    found = load_hsk(["谢谢！", "我走了。", "再见"], path=file)
    assert [sentence.source for sentence in found.sentences] == ["老师，您好！", "我要走了。"]
    assert found.trained_on == 1


@pytest.mark.parametrize("entries", [{}, [{}], [{"chinese": "好", "translation": {}}]])
def test_files_of_another_kind_are_refused(entries: object, tmp_path: Path) -> None:
    if entries == {}:
        (tmp_path / "x.json").write_text("{", encoding="utf-8")
    else:
        write(tmp_path / "x.json", entries)
    with pytest.raises(DataError, match=r"x\.json"):
        load_hsk(path=tmp_path / "x.json")
    with pytest.raises(DataError, match="cannot use"):
        load_hsk(path=tmp_path / "missing.json")


def test_another_version_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_domain, "_packaged_file", lambda: file)
    with pytest.raises(DataError, match="another version"):
        load_hsk()


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", missing)
    with pytest.raises(DataError, match=r"not installed: pip install .*\[tatoeba\]"):
        load_hsk()


def test_the_extras_own_file() -> None:
    try:
        importlib.metadata.version(out_of_domain.PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{out_of_domain.PACKAGE} is not installed (extra: tatoeba)")
    found = load_hsk()
    assert found.read == 4354
    assert len(found.sentences) == 4349
    assert {sentence.construction for sentence in found.sentences} == {
        f"HSK {level}" for level in range(1, 7)
    }
    assert all(sentence.references[0] for sentence in found.sentences)
