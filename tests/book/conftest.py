"""The book's own tools, imported by path: they are scripts, not part of the package."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture(scope="session")
def book() -> Path:
    return BOOK


@pytest.fixture(scope="session")
def builder() -> ModuleType:
    """``book/tools/build_notebooks.py`` as a module."""
    return _load(BOOK / "tools" / "build_notebooks.py")


@pytest.fixture(scope="session")
def load_tool() -> Callable[[str], ModuleType]:
    """From a name to ``book/tools/<name>.py`` as a module."""
    return lambda name: _load(BOOK / "tools" / f"{name}.py")


@pytest.fixture(scope="session")
def chapter_numbers() -> ModuleType:
    pytest.importorskip("sphinx", reason="the book's extra is not installed")
    return _load(BOOK / "extensions" / "chapter_numbers.py")


@pytest.fixture(scope="session")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as HTML: what ``make book`` has built, or built here if that is not up to date."""
    pytest.importorskip("jupyter_book", reason="the book's extra is not installed")
    if _up_to_date(BOOK / "_build" / "html" / "index.html"):
        return BOOK / "_build" / "html"
    output = tmp_path_factory.mktemp("built")
    jupyter_book = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    command = [*jupyter_book, "build", str(BOOK), "-W", "--keep-going", "-n"]
    done = subprocess.run(
        [*command, "--path-output", str(output)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return output / "_build" / "html"


def _up_to_date(built: Path) -> bool:
    """The rule of the Makefile: newer than every file of the book and of the package."""
    if not built.is_file():
        return False
    book = (p for p in BOOK.rglob("*") if "_build" not in p.parts and p.suffix != ".pyc")
    files = (p for p in (*book, *BOOK.parent.glob("companion/**/*.py")) if p.is_file())
    return built.stat().st_mtime >= max(p.stat().st_mtime for p in files)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"book_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
