"""Sampled frequencies follow the distribution that the settings describe."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxtyping import Float, Int
from torch import Tensor

from companion.config import tiny_translator
from companion.generation import DecodingSession, greedy, stream
from companion.sampling import Sampler, apply_temperature, keep_top_k, keep_top_p, sample
from companion.transformer import Transformer

PROBS = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05])
EOS, PAD = 5, 6


def chi_square(sampler: Sampler, expected: Tensor, draws: int = 20_000) -> float:
    """Σ (observed - expected)² / expected over the tokens that may come; no other may come."""
    tokens = sampler(PROBS.log().expand(draws, -1))
    observed = torch.bincount(tokens, minlength=len(PROBS)).double()
    assert (observed[expected == 0] == 0).all()
    wanted = expected.double() * draws
    return float(((observed - wanted)[expected > 0] ** 2 / wanted[expected > 0]).sum())


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.4, 0.3, 0.15, 0.1, 0.05]),
        ({"temperature": 0.5}, [0.16, 0.09, 0.0225, 0.01, 0.0025]),
        ({"temperature": 2.0}, [p**0.5 for p in PROBS.tolist()]),
        ({"top_k": 2}, [0.4, 0.3, 0, 0, 0]),
        ({"top_p": 0.75}, [0.4, 0.3, 0.15, 0, 0]),
        ({"top_k": 3, "top_p": 0.6}, [0.4, 0.3, 0, 0, 0]),
        ({"temperature": 0.5, "top_p": 0.6}, [0.16, 0.09, 0, 0, 0]),
        ({"temperature": 0.0}, [1, 0, 0, 0, 0]),
    ],
)
def test_frequencies_follow_the_distribution(
    settings: dict[str, float], expected: list[float]
) -> None:
    wanted = torch.tensor(expected)
    wanted = wanted / wanted.sum()
    sampler = Sampler(generator=generator(), **settings)  # type: ignore[arg-type]
    # 99.9% of chi-square with four degrees of freedom lies below 18.5.
    assert chi_square(sampler, wanted) < 18.5


def test_the_frequency_test_can_fail() -> None:
    assert chi_square(Sampler(generator=generator(), temperature=1.1), PROBS) > 18.5


@settings(deadline=None)
@given(
    logits=st.lists(st.floats(-20, 20), min_size=1, max_size=12),
    temperature=st.floats(0.1, 10),
    k=st.integers(1, 15),
    p=st.floats(0.01, 1),
)
def test_every_filter_gives_a_distribution_and_keeps_the_best(
    logits: list[float], temperature: float, k: int, p: float
) -> None:
    log_probs = torch.tensor([logits]).log_softmax(-1)
    for filtered in (
        apply_temperature(log_probs, temperature),
        keep_top_k(log_probs, k),
        keep_top_p(log_probs, p),
    ):
        torch.testing.assert_close(filtered.exp().sum().item(), 1.0, rtol=1e-4, atol=0)
        assert filtered[0, log_probs.argmax()] > float("-inf")
    assert int(keep_top_k(log_probs, k).isfinite().sum()) == min(k, len(logits))
    kept = keep_top_p(log_probs, p).isfinite()
    mass = log_probs.exp()[kept]
    assert mass.sum() >= p - 1e-5
    assert mass.sum() - mass.min() < p + 1e-5  # without its least probable token it falls short


def test_the_nucleus_of_a_single_certain_token() -> None:
    certain = torch.tensor([[0.0, float("-inf")]])
    assert keep_top_p(certain, 0.01).exp().tolist() == [[1.0, 0.0]]


def test_the_whole_nucleus_is_every_token() -> None:
    # 50,000 rounded probabilities reach 1 before the last ones.
    log_probs = torch.randn(1, 50_000, generator=generator()).mul(3).log_softmax(-1)
    assert keep_top_p(log_probs, 1.0).isfinite().all()


def test_ties_do_not_let_more_than_k_through() -> None:
    assert int(keep_top_k(torch.zeros(1, 7), 3).isfinite().sum()) == 3


def test_rows_are_drawn_independently_of_each_other() -> None:
    log_probs = torch.eye(5).log()  # row i can only give token i
    assert Sampler()(log_probs).tolist() == [0, 1, 2, 3, 4]


def test_a_seed_repeats_the_draws() -> None:
    log_probs = PROBS.log().expand(200, -1)
    first = Sampler(generator=generator(1))(log_probs)
    assert torch.equal(first, Sampler(generator=generator(1))(log_probs))
    assert not torch.equal(first, Sampler(generator=generator(2))(log_probs))


def test_the_global_generator_is_left_alone() -> None:
    before = torch.get_rng_state()
    Sampler(generator=generator())(PROBS.log()[None])
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperature": -0.5}, "temperature .* above 0, got -0.5"),
        ({"temperature": math.nan}, "temperature .* got nan"),
        ({"temperature": math.inf}, "temperature .* got inf"),
        ({"top_k": 0}, "top_k must be at least 1, got 0"),
        ({"top_p": 0.0}, r"top_p is a probability in \(0, 1\], got 0.0"),
        ({"top_p": 1.5}, r"top_p is a probability in \(0, 1\], got 1.5"),
    ],
)
def test_settings_out_of_range_are_named_before_anything_runs(
    settings: dict[str, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Sampler(**settings)  # type: ignore[arg-type]


class Fixed(DecodingSession):
    """Always the same distribution over seven tokens."""

    def __init__(self, rows: int, max_new_tokens: int) -> None:
        prompt = torch.zeros(rows, 1, dtype=torch.long)
        super().__init__(prompt, pad_id=PAD, max_new_tokens=max_new_tokens)

    def step(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch vocab"]:
        return torch.tensor([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1]).log().repeat(len(tokens), 1)

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None: ...


def test_sampled_sequences_end_at_the_end_token_and_never_hold_padding() -> None:
    found = sample(Fixed(64, 40), eos_id=EOS, generator=generator())
    assert not any({EOS, PAD} & set(row) for row in found.sequences)
    lengths = [len(row) for row in found.sequences]
    assert [n < 40 for n in lengths] == found.finished
    # Padding is suppressed, not renormalised: the end token's share of what is left is 1/9.
    assert sum(lengths) / 64 == pytest.approx(8, abs=3)


def test_scores_are_the_models_own_log_probabilities() -> None:
    found = sample(Fixed(3, 4), eos_id=EOS, top_k=1, generator=generator())
    assert found.sequences == [[0] * 4] * 3
    assert found.scores == pytest.approx([4 * math.log(0.3)] * 3)


def test_cold_sampling_of_a_real_model_is_greedy_and_streaming_agrees() -> None:
    torch.manual_seed(0)
    model = Transformer(tiny_translator(vocab_size=20)).eval()
    source = torch.tensor([[5, 6, 7], [8, 9, 0]])

    def session() -> DecodingSession:
        return model.start(source, bos_id=1, max_new_tokens=8)

    assert sample(session(), eos_id=2, temperature=0.0) == greedy(session(), eos_id=2)
    drawn = sample(session(), eos_id=2, temperature=3.0, generator=generator(3))
    hot = Sampler(temperature=3.0, generator=generator(3))
    steps = list(stream(session(), eos_id=2, choose=hot))
    columns = torch.stack([step.tokens for step in steps], dim=1).tolist()
    assert [[t for t in row if t not in (0, 2)] for row in columns] == drawn.sequences
    assert drawn != greedy(session(), eos_id=2)
