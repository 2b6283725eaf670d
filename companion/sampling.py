"""Drawing the next token at random: temperature, top-k and top-p.

    p ∝ exp(log p / T), then only the k most probable, then only the nucleus of mass p

Each filter takes log-probabilities and gives log-probabilities that sum to one again;
:class:`Sampler` applies them in this order (Hugging Face's) and draws.

Taught in the chapter on decoder-only models. Sources: Ackley et al. (1985) for the temperature; Fan
et al. (2018), §5.3, for top-k; Holtzman et al. (2020), §3.1, for top-p.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from companion._checks import check_positive
from companion.generation import DecodingSession, Generation, follow, most_probable

LogProbs = Float[Tensor, "rows vocab"]


def apply_temperature(log_probs: LogProbs, temperature: float) -> LogProbs:
    """Sharpen (below 1) or flatten (above 1) every row's distribution.

    Raises:
        ValueError: unless ``temperature`` is a number above 0.
    """
    if not 0 < temperature < float("inf"):
        raise ValueError(
            f"temperature divides the log-probabilities and must be above 0, got {temperature}; "
            "the limit 0 is greedy decoding"
        )
    return (log_probs / temperature).log_softmax(dim=-1)


def keep_top_k(log_probs: LogProbs, k: int) -> LogProbs:
    """Only the ``k`` most probable tokens of each row; all of them if there are no more.

    Raises:
        ValueError: if ``k`` is below 1.
    """
    check_positive("top_k", k)
    # Stable, so that among equals the first stays: k = 1 is greedy decoding.
    best = log_probs.argsort(dim=-1, descending=True, stable=True)[:, :k]
    dropped = torch.ones_like(log_probs, dtype=torch.bool).scatter(-1, best, False)
    return log_probs.masked_fill(dropped, float("-inf")).log_softmax(dim=-1)


def keep_top_p(log_probs: LogProbs, p: float) -> LogProbs:
    """Only the nucleus: the fewest tokens that together have at least probability ``p``.

    The token that crosses ``p`` is in, so one always is.

    Raises:
        ValueError: unless 0 < ``p`` <= 1.
    """
    if not 0 < p <= 1:
        raise ValueError(f"top_p is a probability in (0, 1], got {p}")
    if p == 1:  # a rounded sum may reach 1 too early and would cost the rarest tokens
        return log_probs
    falling, order = log_probs.sort(dim=-1, descending=True, stable=True)
    probs = falling.exp()
    before = probs.cumsum(dim=-1) - probs  # mass of the more probable ones
    dropped = torch.zeros_like(before, dtype=torch.bool).scatter(-1, order, before >= p)
    return log_probs.masked_fill(dropped, float("-inf")).log_softmax(dim=-1)


@dataclass(frozen=True, kw_only=True)
class Sampler:
    """Draws every row's next token; hand it to :func:`companion.generation.stream`.

    Args:
        temperature: 1 is the model's own distribution; 0 is greedy.
        top_k: draw among this many tokens at most.
        top_p: draw from the nucleus of this mass.
        generator: where the randomness comes from, on the model's device; seed it and the draws
            repeat. Torch's global generator by default.

    Raises:
        ValueError: for a negative or non-finite temperature, ``top_k`` below 1, ``top_p`` outside
            (0, 1].
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    generator: torch.Generator | None = None

    def __post_init__(self) -> None:
        # The filters check their arguments: let them speak now rather than at the first token.
        self.distribution(torch.zeros(1, 1))

    def distribution(self, log_probs: LogProbs) -> LogProbs:
        """The log-probabilities that tokens are drawn from."""
        if self.temperature == 0:
            best = most_probable(log_probs)[:, None]
            log_probs = torch.full_like(log_probs, float("-inf")).scatter(-1, best, 0.0)
        elif self.temperature != 1:
            log_probs = apply_temperature(log_probs, self.temperature)
        if self.top_k is not None:
            log_probs = keep_top_k(log_probs, self.top_k)
        if self.top_p is not None:
            log_probs = keep_top_p(log_probs, self.top_p)
        return log_probs

    def __call__(self, log_probs: LogProbs) -> Int[Tensor, " rows"]:
        probs = self.distribution(log_probs).exp()
        return torch.multinomial(probs, 1, generator=self.generator)[:, 0]


def sample(
    session: DecodingSession,
    *,
    eos_id: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Generation:
    """Draw one continuation for every row; see :class:`Sampler` for the arguments.

    The scores are log-probabilities under the model itself, not under the sharpened or cut
    distribution. A row's draws depend on the rows beside it, which use up the same generator.
    """
    sampler = Sampler(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator)
    return follow(session, eos_id=eos_id, choose=sampler)
