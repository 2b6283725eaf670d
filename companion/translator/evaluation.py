"""How good a translator is: exact match by case and construction, BLEU and chrF with signatures.

Exact match counts a translation that equals one of its references, character by character. BLEU and
chrF are sacrebleu's (Post, 2018), on plain detokenised text with all references; the signature says
how they were computed and belongs beside every number.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.translator.corpora import Sentence

Translate = Callable[[Sequence[str]], list[str]]


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


class Result(NamedTuple):
    """Scores of one system on one set of sentences."""

    exact: Share
    by_case: dict[str, Share]
    by_construction: dict[str, Share]
    bleu: Metric
    chrf: Metric

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "exact": _share_dict(self.exact),
            "by_case": {name: _share_dict(share) for name, share in self.by_case.items()},
            "by_construction": {n: _share_dict(s) for n, s in self.by_construction.items()},
            "bleu": self.bleu._asdict(),
            "chrf": self.chrf._asdict(),
        }


def _share_dict(share: Share) -> dict[str, Any]:
    return {"right": share.right, "total": share.total, "percent": round(share.percent, 2)}


def evaluate(translate: Translate, cases: Mapping[str, Sequence[Sentence]]) -> Result:
    """Translate every case's sentences and score them. Raises ValueError without any sentence."""
    sentences = [sentence for case in cases.values() for sentence in case]
    if not sentences:
        raise ValueError("there are no sentences to evaluate on")
    translations = translate([sentence.source for sentence in sentences])
    right = exact_matches(translations, sentences)
    names = [name for name, case in cases.items() for _ in case]
    bleu, chrf = corpus_scores(translations, [sentence.references for sentence in sentences])
    return Result(
        exact=Share(sum(right), len(right)),
        by_case=shares(names, right),
        by_construction=shares([sentence.construction for sentence in sentences], right),
        bleu=bleu,
        chrf=chrf,
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


def corpus_scores(
    translations: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[Metric, Metric]:
    """BLEU and chrF of a whole set; sentences may have different numbers of references."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    longest = max(map(len, references))
    # sacrebleu wants one list a reference number; None where a sentence has no more.
    columns: Any = [
        [row[i] if i < len(row) else None for row in references] for i in range(longest)
    ]
    metrics = []
    for metric in (BLEU(), CHRF()):
        score = metric.corpus_score(list(translations), columns)
        metrics.append(Metric(round(score.score, 4), metric.get_signature().format()))
    return metrics[0], metrics[1]
