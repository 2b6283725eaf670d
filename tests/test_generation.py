import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from companion.generation import (
    DecodingSession,
    Generation,
    beam_search,
    greedy,
    length_penalty,
    stream,
)
from companion.transformer import Transformer

PAD, BOS, EOS = 0, 1, 2
VOCAB = 5  # two real tokens: 3 and 4


class TableSession(DecodingSession):
    """A made-up language: every prefix has its own random next-token scores, fixed by the seed."""

    def __init__(self, seeds: list[int], max_new_tokens: int, sharpness: float = 2.0) -> None:
        prompt = torch.full((len(seeds), 1), BOS)
        super().__init__(prompt, pad_id=PAD, max_new_tokens=max_new_tokens, suppress=(BOS,))
        self.seeds, self.sharpness = list(seeds), sharpness
        self.prefixes: list[tuple[int, ...]] = [() for _ in seeds]
        self.steps = 0

    def scores(self, seed: int, prefix: tuple[int, ...]) -> Tensor:
        number = seed
        for token in prefix:
            number = (number * 7 + token) % 2**61
        generator = torch.Generator().manual_seed(number)
        return self.sharpness * torch.randn(VOCAB, generator=generator)

    def step(self, tokens: Tensor) -> Tensor:
        self.steps += 1
        self.prefixes = [
            (*prefix, *row) for prefix, row in zip(self.prefixes, tokens.tolist(), strict=True)
        ]
        return torch.stack(
            [self.scores(s, p) for s, p in zip(self.seeds, self.prefixes, strict=True)]
        )

    def reorder(self, rows: Tensor) -> None:
        self.seeds = [self.seeds[row] for row in rows.tolist()]
        self.prefixes = [self.prefixes[row] for row in rows.tolist()]

    def log_prob(self, seed: int, sequence: tuple[int, ...]) -> float:
        """Of a whole sequence, worked out without any search."""
        total, prefix = 0.0, (BOS,)
        for token in sequence:
            total += self.scores(seed, prefix).log_softmax(dim=-1)[token].item()
            prefix = (*prefix, token)
        return total


def exhaustive(seed: int, max_len: int, alpha: float) -> tuple[list[int], float]:
    """Score every sequence that ends within ``max_len`` tokens."""
    session = TableSession([seed], max_len)
    best: tuple[list[int], float] = ([], -math.inf)
    for length in range(max_len):
        for words in itertools.product((3, 4), repeat=length):
            score = session.log_prob(seed, (*words, EOS)) / length_penalty(length + 1, alpha)
            if score > best[1]:
                best = (list(words), score)
    return best


@given(
    seed=st.integers(0, 10_000), max_len=st.integers(1, 5), alpha=st.sampled_from([0.0, 0.6, 1.5])
)
def test_a_beam_wide_enough_finds_what_exhaustive_search_finds(
    seed: int, max_len: int, alpha: float
) -> None:
    found = beam_search(TableSession([seed], max_len), eos_id=EOS, beam_size=64, alpha=alpha)
    sequence, score = exhaustive(seed, max_len, alpha)
    assert found.finished == [True]
    assert found.scores[0] == pytest.approx(score, rel=1e-5, abs=1e-6)
    assert found.sequences[0] == sequence


