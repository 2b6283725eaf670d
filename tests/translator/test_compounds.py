"""A compound is wrong exactly when its own words are, counted by sentence and by compound."""

import pytest

from companion.translator.compounds import (
    Compound,
    CompoundError,
    compound_error,
    compound_of,
    is_right,
)
from companion.translator.evaluation import Share
from companion.translator.grammar import Corpus, Pair, generate_corpus

LINKS = ((0, 0), (1, 1), (2, 3), (3, 4), (3, 5))


def pair(**changes: object) -> Pair:
    """我 看见 律师 昨天: I saw the lawyer last night."""
    values: dict[str, object] = {
        "source": "我看见律师昨晚",
        "target": "I saw the lawyer last night",
        "references": ("I saw the lawyer last night",),
        "construction": "perfective",
        "parts": ("perfective",),
        "atoms": ("看见", "律师", "昨晚"),
        "roles": (("律师", "object"), ("昨晚", "time")),
        "alignment": LINKS,
        "source_words": ("我", "看见", "律师", "昨晚"),
        "target_words": ("I", "saw", "the", "lawyer", "last", "night"),
        "depth": 0,
    }
    return Pair(**(values | changes))  # type: ignore[arg-type]


LAWYER = Compound("律师", "object")


@pytest.mark.parametrize(
    ("translation", "right"),
    [
        ("I saw the lawyer last night", True),
        ("he saw the lawyer last night", True),  # another error than the compound's
        ("I saw the lawyer last month", True),
        ("I saw the nurse last night", False),
        ("I saw a lawyer last night", False),
        ("the lawyer saw me last night", False),
        ("I met the lawyer last night", False),  # the aligned neighbour belongs to it
        ("I saw the lawyers last night", False),
        ("", False),
    ],
)
def test_a_compound_is_right_between_its_neighbours(translation: str, right: bool) -> None:
    assert is_right(LAWYER, pair(), translation) is right


def test_the_ends_of_the_sentence_are_neighbours() -> None:
    night = Compound("昨晚", "perfective")
    assert is_right(night, pair(), "he saw the lawyer last night")
    assert not is_right(night, pair(), "I saw the lawyer last night ?")
    assert not is_right(night, pair(), "last night I saw the lawyer")


def test_marks_are_words() -> None:
    asked = pair(
        target="who saw the lawyer?",
        references=("who saw the lawyer?",),
        target_words=("who", "saw", "the", "lawyer", "?"),
        alignment=((0, 0), (1, 1), (2, 3)),
    )
    assert is_right(LAWYER, asked, "he saw the lawyer?")
    assert not is_right(LAWYER, asked, "who saw the lawyer")


def test_without_aligned_words_the_whole_sentence_counts() -> None:
    for compound in (Compound("", "report > report"), Compound("医生", "ba")):
        assert is_right(compound, pair(), "I saw the lawyer last night")
        assert not is_right(compound, pair(), "he saw the lawyer last night")


@pytest.mark.parametrize(
    ("case", "changes", "compound"),
    [
        ("role_swap", {}, Compound("律师", "object")),
        (
            "atom_construction",
            {"atoms": ("医生", "弄丢"), "parts": ("report", "ba")},
            Compound("医生", "ba"),
        ),
        ("one_shot_1", {"atoms": ("锤子",), "construction": "dative"}, Compound("锤子", "dative")),
        (
            "synonyms",
            {"atoms": ("母亲",), "parts": ("possession", "no_possession")},
            Compound("母亲", "no_possession"),
        ),
        ("moved_time", {"atoms": ("后天",)}, Compound("后天", "time_front")),
        (
            "exceptions",
            {"atoms": ("吹牛",), "parts": ("future", "progressive")},
            Compound("吹牛", "progressive"),
        ),
        ("deeper", {"parts": ("report", "report")}, Compound("", "report > report")),
    ],
)
def test_which_compound_a_case_holds_out(
    case: str, changes: dict[str, object], compound: Compound
) -> None:
    assert compound_of(case, pair(**changes)) == compound


def test_ordinary_sentences_have_none() -> None:
    with pytest.raises(ValueError, match="no compound of the case 'unseen'"):
        compound_of("unseen", pair())
    with pytest.raises(ValueError, match="no compound of the case 'moved_time'"):
        compound_of("moved_time", pair())


def test_sentences_and_compounds_are_counted_apart() -> None:
    nurse = pair(
        atoms=("护士",),
        roles=(("护士", "object"),),
        source_words=("我", "看见", "护士", "昨晚"),
        target_words=("I", "saw", "the", "nurse", "last", "night"),
    )
    pairs = [pair(), pair(), pair(), nurse]
    right, wrong = "I saw the lawyer last night", "I saw the farmer last night"
    error = compound_error("role_swap", pairs, [right, wrong, right, "I saw the nurse last night"])
    assert error == CompoundError(instances=Share(1, 4), compounds=Share(1, 2))
    assert error.to_dict()["instances"] == {"wrong": 1, "total": 4, "percent": 25.0}
    assert CompoundError.from_dict(error.to_dict()) == error


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate_corpus(3, train_size=3000, dev_size=10, test_size=40, case_size=24)


def test_every_hard_pair_of_the_grammar_has_a_compound_that_its_reference_gets_right(
    corpus: Corpus,
) -> None:
    for case, pairs in corpus.cases.items():
        error = compound_error(case, pairs, [p.target for p in pairs])
        assert error.instances == Share(0, len(pairs))
        assert 1 <= error.compounds.total <= len(pairs)
        if case != "deeper":
            # The words of the atom are found and aligned: another sentence that holds the stretch
            # is right too, which it would not be if the whole sentence had to be.
            around = [f"well , {p.target} , well" for p in pairs]
            inside = [
                is_right(compound_of(case, p), p, text)
                for p, text in zip(pairs, around, strict=True)
            ]
            assert any(inside) or case in ("moved_time", "exceptions")
        assert compound_error(case, pairs, [""] * len(pairs)).instances.percent == 100
