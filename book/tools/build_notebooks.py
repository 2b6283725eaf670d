"""Turn the chapters' Markdown sources into executed notebooks.

    python book/tools/build_notebooks.py            execute what is stale
    python book/tools/build_notebooks.py --force    execute everything
    python book/tools/build_notebooks.py --check    only report; exit status 1 if any is stale

``book/source/NN_name.md`` becomes ``book/NN_name.ipynb``. A notebook is stale when its source, the
first cell that all notebooks share, or a file of this repository that its code imports has changed:
a digest of them is stored in the notebook. Whatever differs from run to run (times, versions,
random ids) is left out, so a second run changes nothing.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

BOOK = Path(__file__).resolve().parents[1]
ROOT = BOOK.parent
TIMEOUT_SECONDS = 300
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python"}  # the kernel adds its version, which would change with the machine
KEPT_CELL_METADATA = ("tags", "mystnb")
# Runs in the notebook's kernel after its last cell: the files of this repository that it imported.
INPUTS_CELL = """
import json, sys
print(json.dumps([m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)]))
"""


def sources() -> list[Path]:
    """The Markdown source of every chapter."""
    return sorted((BOOK / "source").glob("*.md"))


def notebook_path(source: Path) -> Path:
    """Where the notebook of ``source`` stands."""
    return BOOK / f"{source.stem}.ipynb"


def first_cell() -> str:
    """The code that starts every notebook, with the address of the repository filled in."""
    config = yaml.safe_load((BOOK / "_config.yml").read_text(encoding="utf-8"))
    template = (BOOK / "tools" / "first_cell.py").read_text(encoding="utf-8").rstrip()
    return template.replace("{repository}", config["repository"]["url"])


def convert(source: Path) -> NotebookNode:
    """The unexecuted notebook of ``source``: its cells, with the shared first cell put in."""
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst")
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    if code:
        shared = new_code_cell(first_cell(), metadata={"tags": ["remove-cell"]})
        notebook.cells.insert(code[0], shared)
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_CELL_METADATA}
        name = hashlib.sha256(cell.source.encode()).hexdigest()[:12]
        seen[name] = seen.get(name, 0) + 1
        cell.id = name if seen[name] == 1 else f"{name}-{seen[name]}"
    notebook.metadata = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def execute(notebook: NotebookNode) -> list[str]:
    """Run the cells in place; return the repository's files that they imported.

    Raises:
        RuntimeError: if a cell wrote to standard error (a warning is not part of a chapter).
    """
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT_SECONDS,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(BOOK)}},
    )
    notebook.cells.append(new_code_cell(INPUTS_CELL))
    client.execute()
    files = json.loads(notebook.cells.pop().outputs[0].text)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise RuntimeError(f"a cell wrote to standard error: {output.text}\n{cell.source}")
    paths = {Path(name).resolve() for name in files}
    ours = tuple(ROOT / part for part in ("companion", "book"))  # not a virtual environment in ROOT
    inputs = {p.relative_to(ROOT) for p in paths if any(p.is_relative_to(o) for o in ours)}
    if Path("companion/translator/translator.py") in inputs:
        models = (ROOT / "companion" / "translator" / "models").rglob("*")
        inputs |= {p.relative_to(ROOT) for p in models if p.is_file()}
    return sorted(p.as_posix() for p in inputs)


def strip(notebook: NotebookNode) -> None:
    """Leave out what differs between runs of the same code; glued values live in what is kept."""
    notebook.metadata.language_info = LANGUAGE
    for cell in notebook.cells:
        join_streams(cell)
        for output in cell.get("outputs", []):
            if "metadata" in output:
                kept = output["metadata"].get("scrapbook")
                output["metadata"] = {"scrapbook": kept} if kept else {}
            if output.get("output_type") == "execute_result":
                output["execution_count"] = cell.execution_count


def join_streams(cell: NotebookNode) -> None:
    """One output for lines that the kernel happened to send in several parts."""
    joined: list[NotebookNode] = []
    for output in cell.get("outputs", []):
        stream = output.get("output_type") == "stream"
        if stream and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    if "outputs" in cell:
        cell.outputs = joined


def digest(source: Path, inputs: list[str]) -> str:
    """One hash of everything that the notebook was made from."""
    whole = hashlib.sha256()
    whole.update(source.read_bytes())
    whole.update(first_cell().encode())
    for name in inputs:
        path = ROOT / name
        whole.update(name.encode())
        whole.update(path.read_bytes() if path.is_file() else b"gone")
    return whole.hexdigest()


def is_stale(source: Path) -> bool:
    """Whether the stored notebook of ``source`` was made from something else than what is there."""
    path = notebook_path(source)
    if not path.is_file():
        return True
    stored = nbformat.read(path, as_version=4).metadata.get("course", {})
    return stored.get("digest") != digest(source, stored.get("inputs", []))


def build(source: Path) -> Path:
    """Execute ``source`` and write its notebook."""
    notebook = convert(source)
    inputs = execute(notebook)
    strip(notebook)
    notebook.metadata["course"] = {"digest": digest(source, inputs), "inputs": inputs}
    nbformat.validate(notebook)
    path = notebook_path(source)
    partial = path.with_suffix(".ipynb.partial")
    partial.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    partial.replace(path)
    return path


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only sources whose name contains one of these")
    parser.add_argument("--force", action="store_true", help="execute notebooks that are not stale")
    parser.add_argument("--check", action="store_true", help="report stale notebooks, run nothing")
    options = parser.parse_args(arguments)
    chosen = [s for s in sources() if not options.names or any(n in s.name for n in options.names)]
    stale = [s for s in chosen if options.force or is_stale(s)]
    for source in stale:
        name = notebook_path(source).name
        if options.check:
            print(f"stale: {name}")
            continue
        print(f"executing {name}", flush=True)
        build(source)
    if not stale:
        print(f"{len(chosen)} notebooks are up to date")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
