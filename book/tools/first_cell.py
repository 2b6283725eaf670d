# Colab and Binder start without the course: fetch it. Anywhere else this cell does nothing.
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

if importlib.util.find_spec("companion") is None:
    repository = "{repository}"
    subprocess.run(["git", "clone", "--depth", "1", repository, "course-files"], check=True)
    # Lower bounds only, so torch and numpy stay what they are when they are new enough.
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-e", "course-files"], check=True)
    folder = Path("course-files").resolve()
    os.chdir(folder / "book")
    sys.path[:0] = [str(folder / "book"), str(folder)]
