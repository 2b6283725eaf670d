"""What a lexicon entry is, and how the data tables are read.

The words themselves are data: `nouns.py`, `verbs.py`, `adjectives.py`, `people.py`, `places.py`,
`time_words.py`, `expressions.py`. A table is one entry a line, columns separated by `|`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.translator.grammar.derivation import Entry
from companion.translator.grammar.english import VerbForms, plural, verb_forms


@dataclass(frozen=True, slots=True)
class Noun(Entry):
    """A common noun.

    Attributes:
        measures: measure words with the English unit that each stands for (`""`: none is said).
        kinds: what sort of thing it is; verbs and adjectives choose their nouns by kind.
        bare: how the noun reads in English when Chinese marks nothing. `one`: a book; `many`:
            apples; `mass`: tea; `pair`: shoes, counted as pairs; `the`: the door; `name`: Chinese.
        exposures: number of training sentences it may occur in; 0 means no limit.
    """

    key: str
    zh: str
    en: str
    plural: str
    measures: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    bare: str
    exposures: int = 0


@dataclass(frozen=True, slots=True)
class Verb(Entry):
    """A verb, or a verb with a fixed object such as 看书.

    Attributes:
        objects: kinds of nouns it takes; empty for none.
        uses: letters for the constructions in which it is natural: h habitual present, k the
            present without adverb (what one knows or does for a living), l 了,
            n 没, g 过, z 在, w 想/要/会 and other modals, i imperative, s a state.
        definite: it wants a definite object (这, 那, 我的), never an indefinite one.
        places: kinds of places at which one does it.
        skill: one can be able to do it (会).
        adult: children do not do it.
        literal: the word-by-word reading of an idiom, which is wrong.
    """

    key: str
    zh: str
    forms: VerbForms
    objects: tuple[str, ...]
    uses: str
    definite: bool = False
    places: tuple[str, ...] = ()
    skill: bool = False
    adult: bool = False
    literal: VerbForms | None = None
    exposures: int = 0


@dataclass(frozen=True, slots=True)
class Adjective(Entry):
    """An adjective: what it can be said of, and how it stands before a noun.

    `place` holds letters: p predicate, a attribute without 的, d attribute with 的, s passing
    state of a person, t lasting trait of a person, c can be compared.
    """

    key: str
    zh: str
    en: str
    comparative: str
    superlative: str
    kinds: tuple[str, ...]
    place: str
    exposures: int = 0


def keys(names: str) -> tuple[str, ...]:
    """The keys of lexicon entries, written with spaces between them."""
    return tuple(names.split())


def rows(table: str) -> Iterator[list[str]]:
    """The cells of each line. Empty lines and lines starting with `#` are left out."""
    for line in table.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield [cell.strip() for cell in line.split("|")]


def read_nouns(table: str) -> tuple[Noun, ...]:
    """Lines `Chinese | English[/plural] | measure[:unit] … | kinds | bare [| exposures]`."""
    nouns = []
    for zh, en, measures, kinds, bare, *exposures in rows(table):
        singular, _, many = en.partition("/")
        pairs = tuple((zh, unit) for zh, _, unit in (m.partition(":") for m in measures.split()))
        nouns.append(
            Noun(
                key=zh,
                zh=zh,
                en=singular,
                plural=many or plural(singular),
                measures=tuple((measure, unit.replace("_", " ")) for measure, unit in pairs),
                kinds=tuple(kinds.split()),
                bare=bare,
                exposures=int(exposures[0]) if exposures else 0,
            )
        )
    return tuple(nouns)


def read_verbs(table: str) -> tuple[Verb, ...]:
    """Lines `Chinese[/sense] | English | object kinds | uses [| extras]`.

    Extras are words: `definite`, `skill`, `adult`, `at:kind,kind`.
    """
    verbs = []
    for zh, en, objects, uses, *extras in rows(table):
        words = extras[0].split() if extras else []
        places = [word[3:].split(",") for word in words if word.startswith("at:")]
        verbs.append(
            Verb(
                key=zh,
                zh=zh.partition("/")[0],
                forms=verb_forms(en),
                objects=tuple(objects.split()),
                uses=uses,
                definite="definite" in words,
                places=tuple(places[0]) if places else (),
                skill="skill" in words,
                adult="adult" in words,
            )
        )
    return tuple(verbs)


def read_idioms(table: str) -> tuple[Verb, ...]:
    """Lines `Chinese | English | literal English | uses`."""
    return tuple(
        Verb(zh, zh, verb_forms(en), (), uses, adult=True, literal=verb_forms(literal))
        for zh, en, literal, uses in rows(table)
    )


def read_adjectives(table: str) -> tuple[Adjective, ...]:
    """Lines `Chinese[/sense] | English[/comparative/superlative] | kinds | place`."""
    adjectives = []
    for zh, en, kinds, place in rows(table):
        positive, _, irregular = en.partition("/")
        more, _, most = irregular.partition("/")
        adjectives.append(
            Adjective(
                key=zh,
                zh=zh.partition("/")[0],
                en=positive,
                comparative=more or f"more {positive}",
                superlative=most or f"most {positive}",
                kinds=tuple(kinds.split()),
                place=place,
            )
        )
    return tuple(adjectives)


def of_kind(nouns: Iterable[Noun], *kinds: str) -> tuple[Noun, ...]:
    """The nouns that are of at least one of the kinds, in the order of the lexicon."""
    found = tuple(noun for noun in nouns if any(kind in noun.kinds for kind in kinds))
    if not found:
        raise ValueError(f"no noun of the lexicon is of the kinds {kinds}")
    return found
