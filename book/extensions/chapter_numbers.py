"""A chapter has the number in its file's name: ``03_self_attention`` is chapter 3.

Sphinx counts the chapters that are there. This keeps a chapter's number, and with it the numbers of
its sections, figures and equations, the same while the chapters before it are still being written.
"""

import re
from collections.abc import Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

AFTER_SPHINX_COUNTED = 900  # listeners run by priority, and Sphinx's own has 500


def chapter_number(docname: str) -> int | None:
    """The number at the start of a file's name, or None."""
    match = re.match(r"(\d+)_", docname.rsplit("/", maxsplit=1)[-1])
    return int(match[1]) if match else None


def renumber(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    for docname, numbers in env.toc_secnumbers.items():
        chapter = chapter_number(docname)
        if chapter is None:
            continue

        def moved(number: Sequence[int], chapter: int = chapter) -> tuple[int, ...]:
            return (chapter, *number[1:]) if number else ()

        env.toc_secnumbers[docname] = {anchor: moved(n) for anchor, n in numbers.items()}
        for figures in env.toc_fignumbers.get(docname, {}).values():
            figures.update({name: moved(n) for name, n in figures.items()})
        headings = [env.titles[docname], *env.tocs[docname].findall(nodes.reference)]
        for heading in headings:
            if heading.get("secnumber"):
                heading["secnumber"] = moved(heading["secnumber"])
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-updated", renumber, priority=AFTER_SPHINX_COUNTED)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
