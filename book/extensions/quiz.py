"""Quizzes: two directives that become ``<details>`` elements.

    ::::{question}
    Which sum is 1?
    :::{choice} The sum over each row.
    :right:
    The feedback of this choice.
    :::
    :::{choice} The sum over each column.
    The feedback of this one.
    :::
    ::::

Question, choices and feedback are ordinary document text, so gettext extracts them and mathematics
and references work in them. Without JavaScript a choice opens and shows its feedback; ``quiz.js``
adds the marks and the score. The words that the machinery itself says stand in ``WORDS``.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

WORDS = {
    "right": "Right.",
    "wrong": "Not this one.",
    "question": "Question",
    "score": "{right} of {total} right at the first try",
    "reset": "Start the quiz again",
}
MINIMUM_CHOICES = 2
logger = logging.getLogger(__name__)


class QuestionNode(nodes.General, nodes.Element):
    """One question: its text, then its choices."""


class ChoiceNode(nodes.General, nodes.Element):
    """One possible answer; ``node["right"]`` says whether it is the answer."""


class ChoiceLabelNode(nodes.General, nodes.TextElement):
    """What the choice says: a text element, so that Sphinx translates it."""


class Question(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        node = QuestionNode()
        self.set_source_info(node)
        node += self.parse_content_to_nodes()
        choices = list(node.findall(ChoiceNode))
        right = [choice for choice in choices if choice["right"]]
        if len(choices) < MINIMUM_CHOICES or len(right) != 1:
            logger.warning(
                "a question needs at least %d choices and exactly one marked :right:; "
                "this one has %d choices, %d of them right",
                MINIMUM_CHOICES,
                len(choices),
                len(right),
                location=node,
            )
        return [node]


class Choice(SphinxDirective):
    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"right": directives.flag}  # noqa: RUF012 (docutils' own protocol)

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        node = ChoiceNode(right="right" in self.options)
        self.set_source_info(node)
        label = ChoiceLabelNode(self.arguments[0], "")
        self.set_source_info(label)
        children, messages = self.parse_inline(self.arguments[0])
        label += children
        node += label
        node += self.parse_content_to_nodes()
        return [node, *messages]


def visit_question(self: HTML5Translator, _node: QuestionNode) -> None:
    self.body.append(
        f'<div class="quiz-question" role="group" aria-label="{WORDS["question"]}" '
        f'data-score="{WORDS["score"]}" data-reset="{WORDS["reset"]}">\n'
    )


def depart_question(self: HTML5Translator, _node: QuestionNode) -> None:
    self.body.append("</div>\n")


def visit_choice(self: HTML5Translator, node: ChoiceNode) -> None:
    self.body.append(f'<details class="quiz-choice" data-right="{str(node["right"]).lower()}">\n')


def depart_choice(self: HTML5Translator, _node: ChoiceNode) -> None:
    self.body.append("</div></details>\n")


def visit_label(self: HTML5Translator, _node: ChoiceLabelNode) -> None:
    self.body.append("<summary>")


def depart_label(self: HTML5Translator, node: ChoiceLabelNode) -> None:
    right = node.parent["right"]
    kind = "right" if right else "wrong"
    self.body.append(
        '</summary>\n<div class="quiz-feedback">'
        f'<p class="quiz-verdict quiz-{kind}">{WORDS[kind]}</p>\n'
    )


def ignore(self: nodes.NodeVisitor, node: nodes.Node) -> None:
    """Other builders print the children one after another."""


def setup(app: Sphinx) -> dict[str, bool]:
    plain = {"latex": (ignore, ignore), "text": (ignore, ignore)}
    app.add_node(QuestionNode, html=(visit_question, depart_question), **plain)
    app.add_node(ChoiceNode, html=(visit_choice, depart_choice), **plain)
    app.add_node(ChoiceLabelNode, html=(visit_label, depart_label), **plain)
    app.add_directive("question", Question)
    app.add_directive("choice", Choice)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
