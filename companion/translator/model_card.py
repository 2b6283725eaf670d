"""The model card: what a model is, learned from, can do and cannot, all measured or stored."""

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.translator import tables
from companion.translator.alignment import AlignmentScores
from companion.translator.card_recipe import recipe_section
from companion.translator.card_texts import TEXTS, Texts
from companion.translator.corpora import Sentence
from companion.translator.evaluation import Result, exact_matches
from companion.translator.scoring import MODEL, OUT_OF_DOMAIN, Scores

CARD = "MODEL_CARD.md"
_EXAMPLES = 25


class Failures(NamedTuple):
    """Test sentences whose translation equals no reference, and every so many of them to read."""

    wrong: int
    total: int
    every: int
    examples: list[tuple[Sentence, str]]


class Described(NamedTuple):
    """All that a card is made from."""

    facts: dict[str, Any]
    vocabulary: int
    size: int
    """Bytes of the weights' file."""
    tests: dict[str, Scores]
    """By test set, the corpus' own first."""
    alignment: list[AlignmentScores]
    failures: Failures
    measured_on: str
    """The device that the scores were measured on."""
    tuned: bool = False
    """Whether the decoding was chosen on the development set, and `training.json` tells how."""


def failures(sentences: Sequence[Sentence], translations: Sequence[str]) -> Failures:
    """Examples of what is not an exact match, by a rule that nobody's hand is in.

    Of the sentences whose translation equals no reference, in the order of the test set, the first
    and every n-th after it, with n such that there are about 25.
    """
    right = exact_matches(translations, sentences)
    wrong = [
        (sentence, translation)
        for sentence, translation, is_right in zip(sentences, translations, right, strict=True)
        if not is_right
    ]
    every = max(len(wrong) // _EXAMPLES, 1)
    return Failures(len(wrong), len(sentences), every, wrong[::every])


def card(described: Described) -> str:
    """The model card as Markdown."""
    texts = TEXTS.get(described.facts["corpus"]["name"], TEXTS[""])
    parts = [
        _what(described, texts),
        recipe_section(described.facts, described.tests, tuned=described.tuned),
        _scores(described),
        _out_of_domain(described),
        _hard(described),
        _failures(described.failures, texts),
        f"## Limits\n\n{_filled(texts.limits)}\n",
    ]
    return "\n".join(filter(None, parts))


def _what(described: Described, texts: Texts) -> str:
    facts = described.facts
    pairs = f"{facts['sentences']:,} sentence pairs" if "sentences" in facts else "Sentence pairs"
    parameters = next(iter(described.tests.values())).systems[MODEL].parameters
    what = (
        f"Chinese to English, {parameters:,} parameters, a joint vocabulary of "
        f"{described.vocabulary:,} tokens, {described.size / 1e6:.1f} MB in half precision."
    )
    return f"""# {texts.title}

{_filled(f"{what} {texts.purpose}")}

## Data

{_filled(f"{pairs}. {texts.data}")}

## Licence

{_filled(texts.licence)}
"""


def _filled(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 100, break_on_hyphens=False)


def _scores(described: Described) -> str:
    scores = next(iter(described.tests.values()))
    ours = scores.ordinary[MODEL]
    notes = "\n".join(f"- {note}" for note in tables.notes(scores))
    intro = (
        f"On {ours.exact.total:,} sentences that are not in the training data, measured on the "
        "file that ships:"
    )
    return f"""## Scores

{_filled(intro)}

{tables.comparison(scores).markdown()}

{notes}

By length of the Chinese sentence, in characters:

{tables.by_length(scores.ordinary).markdown()}

Speed on {described.measured_on}, which may have had other work:

{tables.speed(scores).markdown()}
{_constructions(ours)}"""


def _constructions(result: Result) -> str:
    if len(result.by_construction) < 2:
        return ""
    imperfect = [row for row in result.hardest_first() if row[1].right < row[1].total]
    perfect = [row[1] for row in result.hardest_first() if row[1].right == row[1].total]
    rows = [[name, f"{share.percent:.1f}%", str(share.total)] for name, share in imperfect]
    if perfect:
        total = sum(share.total for share in perfect)
        rows.append([f"the other {len(perfect)}", "100.0%", str(total)])
    grid = tables.Grid("", ["construction", "exact match", "sentences"], rows)
    return f"\nBy construction, hardest first:\n\n{grid.markdown()}\n"


def _out_of_domain(described: Described) -> str:
    if OUT_OF_DOMAIN not in described.tests:
        return ""
    scores = described.tests[OUT_OF_DOMAIN]
    return f"""## Out of domain

On {scores.ordinary[MODEL].exact.total:,} sentences for learners, HSK 1 to 6, none of which is in
the training data: the PyPI package `hsk-sentences-audio` 1.0.0, CC BY-SA 4.0.

{tables.comparison(scores).markdown()}
"""


def _hard(described: Described) -> str:
    scores = next(iter(described.tests.values()))
    if not scores.hard:
        return ""
    parts = [
        "## Hard on purpose",
        "Exact match on sentences with something that the training data never have\n"
        "(`companion/translator/grammar/cases.py`):",
        tables.hard_cases(scores.hard).markdown(),
    ]
    if scores.compounds:
        grid = tables.compounds(scores)
        about = f"{grid.title} (`companion/translator/compounds.py`):"
        parts += [_filled(about[0].upper() + about[1:]), grid.markdown()]
    for aligned in described.alignment:
        grid = tables.alignment(aligned)
        parts += [
            _filled(
                f"Cross-attention: {grid.title}. Baselines: diagonal {aligned.diagonal:.2f}, a "
                f"word at random {aligned.uniform:.2f}; best possible {aligned.best_possible:.2f} "
                "(`companion/translator/alignment.py`):"
            ),
            grid.markdown(),
        ]
    return "\n\n".join(parts) + "\n"


def _failures(found: Failures, texts: Texts) -> str:
    if not found.wrong:
        return ""
    what = f"{found.wrong:,} of the {found.total:,} translations equal no reference."
    rule = "All of them" if found.every == 1 else f"One in {found.every} of them, from the first on"
    rows = [
        [_cell(sentence.source), _cell(translation), _cell(" / ".join(sentence.references))]
        for sentence, translation in found.examples
    ]
    grid = tables.Grid("", ["source", "model", "references"], rows)
    return f"""## Failures

{_filled(f"{what} {texts.failures} {rule}, in the order of the test set:")}

{grid.markdown().replace("---:", "---")}
"""


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") or "(nothing)"