@given(seed=st.integers(0, 10_000), max_len=st.integers(1, 8))
def test_a_beam_of_one_is_greedy(seed: int, max_len: int) -> None:
    one = beam_search(TableSession([seed], max_len), eos_id=EOS, beam_size=1, alpha=0.0)
    best = greedy(TableSession([seed], max_len), eos_id=EOS)
    assert one.sequences == best.sequences
    assert one.finished == best.finished
    assert one.scores[0] == pytest.approx(best.scores[0], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_a_batch_equals_its_rows(search: str) -> None:
    seeds = list(range(12))

    def run(seeds: list[int]) -> Generation:
        session = TableSession(seeds, max_new_tokens=7)
        if search == "greedy":
            return greedy(session, eos_id=EOS)
        return beam_search(session, eos_id=EOS, beam_size=3)

    together, alone = run(seeds), [run([seed]) for seed in seeds]
    assert together.sequences == [g.sequences[0] for g in alone]
    assert together.finished == [g.finished[0] for g in alone]
    assert together.scores == pytest.approx([g.scores[0] for g in alone], rel=1e-5)
    assert len(set(map(len, together.sequences))) > 1  # rows do end at different steps


def test_with_limits_of_its_own_a_row_does_not_see_how_much_room_the_others_have() -> None:
    """Neither in what it finds nor in which hypotheses ended on the way."""
    seeds, limits = list(range(12)), [2, 9, 3, 5, 4, 9, 1, 6, 7, 2, 8, 3]
    options = {"eos_id": EOS, "beam_size": 3, "alpha": 2.0}
    together = beam_search(TableSession(seeds, max_new_tokens=9), limits=limits, **options)
    free = beam_search(TableSession(seeds, max_new_tokens=9), **options)
    assert [row for row, other in zip(together.ended, free.ended, strict=True) if row != other]
    for row, (seed, limit) in enumerate(zip(seeds, limits, strict=True)):
        alone = beam_search(TableSession([seed], max_new_tokens=limit), **options)
        assert together.sequences[row] == alone.sequences[0]
        assert together.finished[row] == alone.finished[0]
        assert [h.sequence for h in together.ended[row]] == [h.sequence for h in alone.ended[0]]


def test_everything_that_has_ended_is_told() -> None:
    seeds = list(range(8))
    session = TableSession(seeds, max_new_tokens=9)
    found = beam_search(session, eos_id=EOS, beam_size=4, alpha=2.0)
    assert max(map(len, found.ended)) > 2
    for seed, best, score, ended in zip(
        seeds, found.sequences, found.scores, found.ended, strict=True
    ):
        assert max(ended, key=lambda hypothesis: hypothesis.score) == (best, score)
        lengths = [len(hypothesis.sequence) for hypothesis in ended]
        assert lengths == sorted(lengths)
        for hypothesis in ended:
            whole = (*hypothesis.sequence, EOS)
            expected = session.log_prob(seed, whole) / length_penalty(len(whole), 2.0)
            assert hypothesis.score == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("limits", [[3], [3, 0], [3, 8]])
def test_limits_must_fit(limits: list[int]) -> None:
    with pytest.raises(ValueError, match="limits must be 2 numbers from 1 to 7, got"):
        beam_search(TableSession([5, 6], max_new_tokens=7), eos_id=EOS, limits=limits)


def test_scores_are_log_probabilities_of_the_sequences() -> None:
    session = TableSession([5, 6, 7], max_new_tokens=9)
    found = greedy(session, eos_id=EOS)
    for seed, sequence, score, finished in zip(
        [5, 6, 7], found.sequences, found.scores, found.finished, strict=True
    ):
        whole = (*sequence, EOS) if finished else tuple(sequence)
        assert score == pytest.approx(session.log_prob(seed, whole), rel=1e-5)


def test_the_beam_goes_on_when_its_best_hypothesis_ends() -> None:
    """Stopping at the first end token would return the empty translation here."""

    class Trap(TableSession):
        def scores(self, _seed: int, prefix: tuple[int, ...]) -> Tensor:
            table = {
                (BOS,): {EOS: 0.4, 3: 0.35, 4: 0.25},
                (BOS, 3): {4: 0.98, EOS: 0.01, 3: 0.01},
                (BOS, 3, 4): {EOS: 0.98, 3: 0.01, 4: 0.01},
            }
            row = table.get(prefix, {EOS: 0.34, 3: 0.33, 4: 0.33})
            return torch.tensor([row.get(token, 1e-9) for token in range(VOCAB)]).log()

    found = beam_search(Trap([0], 5), eos_id=EOS, beam_size=2, alpha=1.0)
    assert found.sequences == [[3, 4]]
    assert greedy(Trap([0], 5), eos_id=EOS).sequences == [[]]


def test_a_long_hypothesis_may_overtake_one_that_ended_early() -> None:
    """Judged at its present length it has lost; the length penalty lets it win later."""

    class Slow(TableSession):
        def scores(self, _seed: int, prefix: tuple[int, ...]) -> Tensor:
            sure = torch.tensor([-1e9, -1e9, -1e9, 0.0, -1e9])
            ending = torch.tensor([-1e9, -1e9, 0.0, -1e9, -1e9])
            first = torch.tensor([1e-9, 1e-9, 0.607, 0.387, 0.006]).log()
            return first if len(prefix) == 1 else sure if len(prefix) < 6 else ending

    found = beam_search(Slow([0], 6), eos_id=EOS, beam_size=2, alpha=2.0)
    assert found.sequences == [[3, 3, 3, 3, 3]]


@pytest.mark.parametrize("alpha", [0.0, 0.6])
def test_stopping_early_saves_steps(alpha: float) -> None:
    session = TableSession([3], max_new_tokens=200)
    beam_search(session, eos_id=EOS, beam_size=4, alpha=alpha)
    assert session.steps < 40


def test_what_is_cut_off_is_said_to_be_unfinished() -> None:
    class Endless(TableSession):
        def scores(self, _seed: int, _prefix: tuple[int, ...]) -> Tensor:
            return torch.tensor([0.0, 0.0, -1e9, 1.0, 0.0])

    for found in (
        greedy(Endless([0], 4), eos_id=EOS),
        beam_search(Endless([0], 4), eos_id=EOS, beam_size=2),
    ):
        assert found.sequences == [[3, 3, 3, 3]]
        assert found.finished == [False]
        assert math.isfinite(found.scores[0])


def test_padding_and_start_are_never_generated() -> None:
    class Tempting(TableSession):
        def scores(self, _seed: int, _prefix: tuple[int, ...]) -> Tensor:
            return torch.tensor([9.0, 9.0, 0.0, 1.0, 0.5])

    for found in (
        greedy(Tempting([0], 3), eos_id=EOS),
        beam_search(Tempting([0], 3), eos_id=EOS, beam_size=3),
    ):
        assert not {PAD, BOS} & set(found.sequences[0])


def test_stream_yields_every_step_and_stops_when_all_have_ended() -> None:
    steps = list(stream(TableSession([1, 2, 3], 50), eos_id=EOS))
    found = greedy(TableSession([1, 2, 3], 50), eos_id=EOS)
    assert all(found.finished)
    assert len(steps) == max(map(len, found.sequences)) + 1
    assert steps[-1].finished.all()
    assert not steps[-2].finished.all()
    for row, sequence in enumerate(found.sequences):
        tokens = [step.tokens[row].item() for step in steps]
        end = len(sequence)
        assert tokens[:end] == sequence
        assert tokens[end] == EOS
        assert set(tokens[end + 1 :]) <= {PAD}


@pytest.mark.parametrize("bad", [0, -3])
def test_sizes_below_one_are_named(bad: int) -> None:
    with pytest.raises(ValueError, match=f"beam_size must be at least 1, got {bad}"):
        beam_search(TableSession([0], 3), eos_id=EOS, beam_size=bad)
    with pytest.raises(ValueError, match=f"max_new_tokens must be at least 1, got {bad}"):
        TableSession([0], bad)


class TestWithARealModel:
    """The cache, its reordering and the shrinking batch, against a model run without any of it."""

    source = torch.tensor([[5, 6, 7, 8], [9, 3, 0, 0], [4, 4, 4, 0]])

    @staticmethod
    def greedy_without_cache(model: Transformer, source: Tensor, steps: int) -> list[int]:
        memory, tokens = model.encode(source[source != PAD][None]), [BOS]
        for _ in range(steps):
            logits = model.decode(torch.tensor([tokens]), memory)[0, -1]
            logits[[PAD, BOS]] = -math.inf
            tokens.append(int(logits.argmax()))
            if tokens[-1] == EOS:
                break
        return [token for token in tokens[1:] if token != EOS]

    def test_greedy(self, tiny_model: Transformer) -> None:
        found = greedy(tiny_model.start(self.source, bos_id=BOS, max_new_tokens=8), eos_id=EOS)
        for row, sequence in zip(self.source, found.sequences, strict=True):
            assert sequence == self.greedy_without_cache(tiny_model, row, 8)

    def test_beam(self, tiny_model: Transformer) -> None:
        def run(source: Tensor) -> Generation:
            session = tiny_model.start(source, bos_id=BOS, max_new_tokens=8)
            return beam_search(session, eos_id=EOS, beam_size=3)

        together = run(self.source)
        for row in range(3):
            alone = run(self.source[row][self.source[row] != PAD][None])
            assert together.sequences[row] == alone.sequences[0]
            assert together.scores[row] == pytest.approx(alone.scores[0], rel=1e-6)
            sequence = together.sequences[row]
            end = [EOS] if together.finished[row] else []
            target = torch.tensor([[BOS, *sequence, *end]])
            log_probs = tiny_model(self.source[row : row + 1], target[:, :-1]).log_softmax(-1)
            gained = log_probs[0].gather(1, target[0, 1:, None]).sum().item()
            penalty = length_penalty(len(sequence) + len(end), 0.6)
            assert together.scores[row] == pytest.approx(gained / penalty, rel=1e-6)

    def test_no_gradients_are_kept(self, tiny_model: Transformer) -> None:
        session = tiny_model.start(self.source, bos_id=BOS, max_new_tokens=2)
        assert not session.step(session.prompt).requires_grad
