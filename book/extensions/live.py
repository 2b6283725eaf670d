"""Live figures: a directive whose figure a small script of our own draws in the page.

    :::{live} softmax
    :scores: 4, 2, 0
    :names: first, second, third
    :slider: factor on the scores
    What the figure shows, and what to try. This text stands below it.
    :::

The argument names a figure in ``assets/live.js``. Everything a reader reads is here in the source:
the options hold the figure's words, the content its caption. Without JavaScript the caption stays.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class LiveNode(nodes.General, nodes.Element):
    """A live figure; its children are the caption."""


class Live(SphinxDirective):
    has_content = True
    required_arguments = 1
    option_spec = {  # noqa: RUF012 (docutils' own protocol)
        "scores": directives.unchanged_required,
        "names": directives.unchanged_required,
        "slider": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        node = LiveNode(figure=self.arguments[0], words=dict(self.options))
        self.set_source_info(node)
        node += self.parse_content_to_nodes()
        return [node]


def visit_live(self: HTML5Translator, node: LiveNode) -> None:
    words = {f"data-{name}": text for name, text in node["words"].items()}
    attributes = {"data-figure": node["figure"], **words}
    self.body.append(self.starttag(node, "div", CLASS="live-figure", **attributes))


def depart_live(self: HTML5Translator, _node: LiveNode) -> None:
    self.body.append("</div>\n")


def ignore(self: nodes.NodeVisitor, node: nodes.Node) -> None:
    """Other builders print the caption."""


def setup(app: Sphinx) -> dict[str, bool]:
    plain = {"latex": (ignore, ignore), "text": (ignore, ignore)}
    app.add_node(LiveNode, html=(visit_live, depart_live), **plain)
    app.add_directive("live", Live)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
