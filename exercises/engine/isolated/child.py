"""The child process: run the learner's function on given inputs, write arrays, decide nothing.

Started as ``python -P child.py JOB_FOLDER``. The job folder holds ``job.npz`` (cases and paths) and
receives ``module.npz`` (did the file import?), one ``NNNN.npz`` a case, and ``events.txt``.
"""

import linecache
import os
import runpy
import sys
import types
from collections.abc import Callable
from pathlib import Path


def main(folder: Path) -> None:
    """Run the job; each step goes to ``events.txt``, so that the parent sees where it stopped."""
    root = str(Path(__file__).resolve().parents[3])
    sys.path.insert(0, root)
    from exercises.engine.isolated import calling, guard, wire

    sys.path.remove(root)
    note = os.open(folder / "events.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    job = wire.load(folder / "job.npz")
    drivers: dict[str, calling.Driver] = {"call": calling.call}
    if job["driver"]:
        drivers |= {k: v for k, v in runpy.run_path(job["driver"]).items() if callable(v)}
    calling.torch.set_num_threads(1)
    calling.torch.ones(2, 2) @ calling.torch.ones(2, 2)  # start the maths library before the limit
    write, leave = os.write, os._exit
    save, run_case = wire.save, calling.run_case
    guard.limit_memory()
    guard.install(note, job["exercises"], tuple(job["closed_folders"]))
    write(note, b"ready\n")
    namespace, error = load_answer(job["source"], job["filename"], calling.describe_error)
    missing = [name for name in job["functions"] if name not in namespace]
    defined = [name for name, value in namespace.items() if callable(value) and name[0] != "_"]
    save(folder / "module.npz", {"error": error, "missing": missing, "defined": defined})
    if error is None and not missing:
        for index, case in enumerate(job["cases"]):
            write(note, f"case {index}\n".encode())
            save(folder / f"{index:04d}.npz", run_case(namespace, case, drivers))
    write(note, b"end\n")
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the learner may have closed or replaced it
            continue
    leave(0)  # skips exit handlers and threads that the learner left running


def load_answer(source: str, filename: str, describe_error: Callable) -> tuple[dict, dict | None]:
    """Execute the learner's file as a module called ``answer``."""
    module = types.ModuleType("answer")
    module.__file__ = filename
    sys.modules["answer"] = module
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        exec(compile(source, filename, "exec"), module.__dict__)
    except BaseException as error:
        return vars(module), describe_error(error)
    return vars(module), None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
