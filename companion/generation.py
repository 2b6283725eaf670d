"""Turning next-token scores into sequences: greedy and beam search.

The searches know nothing of architectures. They drive a :class:`DecodingSession`, which a model's
``start`` makes: it holds the prompt and the cache and answers "given these new tokens, how likely
is each next one?". Drawing tokens at random is in :mod:`companion.sampling`.

Taught in the chapters on the decoder and on the translator.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from companion._checks import check_positive


class DecodingSession(ABC):
    """One batch being decoded.

    Attributes:
        prompt: ``(batch, time)``, the tokens that the first step feeds.
        max_new_tokens: the session has room for this many tokens behind the prompt.
        pad_id: fed for rows that are finished; never generated.
        suppress: further tokens that are never generated.

    Raises:
        ValueError: if ``max_new_tokens`` is below 1.
    """

    def __init__(
        self,
        prompt: Int[Tensor, "batch time"],
        *,
        pad_id: int,
        max_new_tokens: int,
        suppress: tuple[int, ...] = (),
    ) -> None:
        check_positive("max_new_tokens", max_new_tokens)
        self.prompt, self.pad_id, self.max_new_tokens = prompt, pad_id, max_new_tokens
        self.suppress = (pad_id, *suppress)

    @abstractmethod
    def step(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch vocab"]:
        """Feed new tokens; logits of the token that comes next in each row."""

    @abstractmethod
    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Row *i* continues what row ``rows[i]`` was; rows may be repeated or dropped."""

    def log_probs(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch vocab"]:
        """``step`` as log-probabilities (float32), with the suppressed tokens at ``-inf``."""
        scores = self.step(tokens).float().log_softmax(dim=-1)
        scores[:, list(self.suppress)] = float("-inf")
        return scores


class Hypothesis(NamedTuple):
    """A sequence that a beam search has ended.

    Attributes:
        sequence: ids, without the prompt and without the end token.
        score: log-probability, end token included, divided by the length penalty.
    """

    sequence: list[int]
    score: float


@dataclass(frozen=True)
class Generation:
    """What a search found, one entry a row.

    Attributes:
        sequences: generated ids, without the prompt and without the end token.
        scores: log-probability of each sequence, end token included; beam search divides it by its
            length penalty.
        finished: False where ``max_new_tokens`` cut the sequence off before its end token.
        ended: of beam search, all hypotheses that ended before the row stopped, in the order in
            which they did.
    """

    sequences: list[list[int]]
    scores: list[float]
    finished: list[bool]
    ended: list[list[Hypothesis]] = field(default_factory=list)


class Step(NamedTuple):
    """One step of decoding, for all rows.

    Attributes:
        tokens: the chosen ids; the padding id in rows that were finished before.
        log_probs: over the vocabulary, before choosing.
        finished: True for rows that have produced the end token by now.
    """

    tokens: Int[Tensor, " batch"]
    log_probs: Float[Tensor, "batch vocab"]
    finished: Bool[Tensor, " batch"]


# Picks every row's next token from the log-probabilities ``(rows, vocab)``.
Choose = Callable[[Tensor], Tensor]


def most_probable(log_probs: Float[Tensor, "rows vocab"]) -> Int[Tensor, " rows"]:
    """The greedy choice."""
    return log_probs.argmax(dim=-1)


def stream(
    session: DecodingSession, *, eos_id: int, choose: Choose = most_probable
) -> Iterator[Step]:
    """Decode one step at a time, until every row has ended or the room is used up.

    Args:
        choose: how a row's next token is picked; :class:`companion.sampling.Sampler` draws it.
    """
    tokens = session.prompt
    finished = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    for _ in range(session.max_new_tokens):
        log_probs = session.log_probs(tokens)
        chosen = choose(log_probs).masked_fill(finished, session.pad_id)
        finished = finished | (chosen == eos_id)
        yield Step(chosen, log_probs, finished)
        if bool(finished.all()):
            return
        tokens = chosen[:, None]


def greedy(session: DecodingSession, *, eos_id: int) -> Generation:
    """Always the most probable next token."""
    return follow(session, eos_id=eos_id, choose=most_probable)


def follow(session: DecodingSession, *, eos_id: int, choose: Choose) -> Generation:
    """Run :func:`stream` to its end and keep the tokens.

    The scores are log-probabilities under the model, whatever ``choose`` made of them.
    """
    rows = len(session.prompt)
    sequences: list[list[int]] = [[] for _ in range(rows)]
    scores = torch.zeros(rows, device=session.prompt.device)
    finished = torch.zeros(rows, dtype=torch.bool)
    for step in stream(session, eos_id=eos_id, choose=choose):
        live = step.tokens != session.pad_id
        gained = step.log_probs.gather(1, step.tokens[:, None])[:, 0]
        scores = torch.where(live, scores + gained, scores)
        for row, token in enumerate(step.tokens.tolist()):
            if token not in (session.pad_id, eos_id):
                sequences[row].append(token)
        finished = step.finished
    return Generation(sequences, scores.tolist(), finished.tolist())


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6)^α: what a hypothesis' log-probability is divided by.

    ``length`` counts the end token. Source: Wu et al. (2016), equation 14.
    """
    return ((5 + length) / 6) ** alpha


def beam_search(
    session: DecodingSession,
    *,
    eos_id: int,
    beam_size: int = 4,
    alpha: float = 0.6,
    limits: Sequence[int] | None = None,
) -> Generation:
    """Keep the ``beam_size`` most probable prefixes of every row.

    Of each row's ``beam_size`` best continuations, those that end leave the beam and compete by
    their log-probability divided by :func:`length_penalty`; the others go on. A row stops when no
    live prefix can beat its best ended hypothesis any more, so stopping early never changes the
    result, and then leaves the batch. A beam of 1 is greedy decoding.

    Args:
        alpha: strength of the length penalty; 0 compares plain log-probabilities.
        limits: new tokens that each row may have; by default the session's ``max_new_tokens``. What
            a row finds then does not depend on the rows beside it.

    Raises:
        ValueError: if ``beam_size`` is below 1, or ``limits`` are not one a row, from 1 to the
            session's ``max_new_tokens``.

    Source: Wu et al. (2016), §7.
    """
    check_positive("beam_size", beam_size)
    n_rows, room = len(session.prompt), session.max_new_tokens
    limits = [room] * n_rows if limits is None else list(limits)
    if len(limits) != n_rows or not all(1 <= limit <= room for limit in limits):
        raise ValueError(f"limits must be {n_rows} numbers from 1 to {room}, got {limits}")
    search = _BeamSearch(session, eos_id, beam_size, alpha, limits)
    for length in range(1, max(limits, default=0) + 1):
        search.advance(length)
        if not search.active:
            break
    return search.result()


class _Row:
    """What one source row has found so far."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.ended: list[Hypothesis] = []
        self.best = Hypothesis([], float("-inf"))

    def end(self, found: Hypothesis) -> None:
        self.ended.append(found)
        if found.score > self.best.score:
            self.best = found


