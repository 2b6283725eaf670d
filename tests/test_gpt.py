"""The language model: causal, cached as uncached, batched as single, for every position scheme."""

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from companion.capture import Capture
from companion.config import AttentionSpec, FeedForwardSpec, NormSpec
from companion.generation import beam_search, greedy, stream
from companion.gpt import GPT, GPTConfig
from companion.kv_cache import CacheFullError
from companion.masks import sliding_window_mask
from companion.positions import (
    Learned,
    NoPositions,
    PositionSpec,
    SequenceTooLongError,
    Sinusoidal,
)
from companion.presets import tiny_gpt
from companion.relative_positions import ALiBi, T5Buckets
from companion.rotary import Rotary
from companion.rotary_scaling import Interpolation, Llama3Scaling, NTKAware, YaRN
from companion.stack import within

VOCAB = 17
SCHEMES = {
    "none": NoPositions(),
    "sinusoidal": Sinusoidal(),
    "learned": Learned(32),
    "alibi": ALiBi(),
    "t5": T5Buckets(n_buckets=6, max_distance=9),
    "rotary": Rotary(),
    "rotary-interleaved": Rotary(layout="interleaved"),
    "rotary-partial": Rotary(fraction=0.5),
    "rotary-interpolation": Rotary(scaling=Interpolation(4.0)),
    "rotary-ntk": Rotary(scaling=NTKAware(4.0)),
    "rotary-yarn": Rotary(scaling=YaRN(4.0, 8)),
    "rotary-llama3": Rotary(scaling=Llama3Scaling(original_max_seq_len=8)),
}


def config(position: PositionSpec, **changes: object) -> GPTConfig:
    values = {
        "vocab_size": VOCAB,
        "d_model": 24,
        "n_layers": 3,
        "attention": AttentionSpec(n_heads=6, n_kv_heads=3),
        "feed_forward": FeedForwardSpec(d_ff=20, activation="silu", gated=True),
        "norm": NormSpec(kind="rms"),
        "position": position,
    }
    return GPTConfig(**(values | changes))


def build(position: PositionSpec | None = None, **changes: object) -> GPT:
    """Float64, eval mode, every parameter (norms and biases too) away from where it started."""
    model = GPT(config(position or Rotary(), **changes)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


@pytest.fixture(params=list(SCHEMES))
def model(request: pytest.FixtureRequest) -> GPT:
    return build(SCHEMES[request.param])


def close(found: Tensor, expected: Tensor) -> None:
    # Rotary tables are float32: the last bits depend on the shape they were computed in.
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)


# --- the forward ------------------------------------------------------------------------------


def test_a_token_changes_nothing_before_it(model: GPT) -> None:
    tokens = torch.randint(VOCAB, (1, 8))
    before = model(tokens)
    for place in range(8):
        changed = tokens.clone()
        changed[0, place] = (changed[0, place] + 1) % VOCAB
        difference = (model(changed) - before).abs().amax(dim=-1)[0]
        assert difference[:place].max().item() < 1e-9 if place else True
        assert difference[place:].min().item() > 1e-9


@pytest.mark.parametrize("chunks", [[1] * 9, [4, 5], [3, 1, 3, 2], [9]])
def test_cached_equals_uncached_at_every_chunk_size(model: GPT, chunks: list[int]) -> None:
    tokens = torch.randint(VOCAB, (2, 9))
    cache = model.new_cache(2, 9)
    parts = [model(part, cache=cache) for part in tokens.split(chunks, dim=1)]
    close(torch.cat(parts, dim=1), model(tokens))


@pytest.mark.parametrize("chunks", [[1] * 7, [2, 5], [7]])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_padded_batch_equals_its_rows_with_and_without_cache(
    model: GPT, side: str, chunks: list[int]
) -> None:
    rows = [torch.randint(VOCAB, (n,)) for n in (7, 3, 5)]
    tokens, valid = pad(rows, side)
    cache = model.new_cache(3, 7)
    parts = zip(tokens.split(chunks, dim=1), valid.split(chunks, dim=1), strict=True)
    cached = torch.cat([model(t, valid=v, cache=cache) for t, v in parts], dim=1)
    together = model(tokens, valid=valid)
    for row, alone in enumerate(rows):
        close(together[row, valid[row]], model(alone[None])[0])
        close(cached[row, valid[row]], model(alone[None])[0])


