"""Sentence pairs, and how a derivation becomes one."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.translator.grammar.construction import Construction
from companion.translator.grammar.derivation import Derivation, Linked, Word
from companion.translator.grammar.english import article


@dataclass(frozen=True, slots=True)
class Pair:
    """A Chinese sentence, its English translation, and how the two were derived.

    Attributes:
        source: the Chinese sentence, without spaces.
        target: the English sentence. All lower case but names and `I`; no full stop at the end;
            a question keeps its question mark.
        references: all translations that count as right; the first is `target`.
        construction: name of the outermost construction.
        parts: names of all constructions in it, outermost first.
        atoms: keys of the lexicon entries used.
        roles: what each entry was used as: (atom, "subject" | "object" | ...).
        alignment: gold word alignment, pairs of indices into `source_words` and `target_words`.
        source_words: the Chinese words.
        target_words: the English words and punctuation marks.
        depth: levels of clauses inside clauses; 0 for a simple sentence.
        literal: for an idiom, the translation that word-by-word reading would give.
    """

    source: str
    target: str
    references: tuple[str, ...]
    construction: str
    parts: tuple[str, ...]
    atoms: tuple[str, ...]
    roles: tuple[tuple[str, str], ...]
    alignment: tuple[tuple[int, int], ...]
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    depth: int
    literal: str | None = None


def join_english(tokens: Sequence[str]) -> str:
    """English words to text: no space before a punctuation mark."""
    return " ".join(tokens).replace(" ?", "?").replace(" ,", ",")


def finish_english(tokens: Sequence[Word]) -> tuple[Word, ...]:
    """Choose a or an, and write cannot as one word."""
    result: list[Word] = []
    for index, word in enumerate(tokens):
        if word.text == "not" and result and result[-1].text == "can":
            result[-1] = Word("cannot", result[-1].link, word.link)
        elif word.text == "a":
            result.append(word._replace(text=article(tokens[index + 1].text)))
        else:
            result.append(word)
    return tuple(result)


def align(zh: Sequence[Word], en: Sequence[Word]) -> tuple[tuple[int, int], ...]:
    """The index pairs of words that share a link."""
    where: dict[int, list[int]] = {}
    for index, word in enumerate(en):
        for link in (word.link, word.also):
            if link:
                where.setdefault(link, []).append(index)
    pairs: list[tuple[int, int]] = []
    for index, word in enumerate(zh):
        found = where.get(word.link, [])
        if word.also:
            found = sorted({*found, *where.get(word.also, [])})
        pairs.extend((index, j) for j in found)
    return tuple(pairs)


def make_pair(construction: Construction, d: Derivation) -> Pair:
    """Derive one sentence of the construction."""
    sides: Linked = construction.build(d)
    zh, en = sides.zh, finish_english(sides.en)
    target_words = tuple(word.text for word in en)
    target = join_english(target_words)
    return Pair(
        source="".join(word.text for word in zh),
        target=target,
        references=(target,),
        construction=construction.name,
        parts=(construction.name, *(part for part in d.parts if part != construction.name)),
        atoms=tuple(d.atoms),
        roles=tuple(d.roles),
        alignment=align(zh, en),
        source_words=tuple(word.text for word in zh),
        target_words=target_words,
        depth=d.depth,
    )
