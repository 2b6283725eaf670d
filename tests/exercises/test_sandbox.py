"""Hostile and unlucky code: the runner neither hangs nor is fooled, and progress survives."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest

from exercises.engine import sandbox
from exercises.engine.catalogue import find
from exercises.engine.checking import check_file
from exercises.engine.grader import grade_answer
from exercises.engine.isolated import wire
from exercises.engine.planning import Settings
from exercises.engine.progress import Progress
from exercises.engine.sandbox import Answer
from exercises.engine.stub import fill
from exercises.engine.verdict import FAILED, PASSED, Verdict
from exercises.engine.workspace import Workspace

SDPA = find("sdpa")
ATTENTION = """\
scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
if mask is not None:
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
weights = scores.softmax(-1)
if mask is not None:
    weights = weights.masked_fill(~mask, 0)
return weights @ value"""


def grade(source: str, seconds: float = 10.0) -> Verdict:
    return grade_answer(SDPA, Answer(source, "sdpa.py"), Settings(time_limit=seconds))


def body(text: str) -> Verdict:
    return grade(fill(SDPA, text))


def before(text: str) -> str:
    """Code at the top of the file, with a right answer below it."""
    return text + "\n" + fill(SDPA, ATTENTION)


def test_right_answer_passes() -> None:
    assert grade(fill(SDPA, ATTENTION)).passed


def test_endless_loop_is_stopped() -> None:
    started = time.monotonic()
    verdict = grade(fill(SDPA, "while True: pass"), seconds=1.0)
    assert time.monotonic() - started < 30
    assert verdict.state == FAILED
    assert verdict.codes == ("timeout",)
    assert "stopped after 1 seconds" in str(verdict)


def test_endless_loop_at_import_is_stopped() -> None:
    verdict = grade("while True: pass", seconds=1.0)
    assert verdict.codes == ("timeout",)


def test_checks_before_the_loop_still_count() -> None:
    """Only the masked case hangs, so the first difference that is seen is the loop there."""
    verdict = grade(
        fill(
            SDPA, "if mask is not None and mask.size(0) == 1:\n    while True: pass\n" + ATTENTION
        ),
        seconds=1.5,
    )
    assert verdict.codes == ("timeout",)
    assert [result.status for result in verdict.results].count(PASSED) >= 5


def test_uninterruptible_sleep_that_swallows_exceptions_is_stopped() -> None:
    code = "import time\nwhile True:\n    try: time.sleep(60)\n    except BaseException: pass"
    assert grade(fill(SDPA, code), seconds=1.0).codes == ("timeout",)


def test_sys_exit_in_the_function_is_an_error_not_a_pass() -> None:
    verdict = body("import sys\nsys.exit(0)")
    assert verdict.state == FAILED
    assert "SystemExit" in str(verdict)


@pytest.mark.parametrize("code", [0, 3])
def test_os_exit_is_reported(code: int) -> None:
    verdict = body(f"import os\nos._exit({code})")
    assert verdict.codes == ("exit",)
    assert f"exit code {code}" in str(verdict)


def test_exit_at_import_is_reported() -> None:
    assert grade(before("import os; os._exit(0)")).codes == ("exit",)
    assert grade(before("raise SystemExit(0)")).codes == ("import-error",)


def test_exit_handlers_do_not_run_on() -> None:
    source = before("import atexit, time\natexit.register(time.sleep, 100)\n")
    assert grade(source).passed


def test_lingering_thread_does_not_hang() -> None:
    source = before(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(100,)).start()\n"
    )
    assert grade(source).passed


def test_flood_of_prints_is_cut_and_harmless() -> None:
    verdict = body("print('x' * 2_000_000)\n" + ATTENTION)
    assert verdict.passed
    assert len(verdict.printed) < 5000
    assert "were printed]" in verdict.printed


def test_flood_on_the_file_descriptors_cannot_corrupt_the_result() -> None:
    code = (
        "import os\n"
        "for fd in range(1, 12):\n"
        "    try: os.write(fd, b'case 0 end ready' * 500)\n"
        "    except OSError: pass\n"
    )
    verdict = body(code + ATTENTION)
    assert verdict.passed


def test_prints_are_shown_to_the_learner() -> None:
    verdict = body("print('shape', tuple(query.shape))\nreturn query")
    assert "shape (" in str(verdict)


def test_reading_from_the_keyboard_is_an_error() -> None:
    assert "EOFError" in str(body("input()\nreturn query"))


def test_syntax_error_names_the_line() -> None:
    verdict = grade("def scaled_dot_product_attention(query:\n    pass\n")
    assert verdict.codes == ("import-error",)
    assert "SyntaxError" in str(verdict)
    assert "line 1" in str(verdict)


def test_exception_at_import_names_the_line() -> None:
    verdict = grade(before("x = 1\nx / 0\n"))
    assert verdict.codes == ("import-error",)
    assert "ZeroDivisionError" in str(verdict)
    assert "line 2" in str(verdict)


def test_renamed_function_is_reported_with_what_is_there() -> None:
    verdict = grade("def attention(q, k, v):\n    return v\n")
    assert verdict.codes == ("missing-function",)
    assert "it defines: attention" in str(verdict)


def test_a_name_that_is_no_function_is_not_a_pass() -> None:
    assert grade("scaled_dot_product_attention = 3\n").state == FAILED


PATCHES = {
    "torch": "import torch\ntorch.allclose = torch.equal = lambda *a, **k: True\n"
    "torch.testing.assert_close = lambda *a, **k: None\n",
    "numpy": "import numpy as np\nnp.isclose = np.allclose = lambda *a, **k: True\n",
    "builtins": "import builtins\nbuiltins.all = builtins.any = lambda *a: True\n",
    "tensor class": "import torch\ntorch.Tensor.__eq__ = lambda *a: True\n",
    "grader module": "import sys\nfor name, module in list(sys.modules.items()):\n"
    "    if name.startswith('exercises'):\n        for key in list(vars(module)):\n"
    "            if key in ('describe_error', '_gradients', '_changed'):\n"
    "                setattr(module, key, lambda *a, **k: {})\n",
}


@pytest.mark.parametrize("patch", PATCHES)
def test_patching_the_libraries_fools_nobody(patch: str) -> None:
    wrong = "return torch.zeros(*query.shape[:-1], value.size(-1), dtype=query.dtype)"
    verdict = grade(PATCHES[patch] + fill(SDPA, wrong))
    assert verdict.state == FAILED


def test_a_tensor_that_claims_to_equal_everything_does_not() -> None:
    cls = "class Liar(torch.Tensor):\n    def __eq__(self, other): return True\n"
    wrong = "import torch\n" + cls
    code = "return torch.ones(*query.shape[:-1], value.size(-1)).as_subclass(Liar)"
    assert grade(wrong + fill(SDPA, code)).state == FAILED


def test_changed_globals_stay_in_the_child() -> None:
    import torch

    source = before(
        "import torch\ntorch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n"
    )
    grade(source)
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()


def test_forged_results_are_only_numbers() -> None:
    """The child can write what it likes; an unreadable file is reported, and no code in it runs."""
    code = (
        "import glob, os, pickle\n"
        "class Bomb:\n"
        "    def __reduce__(self): return (os.system, ('echo boom > /tmp/never-written',))\n"
        "with open('module.npz', 'wb') as file: pickle.dump(Bomb(), file)\n"
        "os._exit(0)"
    )
    verdict = body(code)
    assert verdict.state == FAILED
    assert not Path("/tmp/never-written").exists()


def test_deleted_results_are_reported() -> None:
    code = "import glob, os\nfor name in glob.glob('*.npz'): os.remove(name)\n" + ATTENTION
    assert body(code).state == FAILED


def test_memory_hog_is_stopped_where_the_system_can() -> None:
    pytest.importorskip("resource")
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system has no memory limit for processes")
    verdict = body("return torch.empty(3 << 28)  # 3 GiB")
    assert verdict.state == FAILED
    assert "memory" in str(verdict).lower()


def test_huge_result_is_refused() -> None:
    verdict = body("return torch.ones(5_000_000)")
    assert "an object of type Tensor of shape (5000000,)" in str(verdict)


SOLUTION = SDPA.folder / "solution.py"
READERS = {
    "open": f"text = open({str(SOLUTION)!r}).read()",
    "pathlib": f"import pathlib\ntext = pathlib.Path({str(SOLUTION)!r}).read_text()",
    "os.open": f"import os\ntext = os.read(os.open({str(SOLUTION)!r}, os.O_RDONLY), 9999)",
    "bytes path": f"text = open({str(SOLUTION)!r}.encode()).read()",
    "numpy": f"import numpy\ntext = numpy.fromfile({str(SOLUTION)!r}, dtype='u1')",
    "import": f"import sys\nsys.path.insert(0, {str(SOLUTION.parents[2])!r})\n"
    "import exercises.sdpa.solution",
    "mutants": f"text = open({str(SOLUTION.with_name('mutants.py'))!r}).read()",
    "oracle": f"text = open({str(SOLUTION.with_name('spec.py'))!r}).read()",
    "shell": f"import subprocess\nsubprocess.run(['cat', {str(SOLUTION)!r}])",
    "system": f"import os\nos.system('cat {SOLUTION}')",
    "companion": "from companion.attention import scaled_dot_product_attention",
}


def test_reading_the_solution_is_refused_and_fails_the_run() -> None:
    verdict = grade(before(READERS["open"]))
    assert verdict.state == FAILED
    assert verdict.codes == ("refused-read",)
    assert "solution.py" in str(verdict)


def test_every_way_to_the_solution_is_noticed() -> None:
    """One child tries them all and swallows every exception; each is on the record."""
    attempts = [
        f"try:\n    {indent(code, '    ').strip()}\n    print({name!r}, 'got through')\n"
        "except BaseException: pass\n"
        for name, code in READERS.items()
    ]
    run = sandbox.run(Answer(before("".join(attempts)), "sdpa.py"), [], SDPA.parts)
    assert run.import_error is None
    assert run.printed == ""
    assert len(run.refused) == len(READERS)


def test_progress_cannot_be_written_by_the_learners_code() -> None:
    target = Workspace().progress
    verdict = grade(before(f"try: open({str(target)!r}, 'w')\nexcept OSError: pass"))
    assert verdict.codes == ("refused-write",)
    gone = grade(before(f"import os\ntry: os.remove({str(SOLUTION)!r})\nexcept OSError: pass"))
    assert gone.codes[0].startswith("refused-")
    assert SOLUTION.exists()


def test_crash_keeps_earlier_progress(workspace: Workspace, write: Callable) -> None:
    write("sdpa", fill(SDPA, ATTENTION))
    assert check_file(SDPA, workspace).passed
    write("sdpa", "import os; os._exit(0)")
    assert check_file(SDPA, workspace).codes == ("exit",)
    standing = Progress(workspace.progress).standings()["sdpa"]
    assert standing.state == PASSED
    assert json.loads(workspace.progress.read_text(encoding="utf-8"))["version"] == 1


def test_check_is_fast() -> None:
    """Two seconds beyond importing torch: what is measured here includes that import."""
    import subprocess
    import sys

    started = time.monotonic()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    importing = time.monotonic() - started
    started = time.monotonic()
    grade(fill(SDPA, ATTENTION.replace("softmax(-1)", "softmax(-2)")))
    assert time.monotonic() - started < 2 * importing + 2.0


class TestWire:
    """The file format between the processes."""

    def test_round_trip(self, tmp_path: Path) -> None:
        import numpy as np

        value = {"a": [1, 2.5, None, True, "é"], "t": (wire.Tensor(np.ones((2, 1)), "bfloat16"),)}
        wire.save(tmp_path / "x.npz", value)
        back = wire.load(tmp_path / "x.npz")
        assert back["a"] == value["a"]
        assert isinstance(back["t"], tuple)
        assert back["t"][0].dtype == "bfloat16"
        assert back["t"][0].data.shape == (2, 1)

    @pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04broken"])
    def test_damage_is_a_wire_error(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "x.npz").write_bytes(content)
        with pytest.raises(wire.WireError):
            wire.load(tmp_path / "x.npz")

    def test_pickled_arrays_are_refused(self, tmp_path: Path) -> None:
        import numpy as np

        np.savez(tmp_path / "x.npz", manifest=np.array([object()], dtype=object))
        with pytest.raises(wire.WireError):
            wire.load(tmp_path / "x.npz")