def pad(rows: list[Tensor], side: str) -> tuple[Tensor, Tensor]:
    """Rows of ids to a rectangle filled with token 3, which is a real token elsewhere."""
    width = max(len(row) for row in rows)
    tokens = torch.full((len(rows), width), 3)
    valid = torch.zeros(len(rows), width, dtype=torch.bool)
    for index, row in enumerate(rows):
        columns = slice(width - len(row), width) if side == "left" else slice(0, len(row))
        tokens[index, columns], valid[index, columns] = row, True
    return tokens, valid


def test_what_stands_in_the_padding_does_not_matter(model: GPT) -> None:
    tokens, valid = pad([torch.randint(VOCAB, (n,)) for n in (6, 2)], "left")
    other = tokens.where(valid, 11)
    close(model(other, valid=valid)[valid], model(tokens, valid=valid)[valid])


def test_a_pad_token_is_padding_wherever_it_stands() -> None:
    model = build(pad_id=3)
    tokens = torch.tensor([[3, 3, 5, 6], [4, 5, 6, 3]])
    together = model(tokens)
    close(together[0, 2:], model(torch.tensor([[5, 6]]))[0])
    close(together[1, :3], model(torch.tensor([[4, 5, 6]]))[0])


def test_the_model_without_positions_sees_only_what_came_not_in_which_order() -> None:
    """With a causal mask it still knows how much came before: the last row of a bag is the same."""
    one_layer = build(NoPositions(), n_layers=1)
    tokens = torch.tensor([[4, 5, 6, 7]])
    close(one_layer(tokens)[:, -1], one_layer(tokens[:, [2, 0, 1, 3]])[:, -1])
    ordered = build(Rotary(), n_layers=1)
    assert (ordered(tokens) - ordered(tokens[:, [2, 0, 1, 3]]))[:, -1].abs().max() > 1e-3


def test_every_layer_can_be_looked_into_without_changing_the_output(model: GPT) -> None:
    tokens, capture = torch.randint(VOCAB, (2, 5)), Capture()
    close(model(tokens, capture=capture), model(tokens))
    for layer in range(3):
        weights = capture[f"layers.{layer}.self_attention.weights"]
        assert weights.shape == (2, 6, 5, 5)
        assert weights.triu(1).abs().max() == 0
        assert capture[f"layers.{layer}.output"].shape == (2, 5, 24)
    close(model.logits(capture["output"]), model(tokens))


def test_the_window_hides_what_is_further_back() -> None:
    positions = torch.arange(9)[None]
    expected = sliding_window_mask(9, window=4)
    assert torch.equal(
        (within(4, positions, positions) & torch.ones(9, 9).tril().bool())[0, 0], expected
    )
    spec = AttentionSpec(n_heads=6, window=4)
    windowed = build(attention=spec, n_layers=1)
    capture, tokens = Capture(), torch.randint(VOCAB, (1, 9))
    windowed(tokens, capture=capture)
    weights = capture["layers.0.self_attention.weights"]
    assert torch.equal((weights > 0).all(dim=1)[0], expected)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_window_counts_positions_and_not_columns(side: str) -> None:
    model = build(attention=AttentionSpec(n_heads=6, window=2))
    rows = [torch.randint(VOCAB, (n,)) for n in (6, 4)]
    tokens, valid = pad(rows, side)
    # A hole between two pieces of a row, as decoding leaves behind right padding.
    tokens, valid = torch.cat((tokens, tokens), 1), torch.cat((valid, valid), 1)
    cache = model.new_cache(2, 12)
    parts = zip(tokens.split(5, dim=1), valid.split(5, dim=1), strict=True)
    cached = torch.cat([model(t, valid=v, cache=cache) for t, v in parts], dim=1)
    for row, alone in enumerate(rows):
        close(cached[row, valid[row]], model(torch.cat((alone, alone))[None])[0])


@pytest.mark.parametrize("tie_output", [True, False])
def test_tied_output_is_the_table_itself(tie_output: bool) -> None:
    model = build(tie_output=tie_output)
    assert ("output.weight" in model.state_dict()) is not tie_output
    hidden = torch.randn(1, 2, 24).double()
    table = model.embedding.tokens.weight if tie_output else model.output.weight
    close(model.logits(hidden), hidden @ table.T)


def test_layers_start_different() -> None:
    first, second, _ = GPT(config(Rotary())).layers
    assert not torch.equal(first.self_attention.q_proj.weight, second.self_attention.q_proj.weight)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_stays_near(model: GPT, dtype: torch.dtype) -> None:
    tokens = torch.randint(VOCAB, (2, 6))
    expected = model(tokens)
    half = model.to(dtype)
    for capture in (None, Capture()):
        logits = half(tokens, capture=capture)
        assert logits.dtype == dtype
        assert (logits.double() - expected).abs().max() < 0.1 * expected.abs().max()
    tokens, valid = pad([torch.randint(VOCAB, (n,)) for n in (6, 2)], "left")
    assert bool(half(tokens, valid=valid).isfinite().all())


