"""``check("sdpa", my_function)`` in a notebook."""

import math
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

from exercises import check
from exercises.engine.progress import Progress
from exercises.engine.shipping import Unshippable, ship
from exercises.engine.verdict import FAILED, PARTIAL, PASSED
from exercises.engine.workspace import Workspace

LOWEST = -1e4
AXIS = -1
TABLE = torch.ones(2)


def run(functions: dict[str, Callable]) -> dict:
    """Execute what would be sent, as the child does."""
    namespace: dict = {}
    exec(ship(functions).source, namespace)
    return namespace


def helper(x: torch.Tensor) -> torch.Tensor:
    return F.softmax(x, dim=AXIS)


def uses_helpers(x: torch.Tensor, scale: float = math.pi) -> torch.Tensor:
    return helper(x) * scale


def recursive(n: int) -> int:
    return 1 if n == 0 else n * recursive(n - 1)


class Layer(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return helper(x) + LOWEST


def uses_table(x: torch.Tensor) -> torch.Tensor:
    return x + TABLE


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is None:
        return helper(scores) @ v
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return helper(scores).masked_fill(~mask, 0) @ v


def split_heads(hidden, n_heads):
    if hidden.size(-1) % n_heads:
        raise ValueError(n_heads)
    return hidden.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def test_helpers_modules_and_constants_travel() -> None:
    x = torch.randn(3)
    assert torch.equal(run({"f": uses_helpers})["f"](x), uses_helpers(x))


def test_recursion_and_classes_travel() -> None:
    assert run({"g": recursive})["g"](5) == 120
    x = torch.randn(3)
    assert torch.equal(run({"Layer": Layer})["Layer"]()(x), Layer()(x))


def test_captured_constants_travel() -> None:
    power = 3

    def cube(x: int) -> int:
        return x**power

    assert run({"cube": cube})["cube"](2) == 8


def test_lambdas_and_tensors_do_not_travel() -> None:
    with pytest.raises(Unshippable):
        ship({"f": lambda x: x})
    with pytest.raises(Unshippable, match="TABLE"):
        ship({"f": uses_table})


def test_check_of_a_function_passes_and_is_recorded(workspace: Workspace) -> None:
    verdict = check("sdpa", attention, workspace=workspace)
    assert verdict.state == PASSED
    assert verdict.notes == ()
    assert Progress(workspace.progress).standings()["sdpa"].state == PASSED


def test_a_lambda_is_checked_here_with_a_note(workspace: Workspace) -> None:
    verdict = check("sdpa", lambda *inputs: inputs[0], workspace=workspace)
    assert verdict.state == FAILED
    assert "without time and memory limits" in str(verdict)


def test_one_of_two_functions_is_partial_and_not_recorded(workspace: Workspace) -> None:
    verdict = check("split_heads", split_heads, workspace=workspace)
    assert verdict.state == PARTIAL
    assert Progress(workspace.progress).standings() == {}


def test_wrong_name_among_several_is_a_type_error(workspace: Workspace) -> None:
    with pytest.raises(TypeError, match="asks for split_heads, merge_heads, not for attention"):
        check("split_heads", attention, workspace=workspace)


def test_without_a_function_the_file_is_checked(workspace: Workspace) -> None:
    assert check("masks", workspace=workspace).state == "not started"


def test_html_is_escaped_and_links_within_the_book(workspace: Workspace) -> None:
    def broken(q, k, v, mask=None):  # noqa: ARG001
        print("<script>alert(1)</script>")
        return v.softmax(-2)

    page = check("sdpa", broken, workspace=workspace)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert 'href="03_self_attention.html#' in page
