"""What somebody who only installs the package relies on."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import companion

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "companion").rglob("*.py"))


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout


def test_importing_it_is_light() -> None:
    heavy = "matplotlib", "sacrebleu", "tensorboard", "transformers", "rich", "click", "tokenizers"
    loaded = run("import sys, companion; print(*sys.modules)").split()
    assert not set(heavy) & set(loaded)
    assert not [name for name in loaded if name.startswith("companion.translator.")]


def test_all_is_complete_and_true() -> None:
    assert len(set(companion.__all__)) == len(companion.__all__)
    for name in companion.__all__:
        assert getattr(companion, name) is not None, name
    public = {
        name
        for name, value in vars(companion).items()
        if not name.startswith("_") and not isinstance(value, type(sys))
    }
    assert public == set(companion.__all__)


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert companion.__version__ == project["version"]


def test_every_package_is_listed() -> None:
    """A sub-package that setuptools is not told of is missing from the wheel."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in SOURCES
        if path.name == "__init__.py"
    }
    assert set(tool["setuptools"]["packages"]) == found


def test_it_is_typed() -> None:
    assert (ROOT / "companion" / "py.typed").exists()


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_house_rules(path: Path) -> None:
    """Small rooms, no pickles, no text in the locale's encoding, a docstring for what is public."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= 320
    assert ast.get_docstring(tree), "the module says nothing of itself"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 45, node.name
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node in tree.body:
            assert node.name.startswith("_") or ast.get_docstring(node), node.name
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {"pickle", "dill", "shelve"} & set(names)
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"torch.save", "torch.load"}, "weights are safetensors"
            if called == "open" or called.endswith((".open", ".read_text", ".write_text")):
                modes = [ast.unparse(a) for a in node.args] + [
                    ast.unparse(k) for k in node.keywords
                ]
                binary = any("b'" in m or 'b"' in m for m in modes)
                assert binary or any("utf-8" in m for m in modes), ast.unparse(node)


def test_no_forward_asks_which_model_it_serves() -> None:
    families = {"gpt2", "bert", "llama", "t5", "bart", "marian", "qwen2", "roberta"}
    for path in SOURCES:
        if "pretrained" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == "forward":
                texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                assert not families & texts, f"{path.name}: {node.name}"