def test_padding_gives_finite_gradients(model: GPT) -> None:
    tokens, valid = pad([torch.randint(VOCAB, (n,)) for n in (6, 2)], "left")
    model(tokens, valid=valid)[valid].square().sum().backward()
    for name, parameter in model.named_parameters():
        assert bool(parameter.grad.isfinite().all()), name


@pytest.mark.slow
def test_it_is_traced_whole_with_every_kind_of_scheme() -> None:
    """In a process of its own: here the shape checks of the tests would be traced with it."""
    code = """
import torch, test_gpt
from companion.gpt import GPT
tokens = torch.tensor([[4, 5, 6, 7]])
for name in ("learned", "alibi", "t5", "rotary-yarn"):
    torch.compiler.reset()
    model = GPT(test_gpt.config(test_gpt.SCHEMES[name], n_layers=1)).eval()
    with torch.no_grad():
        compiled = torch.compile(model, backend="eager", fullgraph=True)(tokens)
        exported = torch.export.export(model, (tokens,)).module()(tokens)
        for found in (compiled, exported):
            torch.testing.assert_close(found, model(tokens))
    print(name)
"""
    tests = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tests), str(tests.parent)])},
    )
    assert done.stdout.split() == ["learned", "alibi", "t5", "rotary-yarn"], done.stderr


# --- decoding ---------------------------------------------------------------------------------


def follow(model: GPT, row: Tensor, steps: int) -> list[int]:
    """Greedy decoding without a cache: the reference."""
    tokens = row[None]
    for _ in range(steps):
        tokens = torch.cat((tokens, model(tokens)[:, -1].argmax(-1, keepdim=True)), dim=1)
    return tokens[0, len(row) :].tolist()


@pytest.mark.parametrize("side", ["left", "right"])
def test_greedy_on_a_padded_batch_is_greedy_on_its_rows(model: GPT, side: str) -> None:
    rows = [torch.randint(VOCAB, (n,)) for n in (6, 1, 4)]
    tokens, valid = pad(rows, side)
    session = model.start(tokens, valid=valid, max_new_tokens=10)
    found = greedy(session, eos_id=VOCAB)  # an id that is never produced
    assert found.sequences == [follow(model, row, 10) for row in rows]
    assert found.finished == [False] * 3


def test_rows_end_on_their_own_and_no_real_token_is_lost() -> None:
    """Without a pad token every id of the vocabulary can be produced, whatever fills the prompt."""
    model = build()
    rows = [torch.randint(VOCAB, (n,)) for n in (5, 2, 3, 4)]
    tokens, valid = pad(rows, "left")
    endless = [follow(model, row, 8) for row in rows]
    for eos in range(VOCAB):
        found = greedy(model.start(tokens, valid=valid, max_new_tokens=8), eos_id=eos)
        for sequence, finished, reference in zip(
            found.sequences, found.finished, endless, strict=True
        ):
            assert finished is (eos in reference)
            assert sequence == (reference[: reference.index(eos)] if finished else reference)


def test_streaming_gives_the_log_probabilities_of_the_model() -> None:
    model = build()
    prompt = torch.randint(VOCAB, (1, 4))
    step = next(iter(stream(model.start(prompt, max_new_tokens=3), eos_id=VOCAB)))
    close(step.log_probs[:, :VOCAB].double(), model(prompt)[:, -1].log_softmax(-1))
    assert step.log_probs[0, VOCAB:].tolist() == [float("-inf")]  # the mark of finished rows


def test_a_pad_token_of_the_models_own_is_never_produced() -> None:
    model = build(pad_id=3)
    session = model.start(torch.tensor([[3, 3, 5, 6]]), max_new_tokens=3)
    step = next(iter(stream(session, eos_id=4)))
    assert step.log_probs.shape == (1, VOCAB)
    assert step.log_probs[0, 3] == float("-inf")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_wide_beam_finds_the_best_of_all_continuations(side: str) -> None:
    vocab, steps, eos = 4, 3, 0
    model = build(vocab_size=vocab)
    rows = [torch.tensor(row) for row in ([1, 2, 3, 1], [2, 2])]
    tokens, valid = pad(rows, side)
    session = model.start(tokens, valid=valid, max_new_tokens=steps)
    found = beam_search(session, eos_id=eos, beam_size=vocab**steps, alpha=0.0)
    for row, sequence, score in zip(rows, found.sequences, found.scores, strict=True):
        ended = [
            (total(model, row, [*head, eos]), list(head))
            for n in range(steps)
            for head in itertools.product(range(1, vocab), repeat=n)
        ]
        best, head = max(ended)
        assert sequence == head
        assert score == pytest.approx(best, abs=1e-5)


