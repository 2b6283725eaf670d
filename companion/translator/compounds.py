"""Compound error on the grammar's hard cases, after CoGnition (Li et al., 2021).

A hard case holds something out: a word from a construction, a word from a role, a time from the
front of the sentence. A *compound* is one such thing: an atom, and where it stands. Many test
sentences share a compound, and in two ways one can count how often it goes wrong:

- at the **instance level**: the share of sentences whose compound is translated wrongly;
- at the **aggregate level**: the share of compounds that are wrong in at least one sentence. A
  model that has understood a compound gets it right wherever it meets it.

| case | atom | where |
|---|---|---|
| `atom_construction` | the word of `cases.COMPOUNDS` | the construction it was kept out of |
| `role_swap` | the noun of `cases.SUBJECTS_ONLY` | the role in which it was never seen |
| `one_shot_N` | the word that training shows N times | the outermost construction |
| `synonyms` | the rarer synonym | the first construction training never has it in |
| `moved_time` | the time word | `time_front` |
| `exceptions` | the idiom | the first construction training never has it in |
| `deeper` | none | the constructions, outermost first |

**Right** is a compound when the translation has the words that the atom is aligned with, and
between the same neighbours as the reference: the contiguous stretch of the reference from the
nearest aligned word before the atom's words (or the start of the sentence) to the nearest one after
them (or the end) is found in the translation, word by word. What is wrong elsewhere in the sentence
does not count against it. `deeper` holds out no word: there the whole sentence must be right. So
must it be where the atom's words are not found in the source, or not aligned.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.translator.evaluation import Share
from companion.translator.grammar.cases import (
    COMPOUNDS,
    EXPOSURES,
    IDIOM_KEYS,
    IDIOMS_SHOWN_IN,
    NEVER_IN_FRONT,
    SUBJECT_ROLES,
    SUBJECTS_ONLY,
    SYNONYMS,
    SYNONYMS_SHOWN_IN,
)
from companion.translator.grammar.pair import Pair

_START, _END = "<s>", "</s>"


class Compound(NamedTuple):
    """What was held out: an atom (empty for a whole construction) and where it stands."""

    atom: str
    where: str


class CompoundError(NamedTuple):
    """Errors of one case; the shares count what is *wrong*."""

    instances: Share
    """Of the sentences."""
    compounds: Share
    """Of the different compounds: wrong in one sentence or more."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data: counts, and both errors in per cent."""
        return {
            name: {"wrong": share.right, "total": share.total, "percent": round(share.percent, 2)}
            for name, share in self._asdict().items()
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "CompoundError":
        """The inverse of `to_dict`. Raises KeyError or TypeError for anything else."""
        return cls(**{name: Share(v["wrong"], v["total"]) for name, v in values.items()})


def compound_error(case: str, pairs: Sequence[Pair], translations: Sequence[str]) -> CompoundError:
    """Both errors of a case. Raises ValueError for a case without compounds, such as `unseen`."""
    wrong: dict[Compound, list[bool]] = defaultdict(list)
    for pair, translation in zip(pairs, translations, strict=True):
        compound = compound_of(case, pair)
        wrong[compound].append(not is_right(compound, pair, translation))
    instances = [flag for flags in wrong.values() for flag in flags]
    return CompoundError(
        Share(sum(instances), len(instances)), Share(sum(map(any, wrong.values())), len(wrong))
    )


def compound_of(case: str, pair: Pair) -> Compound:
    """The compound for which `case` holds the pair out. Raises ValueError when it has none."""
    if case == "deeper":
        return Compound("", " > ".join(pair.parts))
    name = "one_shot" if case.startswith("one_shot_") else case
    found = next(_FINDERS[name](pair), None) if name in _FINDERS else None
    if found is None:
        raise ValueError(f"{pair.source!r} has no compound of the case {case!r}")
    return Compound(*found)


def is_right(compound: Compound, pair: Pair, translation: str) -> bool:
    """Whether the translation has the compound's words between their neighbours; see above."""
    if translation in pair.references:
        return True
    wanted = _stretch(compound.atom, pair)
    words = [_START, *translation.replace("?", " ?").replace(",", " ,").split(), _END]
    starts = range(len(words) - len(wanted) + 1)
    return bool(wanted) and any(words[i : i + len(wanted)] == wanted for i in starts)


def _stretch(atom: str, pair: Pair) -> list[str]:
    """The atom's words with all up to the nearest aligned neighbours; empty without any."""
    indices = {i for i, word in enumerate(pair.source_words) if word == atom.split("/")[0]}
    own = {j for i, j in pair.alignment if i in indices}
    if not own:
        return []
    words = [_START, *pair.target_words, _END]
    others = {0, len(words) - 1} | {j + 1 for _, j in pair.alignment if j not in own}
    first = max(j for j in others if j < min(own) + 1)
    last = min(j for j in others if j > max(own) + 1)
    return words[first : last + 1]


Found = Iterator[tuple[str, str]]


def _held_out_words(pair: Pair) -> Found:
    return (c for c in COMPOUNDS if c[0] in pair.atoms and c[1] in pair.parts)


def _swapped_roles(pair: Pair) -> Found:
    return (r for r in pair.roles if r[0] in SUBJECTS_ONLY and r[1] not in SUBJECT_ROLES)


def _rare_words(pair: Pair) -> Found:
    return ((atom, pair.construction) for atom in pair.atoms if atom in EXPOSURES)


def _moved_times(pair: Pair) -> Found:
    return ((atom, "time_front") for atom in pair.atoms if atom in NEVER_IN_FRONT)


def _new_places(keys: Collection[str], shown_in: frozenset[str]) -> Callable[[Pair], Found]:
    def found(pair: Pair) -> Found:
        return (
            (atom, part)
            for atom in pair.atoms
            if atom in keys
            for part in pair.parts
            if part not in shown_in
        )

    return found


_FINDERS: dict[str, Callable[[Pair], Found]] = {
    "atom_construction": _held_out_words,
    "role_swap": _swapped_roles,
    "one_shot": _rare_words,
    "synonyms": _new_places(SYNONYMS, SYNONYMS_SHOWN_IN),
    "moved_time": _moved_times,
    "exceptions": _new_places(IDIOM_KEYS, IDIOMS_SHOWN_IN),
}