class _BeamSearch:
    """State of one search: prefixes and scores of the live hypotheses, grouped by active row."""

    def __init__(
        self, session: DecodingSession, eos_id: int, beam: int, alpha: float, limits: list[int]
    ) -> None:
        self.session, self.eos_id, self.beam, self.alpha = session, eos_id, beam, alpha
        n_rows = len(session.prompt)
        self.rows = [_Row(limit) for limit in limits]
        self.active = list(range(n_rows))
        # At first a row has one live prefix, the prompt; the beam opens with the first step.
        self.prefixes: list[list[int]] = [[] for _ in range(n_rows)]
        self.scores = torch.zeros(n_rows, 1, device=session.prompt.device)
        self.next_tokens = session.prompt

    def advance(self, length: int) -> None:
        """Give every live prefix its next token, the ``length``-th."""
        log_probs = self.session.log_probs(self.next_tokens)
        vocab, width = log_probs.shape[1], self.scores.shape[1]
        totals = (self.scores[:, :, None] + log_probs.view(-1, width, vocab)).flatten(1)
        scores, flat = (t.tolist() for t in totals.topk(min(self.beam, width * vocab), dim=1))
        penalty = length_penalty(length, self.alpha)
        active, live = [], []
        for group, row in enumerate(self.active):
            going = []
            for score, index in zip(scores[group], flat[group], strict=True):
                prefix, token = group * width + index // vocab, index % vocab
                if token == self.eos_id and score > float("-inf"):
                    self.rows[row].end(Hypothesis(self.prefixes[prefix], score / penalty))
                    score = float("-inf")  # its place in the beam stays empty for one step
                going.append((score, prefix, token))
            score, prefix, token = max(going, key=lambda hypothesis: hypothesis[0])
            if self._can_improve(self.rows[row], score, length):
                active.append(row)
                live += going
            elif not self.rows[row].ended:
                cut_off = [*self.prefixes[prefix], token]
                self.rows[row].best = Hypothesis(cut_off, score / penalty)
        self._continue(active, live)

    def _can_improve(self, row: _Row, best_live: float, length: int) -> bool:
        """A log-probability only falls, and the penalty is monotonic in the length: the most that
        a live hypothesis can reach is what it has now, divided by one of the extreme penalties.
        """
        if length >= row.limit:
            return False
        extremes = (length + 1, row.limit)
        reach = max(best_live / length_penalty(n, self.alpha) for n in extremes)
        return reach > row.best.score

    def _continue(self, active: list[int], live: list[tuple[float, int, int]]) -> None:
        self.active = active
        if not active:
            return
        scores, parents, tokens = (list(column) for column in zip(*live, strict=True))
        device = self.next_tokens.device
        self.prefixes = [
            [*self.prefixes[parent], token] for parent, token in zip(parents, tokens, strict=True)
        ]
        self.scores = torch.tensor(scores, device=device).view(len(active), -1)
        self.next_tokens = torch.tensor(tokens, device=device)[:, None]
        self.session.reorder(torch.tensor(parents, device=device))

    def result(self) -> Generation:
        """The best ended hypothesis of every row; where none has ended, the best live prefix."""
        return Generation(
            sequences=[row.best.sequence for row in self.rows],
            scores=[row.best.score for row in self.rows],
            finished=[bool(row.ended) for row in self.rows],
            ended=[row.ended for row in self.rows],
        )