def total(model: GPT, prompt: Tensor, continuation: list[int]) -> float:
    tokens = torch.cat((prompt, torch.tensor(continuation)))[None]
    scores = model(tokens).log_softmax(-1)[0, len(prompt) - 1 : -1]
    return scores[range(len(continuation)), continuation].sum().item()


def test_the_cache_can_be_rewound() -> None:
    model = build()
    cache = model.new_cache(1, 6)
    tokens = torch.randint(VOCAB, (1, 6))
    model(torch.cat((tokens[:, :3], tokens[:, :2]), dim=1), cache=cache)
    cache.rewind(3)
    close(model(tokens[:, 3:], cache=cache), model(tokens)[:, 3:])


# --- errors -----------------------------------------------------------------------------------


def test_too_long_is_an_error_in_the_forward_and_before_decoding_starts() -> None:
    model = build(Learned(8))
    model(torch.zeros(1, 8, dtype=torch.long))
    with pytest.raises(SequenceTooLongError, match="9 tokens"):
        model(torch.zeros(1, 9, dtype=torch.long))
    prompt = torch.zeros(1, 5, dtype=torch.long)
    greedy(model.start(prompt, max_new_tokens=4), eos_id=VOCAB)  # the last one is never fed
    with pytest.raises(SequenceTooLongError, match="9 tokens"):
        model.start(prompt, max_new_tokens=5)
    with pytest.raises(CacheFullError, match="max_len=3"):
        model(prompt, cache=model.new_cache(1, 3))


def test_an_empty_prompt_is_an_error() -> None:
    model = build()
    with pytest.raises(ValueError, match=r"rows \[1\] of the prompt hold no token"):
        model.start(
            torch.tensor([[5, 6], [5, 6]]),
            valid=torch.tensor([[True, True], [False, False]]),
            max_new_tokens=2,
        )
    with pytest.raises(ValueError, match="hold no token"):
        model.start(torch.zeros(2, 0, dtype=torch.long), max_new_tokens=2)
    with pytest.raises(ValueError, match="max_new_tokens must be at least 1, got 0"):
        model.start(torch.tensor([[5]]), max_new_tokens=0)


def test_configurations_that_make_no_sense_are_errors() -> None:
    with pytest.raises(ValueError, match="pad_id=17 is no token of a vocabulary of 17"):
        config(Rotary(), pad_id=17)
    with pytest.raises(ValueError, match="d_model=24 cannot be split into n_heads=5"):
        config(Rotary(), attention=AttentionSpec(n_heads=5))
    with pytest.raises(ValueError, match="vocab_size must be at least 1, got 0"):
        config(Rotary(), vocab_size=0)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        AttentionSpec(n_heads=2, window=0)


# --- the configuration ------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(SCHEMES))
def test_json_gives_the_same_configuration_back(name: str) -> None:
    original = config(SCHEMES[name], pad_id=0)
    assert GPTConfig.from_dict(json.loads(json.dumps(original.to_dict()))) == original
    assert original.max_seq_len == (32 if name == "learned" else None)


def test_relative_buckets_all_look_back() -> None:
    spec = T5Buckets(n_buckets=6, max_distance=9)
    assert config(spec).stack.position == dataclasses.replace(spec, bidirectional=False)
    assert config(spec).position == spec


@given(n_layers=st.integers(1, 3), d_ff=st.integers(1, 9), vocab=st.integers(1, 30))
def test_parameters_are_counted_in_closed_form(n_layers: int, d_ff: int, vocab: int) -> None:
    model = GPT(
        tiny_gpt(
            vocab,
            d_model=8,
            n_layers=n_layers,
            attention=AttentionSpec(n_heads=2),
            feed_forward=FeedForwardSpec(d_ff=d_ff),
            position=Learned(5),
        )
    )
    attention, feed_forward, norms = 4 * (8 * 8 + 8), 2 * 8 * d_ff + d_ff + 8, 2 * 16
    expected = vocab * 8 + 5 * 8 + n_layers * (attention + feed_forward + norms) + 16
    assert sum(p.numel() for p in model.parameters()) == expected
