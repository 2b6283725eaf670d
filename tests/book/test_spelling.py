"""Spelling: every word of the prose is in an English dictionary or in the project's own list.

The dictionary comes with pyspellchecker and is read offline. ``book/words.txt`` holds the words
that it lacks: names, terms, British spellings. To add some, look at what the test reports and run

    python tests/book/test_spelling.py

which writes the list anew. Look at the difference before you commit it.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

spellchecker = pytest.importorskip("spellchecker", reason="the test extra is not installed")

ROOT = Path(__file__).resolve().parents[2]
WORDS = ROOT / "book" / "words.txt"
PAGES = [
    *sorted((ROOT / "book" / "source").glob("*.md")),
    *sorted(p for p in (ROOT / "book").glob("*.md") if p.name != "topics.md"),  # it quotes
    *sorted((ROOT / "exercises").glob("*.md")),
    *sorted((ROOT / "companion").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
TEXTS = sorted((ROOT / "exercises").glob("*/text.toml"))
MODULES = [  # what the reference page shows, and the words in figures
    *sorted((ROOT / "companion").glob("*.py")),
    *sorted((ROOT / "companion" / "pretrained").glob("*.py")),
    ROOT / "book" / "course" / "labels.py",
]
CODE_KEYS = {"print", "book"}  # of an exercise's text: a line of code, an address


def prose(text: str) -> str:
    """``text`` without what is no English: code, formulas, roles, addresses, options."""
    text = re.sub(r"\A---\n.*?\n---\n", " ", text, flags=re.DOTALL)
    text = re.sub(r"^[ >]*(`{3,}|~{3,}).*?^[ >]*\1\s*$", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\$\$.*?\$\$(?: *\([\w-]+\))?", " ", text, flags=re.DOTALL)
    text = re.sub(r"(?<!\\)\$(?:[^$\n]|\n(?!\n))+?(?<!\\)\$", " ", text)
    text = re.sub(r"\{[\w:-]+\}`([^`<]*)(?:<[^`]*>)?`", _role, text)
    text = re.sub(r"(`+).+?\1", " ", text, flags=re.DOTALL)
    text = re.sub(
        r"^\([\w-]+\)=$|^:(?!alt)[\w-]+:.*$|^:{3,}\{.*?\}|<!--.*?-->", " ", text, flags=re.M
    )
    text = re.sub(r"\]\([^)]*\)|https?://\S+|<[^<>\s]+>|\[[^\]\s]*\]", " ", text)
    return text.replace("\\", "")


def _role(role: re.Match) -> str:
    shown = "<" in role[0]  # {ref}`the words that are shown <anchor>`
    return f" {role[1]} " if shown else " "


def words(text: str) -> set[str]:
    """The words of a text: letters with apostrophes inside, all small but perhaps the first.

    What has a digit, an underscore or a capital inside is a name: BERT, d_model, ValueError.
    """
    found = re.findall(r"(?<![\w'’-])[A-Za-z][a-z'’]+(?!\w)", text.replace("-", " "))
    return {word.replace("’", "'").removesuffix("'s").removesuffix("'") for word in found}


def captions(text: str) -> Iterator[str]:
    """Alternative texts and captions, which stand in the heads of code cells."""
    for head in re.findall(r"^```\{code-cell\}.*\n---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE):
        options = yaml.safe_load(head).get("mystnb", {})
        yield options.get("image", {}).get("alt", "")
        yield options.get("figure", {}).get("caption", "")


def strings(value: Any) -> Iterator[str]:
    """Every text in a TOML table but lines of code."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in CODE_KEYS:
                yield from strings(item)


def docstrings(path: Path) -> Iterator[str]:
    """The docstrings of a module; for the figures' labels, all its texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.name == "labels.py":
        yield from (n.value for n in ast.walk(tree) if _is_text(n))
        return
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented):
            text = ast.get_docstring(node) or ""
            text = re.sub(r"^(?:    )+\S.*$(?=\n\n|\Z)|::\n\n(?:    .*\n?|\n)+", " ", text)
            yield re.sub(r"^\s*\*{0,2}\w+(?: \(.*?\))?: ", " ", text, flags=re.MULTILINE)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def words_of(path: Path) -> set[str]:
    """The English words of a page, an exercise's texts, or a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        parts = [text, *captions(text)]
    elif path.suffix == ".toml":
        parts = list(strings(tomllib.loads(text)))
    else:
        parts = list(docstrings(path))
    return set().union(*(words(prose(part)) for part in parts))


@cache
def dictionary() -> Any:
    return spellchecker.SpellChecker(language="en", distance=1)


@cache
def own_words() -> list[str]:
    return WORDS.read_text(encoding="utf-8").splitlines()


def unknown(found: set[str], own: set[str]) -> list[str]:
    """Words that neither list has. A word of our list with a capital needs its capital."""
    candidates = {w for w in found if w not in own and w.lower() not in own}
    return sorted(w for w in candidates if not dictionary().known([w.lower()]))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [*PAGES, *TEXTS, *MODULES], ids=_name)
def test_every_word_is_known(path: Path):
    strange = unknown(words_of(path), set(own_words()))
    assert strange == [], "misspelt, or to be added as the head of this file says"


def test_a_misspelling_is_found():
    text = "The atention is wieghted; `codde` and $\\fooo$ and {ref}`shwon <hidden>` are not words."
    assert unknown(words(prose(text)), set(own_words())) == ["atention", "shwon", "wieghted"]
    cell = "```{code-cell} python\n---\nmystnb:\n  image:\n    alt: A pictuer\n---\nxyzzy\n```\n"
    assert unknown(words(prose(next(captions(cell)))), set()) == ["pictuer"]


def test_the_list_is_sorted_and_holds_nothing_that_nobody_uses():
    own = own_words()
    assert own == sorted(set(own), key=lambda word: (word.lower(), word))
    found = set().union(*map(words_of, [*PAGES, *TEXTS, *MODULES]))
    used = found | {word.lower() for word in found}
    assert [word for word in own if word not in used] == []
    assert [word for word in own if dictionary().known([word.lower()])] == []


def write_words() -> None:
    """Write the list anew: every word in use that the dictionary lacks."""
    found = set().union(*map(words_of, [*PAGES, *TEXTS, *MODULES]))
    lacking = unknown(found, set())
    small = {word for word in lacking if word == word.lower()}
    kept = {word for word in lacking if word in small or word.lower() not in small}
    lines = sorted(kept, key=lambda word: (word.lower(), word))
    WORDS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_words()
