"""How good translations are: exact match, BLEU and chrF; in all, by case, by length of the source.

Exact match counts a translation that equals one of its references, character by character. BLEU and
chrF are sacrebleu's (Post, 2018), on plain detokenised text with all references; the signature says
how they were computed and belongs beside every number.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.translator.corpora import Sentence

Translate = Callable[[Sequence[str]], list[str]]
LENGTHS = ((1, 5), (6, 10), (11, 15), (16, 25), (26, None))
"""Classes of source length in characters, first and last included. Fixed, so that the same class
means the same on every corpus."""


class Share(NamedTuple):
    """`right` of `total`."""

    right: int
    total: int

    @property
    def percent(self) -> float:
        """0 for nothing counted."""
        return 100 * self.right / self.total if self.total else 0.0

    def __str__(self) -> str:
        return f"{self.percent:.1f}% ({self.right}/{self.total})"


class Metric(NamedTuple):
    """A corpus score with the signature that makes it comparable."""

    score: float
    signature: str


class Part(NamedTuple):
    """Scores of a part of the sentences: one case, or one class of lengths."""

    exact: Share
    bleu: float


class Result(NamedTuple):
    """Scores of one system on one set of sentences."""

    exact: Share
    by_case: dict[str, Part]
    by_length: dict[str, Part]
    """Named by `length_class`, shortest first; classes without a sentence are left out."""
    by_construction: dict[str, Share]
    bleu: Metric
    chrf: Metric
    translations: tuple[str, ...] = ()
    """One a sentence, in order; empty for a result that was read back from JSON."""

    def hardest_first(self) -> list[tuple[str, Share]]:
        """Constructions with their shares, sorted by share, then by name."""
        return sorted(self.by_construction.items(), key=lambda row: (row[1].percent, row[0]))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, without the translations."""
        return {
            "exact": _share_dict(self.exact),
            "by_case": {name: _part_dict(part) for name, part in self.by_case.items()},
            "by_length": {name: _part_dict(part) for name, part in self.by_length.items()},
            "by_construction": {n: _share_dict(s) for n, s in self.by_construction.items()},
            "bleu": self.bleu._asdict(),
            "chrf": self.chrf._asdict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Result":
        """The inverse of `to_dict`. Raises KeyError or TypeError for anything else."""
        return cls(
            exact=_share(values["exact"]),
            by_case={name: _part(part) for name, part in values["by_case"].items()},
            by_length={name: _part(part) for name, part in values["by_length"].items()},
            by_construction={n: _share(s) for n, s in values["by_construction"].items()},
            bleu=Metric(**values["bleu"]),
            chrf=Metric(**values["chrf"]),
        )


def _share_dict(share: Share) -> dict[str, Any]:
    return {"right": share.right, "total": share.total, "percent": round(share.percent, 2)}


def _part_dict(part: Part) -> dict[str, Any]:
    return _share_dict(part.exact) | {"bleu": part.bleu}


def _share(values: Mapping[str, Any]) -> Share:
    return Share(values["right"], values["total"])


def _part(values: Mapping[str, Any]) -> Part:
    return Part(_share(values), values["bleu"])


def evaluate(translate: Translate, cases: Mapping[str, Sequence[Sentence]]) -> Result:
    """Translate every case's sentences and score them. Raises ValueError without any sentence."""
    sentences = [sentence for case in cases.values() for sentence in case]
    if not sentences:
        raise ValueError("there are no sentences to evaluate on")
    translations = translate([sentence.source for sentence in sentences])
    right = exact_matches(translations, sentences)
    names = [name for name, case in cases.items() for _ in case]
    lengths = [length_class(sentence.source) for sentence in sentences]
    by_length = _parts(lengths, translations, sentences)
    bleu, chrf = corpus_scores(translations, [sentence.references for sentence in sentences])
    return Result(
        exact=Share(sum(right), len(right)),
        by_case=_parts(names, translations, sentences),
        by_length={name: by_length[name] for name in _length_names() if name in by_length},
        by_construction=shares([sentence.construction for sentence in sentences], right),
        bleu=bleu,
        chrf=chrf,
        translations=tuple(translations),
    )


def exact_matches(translations: Sequence[str], sentences: Sequence[Sentence]) -> list[bool]:
    """Whether each translation is one of its references."""
    return [
        translation in sentence.references
        for translation, sentence in zip(translations, sentences, strict=True)
    ]


def shares(names: Sequence[str], right: Sequence[bool]) -> dict[str, Share]:
    """The share of right ones a name, in the order of first appearance."""
    grouped: dict[str, list[bool]] = defaultdict(list)
    for name, is_right in zip(names, right, strict=True):
        grouped[name].append(is_right)
    return {name: Share(sum(group), len(group)) for name, group in grouped.items()}


def length_class(source: str) -> str:
    """The name of a source's class in `LENGTHS`; the empty text counts among the shortest.

    >>> length_class("好久不见"), length_class("好" * 26)
    ('1-5', '26+')
    """
    classes = zip(LENGTHS, _length_names(), strict=True)
    return next(name for (_, last), name in classes if last is None or len(source) <= last)


def _length_names() -> Iterator[str]:
    return (f"{first}+" if last is None else f"{first}-{last}" for first, last in LENGTHS)


def _parts(
    names: Sequence[str], translations: Sequence[str], sentences: Sequence[Sentence]
) -> dict[str, Part]:
    grouped: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        grouped[name].append(index)
    parts = {}
    for name, indices in grouped.items():
        ours, theirs = [translations[i] for i in indices], [sentences[i] for i in indices]
        right = exact_matches(ours, theirs)
        bleu, _ = corpus_scores(ours, [sentence.references for sentence in theirs], chrf=False)
        parts[name] = Part(Share(sum(right), len(right)), bleu.score)
    return parts


def corpus_scores(
    translations: Sequence[str], references: Sequence[Sequence[str]], *, chrf: bool = True
) -> tuple[Metric, Metric]:
    """BLEU and chrF of a whole set; sentences may have different numbers of references.

    With `chrf=False` the second metric is an empty one.
    """
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    longest = max(map(len, references))
    # sacrebleu wants one list a reference number; None where a sentence has no more.
    columns: Any = [
        [row[i] if i < len(row) else None for row in references] for i in range(longest)
    ]
    metrics = [Metric(0.0, ""), Metric(0.0, "")]
    for index, metric in enumerate((BLEU(), CHRF()) if chrf else (BLEU(),)):
        score = metric.corpus_score(list(translations), columns)
        metrics[index] = Metric(round(score.score, 4), metric.get_signature().format())
    return metrics[0], metrics[1]
