"""Show the companion's source, and hand a computed value to the prose."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path

from IPython.display import Markdown, display

GLUE_PREFIX = "application/papermill.record/"


def show_source(*objects: Callable | type, docstring: bool = False) -> Markdown:
    """The source of functions or classes as it stands in the package now, as a code block.

    A notebook stores what it showed, and the notebook tests compare: when the code moves on, the
    chapter fails until it is executed again.

    Args:
        docstring: keep the docstring. The chapter's prose usually says what it says.
    """
    blocks = []
    for thing in objects:
        source = textwrap.dedent(inspect.getsource(thing))
        blocks.append(source.rstrip() if docstring else _without_docstring(source))
    names = dict.fromkeys(_module_path(thing) for thing in objects)
    code = "\n\n\n".join(blocks)
    return Markdown(f"```python\n# {', '.join(names)}\n{code}\n```")


def glue(name: str, value: str) -> None:
    """Store ``value`` in the cell's output, where the prose finds it as {glue:text}`name`.

    The same record as ``myst_nb.glue(name, value, display=False)``, without needing MyST-NB to run
    a notebook.
    """
    metadata = {"scrapbook": {"name": name, "mime_prefix": GLUE_PREFIX}}
    display({GLUE_PREFIX + "text/plain": value}, raw=True, metadata=metadata)


def _module_path(thing: Callable | type) -> str:
    return str(Path(*thing.__module__.split("."))) + ".py"


def _without_docstring(source: str) -> str:
    definition = ast.parse(source).body[0]
    lines = source.rstrip().splitlines()
    if ast.get_docstring(definition) is None:
        return "\n".join(lines)
    first = definition.body[0]
    return "\n".join(lines[: first.lineno - 1] + lines[first.end_lineno :])
