"""How a model's translations are searched for: greedily, or with a beam and a length penalty.

What was chosen for a model on its development set is stored with its weights, as the fact
`{"decoding": {"beam_size": 5, "alpha": 0.8}}`, and holds wherever nothing else is asked for.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Decoding(NamedTuple):
    """The numbers that `Translator.translate` takes."""

    beam_size: int = 1
    """1 is greedy decoding."""
    alpha: float = 0.6
    """Strength of the beam's length penalty (Wu et al., 2016)."""
    consensus: float = 0.0
    """Temperature at which a beam's hypotheses agree on one; 0 takes the most probable one."""

    def __str__(self) -> str:
        if self.beam_size == 1:
            return "greedy decoding"
        search = f"beam search with {self.beam_size} hypotheses, length penalty {self.alpha:g}"
        return f"{search}, consensus at {self.consensus:g}" if self.consensus else search


GREEDY = Decoding()


def decoding_of(
    facts: Mapping[str, Any],
    *,
    beam_size: int | None = None,
    alpha: float | None = None,
    consensus: float | None = None,
) -> Decoding:
    """What is asked for; where nothing is, what the model's facts say; else greedy decoding."""
    stored = Decoding(**facts.get("decoding", {}))
    return Decoding(
        stored.beam_size if beam_size is None else beam_size,
        stored.alpha if alpha is None else alpha,
        stored.consensus if consensus is None else consensus,
    )
