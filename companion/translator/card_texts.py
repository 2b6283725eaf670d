"""What a model card says in words: data, credit, licence and limits, by corpus."""

from typing import NamedTuple


class Texts(NamedTuple):
    """The words of one corpus' card; line breaks mean nothing."""

    title: str
    purpose: str
    data: str
    licence: str
    failures: str
    """How to read the sentences that equal no reference."""
    limits: str


_GRAMMAR = Texts(
    title="The grammar translator",
    purpose="""It ships with the package so that the course has a small trained model to look into;
    `companion evaluate --corpus grammar` scores it.""",
    data="""`companion.translator.grammar` generates them by rules written for this course; no text
    of others is in them.""",
    licence="MIT, like the package.",
    failures="""In this grammar every sentence has one right translation, so all of these are
    wrong.""",
    limits="""It knows the grammar's words and constructions and nothing else. On other Chinese it
    writes something from that small world, fluent and wrong: every character is accepted (unknown
    ones as bytes), none is understood. Its scores say how well it has learned this grammar, not how
    well it translates Chinese.""",
)
_TATOEBA = Texts(
    title="The Tatoeba translator",
    purpose="""It learned real sentences, and is what `companion translate` uses unless told
    otherwise.""",
    data="""They are the Chinese-English pairs of [Tatoeba](https://tatoeba.org), written and
    translated by the people of tatoeba.org and published under
    [CC BY 2.0 FR](https://creativecommons.org/licenses/by/2.0/fr/), without those of the test and
    development sets. The credit for them is theirs. The sentences themselves are not part of this
    package (see `companion/translator/tatoeba/`).""",
    licence="""The weights are under the MIT licence, like the package. They were learned from
    sentences under CC BY 2.0 FR: whoever passes the model on should pass on the credit to the
    people of tatoeba.org.""",
    failures="""Not all of these are wrong, because a sentence has more translations than Tatoeba
    holds; many are.""",
    limits="""It is a small model of short everyday sentences, as volunteers write them. It gets
    worse as sentences get longer (see the table), and on text of another kind. It always writes
    something: for a word that it has met seldom or never it puts another, in fluent English, and
    nothing in the output tells. Chinese leaves tense, number and who is meant open, and then it
    guesses. It has the opinions and the people of its data. It is made to be studied: do not rely
    on a translation of it where an error does harm.""",
)
_OTHER = Texts(
    title="A translator",
    purpose="",
    data="They are of the corpus that the checkpoint's facts name.",
    licence="The weights are as free as the sentences that they were learned from.",
    failures="",
    limits="Nothing is known about what it does on sentences unlike those of its corpus.",
)
TEXTS = {"grammar": _GRAMMAR, "tatoeba": _TATOEBA, "": _OTHER}
"""By the name of the corpus; the empty name for any other."""
