"""The claims ledger: what is commonly said of Transformers, and what holds.

The page ``book/claims.md`` is written from here by ``book/tools/build_pages.py``; the tests compute
every row again.
"""

import textwrap

from claims import attention, cost, layers, masking, models, parameters, text_and_positions
from claims.claim import Claim, Topic, claim, numbers

__all__ = ["LEDGER", "Claim", "Topic", "claim", "numbers", "page"]

LEDGER = (
    Topic(
        "Attention",
        "Where most of the folklore lives. Attention is four matrices, a softmax and a sum, and "
        "almost every sentence about it can be checked in ten lines.",
        (
            attention.the_root,
            attention.order,
            attention.own_position,
            attention.explanation,
            attention.pronoun,
            attention.one_or_many,
        ),
    ),
    Topic(
        "Masks",
        "Two conventions with opposite signs, and a number that hides less than it seems to. "
        "{doc}`mask_conventions` has the table of who means what.",
        (
            masking.minus_a_billion,
            masking.true_means,
            masking.docstring,
            masking.causal_rows,
            masking.chatglm,
        ),
    ),
    Topic(
        "Embeddings and positions",
        "Small tables that are printed from memory more often than they are computed.",
        (
            text_and_positions.small_embeddings,
            text_and_positions.sinusoid_table,
            text_and_positions.extrapolation,
        ),
    ),
    Topic(
        "The rest of the layer",
        "Feed-forward networks and norms. Some of it takes a training to settle, or a paper.",
        (
            layers.one_product,
            layers.bottleneck,
            parameters.llama_width,
            layers.layer_norm,
            layers.covariate_shift,
            layers.original_norm,
            layers.warm_up,
        ),
    ),
    Topic(
        "What it costs",
        "Big-O hides factors, and the factors decide at the lengths that people use.",
        (
            cost.cheaper,
            cost.convolution,
            cost.memory,
            cost.quadratic,
            cost.six_nd,
        ),
    ),
    Topic(
        "How many parameters",
        "A count is right or wrong to the last digit, once it is said what is counted.",
        (
            parameters.base_model,
            parameters.cross_attention,
            parameters.mainly_embedding,
            parameters.gpt2_small,
            parameters.bert,
            parameters.llama_heads,
            parameters.recurrent,
        ),
    ),
    Topic(
        "Models and their training",
        "Four statements about whole models. The last cannot be computed by anybody outside.",
        (
            models.shapes,
            models.sub_layers,
            models.label_smoothing,
            models.undisclosed,
        ),
    ),
)

INTRODUCTION = """\
(claims)=
# What is often said, and what holds

<!-- Written by book/tools/build_pages.py from book/claims -->

Some sentences about Transformers are copied from note to note until nobody asks any more. Here
are the {count} that this course met most often, in the Chinese study notes (学习笔记) that it
follows and elsewhere, each with what becomes of it when it is computed or looked up. Few are plain
nonsense. Most are true of something else, or true under a condition that got lost on the way.

In bold stands the verdict. *Counted* and *computed* mean exactly that, *measured* and *trained* say
on what, and *cited* means that we know no way to compute it. The last words of each entry lead to
the section with the whole story.

This page cannot quietly go out of date. Each entry is a function in `book/claims` that computes
its numbers and asserts what it says in words; the page is written from what they return, and the
test run computes all of them again.
"""


def row(entry: Claim) -> str:
    """One entry of the page: the statement, the verdict, the story in three sentences."""
    shown = f"{entry.shown[0].upper()}{entry.shown[1:]}. → {entry.where}"
    return (
        f"“{entry.said}”\n"
        f"{_fill(f'**{entry.verdict}.** {entry.text()}', first=': ')}\n\n"
        f"{_fill(shown, first='  ')}\n"
    )


def _fill(text: str, first: str = "") -> str:
    """Lines of the page's width; what follows the first stands as far in as it does."""
    indent = " " * len(first)
    return textwrap.fill(
        text,
        width=100,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def page() -> str:
    """The ledger as MyST Markdown."""
    count = sum(len(topic.claims) for topic in LEDGER)
    parts = [INTRODUCTION.replace("{count}", str(count))]
    for topic in LEDGER:
        parts.append(f"## {topic.title}\n\n{_fill(topic.opening)}\n")
        parts.extend(row(entry) for entry in topic.claims)
    return "\n".join(parts)
