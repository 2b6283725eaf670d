"""Calls the learner's function with a sublayer and a norm made from the case's arrays."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor


def around_a_sublayer(
    namespace: Mapping[str, Any], case: dict[str, Any], arguments: dict[str, Any]
) -> Any:
    """The sublayer is tanh(h @ weight); without ``gain`` the norm changes nothing."""
    x, weight, gain = (arguments[name] for name in ("x", "weight", "gain"))

    def sublayer(h: Tensor) -> Tensor:
        return (h @ weight).tanh()

    def norm(h: Tensor) -> Tensor:
        if gain is None:
            return h
        return gain * (h / h.square().mean(dim=-1, keepdim=True).add(1e-5).sqrt())

    return namespace[case["function"]](x, sublayer, norm)
