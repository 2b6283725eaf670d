"""Batches hold every sentence once, within the budget, in an order that can be taken up again."""

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.translator.batching import (
    BatchStream,
    Example,
    collate,
    encode_pairs,
    pad,
    plan_epoch,
)
from companion.translator.tokenizer import Tokenizer


def corpus(count: int = 60) -> list[Example]:
    return [
        Example(tuple(range(3, 4 + i % 7)), tuple(range(3, 4 + (i * 5) % 11))) for i in range(count)
    ]


def test_collate_gives_exact_ids() -> None:
    batch = collate([Example((5, 6, 7), (8,)), Example((9,), (3, 4))])
    assert batch.source.tolist() == [[5, 6, 7], [9, 0, 0]]
    assert batch.decoder_input.tolist() == [[1, 8, 0], [1, 3, 4]]
    assert batch.labels.tolist() == [[8, 2, 0], [3, 4, 2]]


def test_pad_of_nothing_and_of_empty_rows() -> None:
    assert pad([]).shape == (0, 0)
    assert pad([[], []]).shape == (2, 0)
    assert pad([[], [4]]).tolist() == [[0], [4]]


def test_encode_pairs_adds_no_control_tokens() -> None:
    tokenizer = Tokenizer.train(["好久不见", "long time no see"] * 5, vocab_size=320)
    (example,) = encode_pairs(tokenizer, [("好久", "long time")])
    assert tokenizer.decode(example.source) == "好久"
    assert tokenizer.decode(example.target) == "long time"
    assert not {0, 1, 2} & {*example.source, *example.target}


@settings(deadline=None)
@given(
    lengths=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=80),
    budget=st.integers(19, 90),
    seed=st.integers(0, 5),
)
def test_every_pair_once_and_within_the_budget(
    lengths: list[tuple[int, int]], budget: int, seed: int
) -> None:
    examples = [Example((3,) * source, (4,) * target) for source, target in lengths]
    plan = plan_epoch(examples, max_tokens=budget, seed=seed, epoch=0)
    assert sorted(index for batch in plan for index in batch) == list(range(len(examples)))
    for indices in plan:
        batch = collate([examples[index] for index in indices])
        assert batch.source.numel() + batch.labels.numel() <= budget


def test_batches_hold_sentences_of_like_length() -> None:
    examples = corpus(600)
    plan = plan_epoch(examples, max_tokens=200, seed=0, epoch=0)
    padded = real = 0
    for indices in plan:
        batch = collate([examples[index] for index in indices])
        padded += batch.labels.numel()
        real += int((batch.labels != 0).sum())
    assert real / padded > 0.95


def test_order_depends_on_seed_and_epoch_only() -> None:
    examples = corpus()
    plan = [plan_epoch(examples, max_tokens=60, seed=s, epoch=e) for s, e in [(0, 0), (0, 0)]]
    assert plan[0] == plan[1]
    assert plan[0] != plan_epoch(examples, max_tokens=60, seed=1, epoch=0)
    assert plan[0] != plan_epoch(examples, max_tokens=60, seed=0, epoch=1)


def test_a_stream_goes_on_exactly_where_it_was_stored() -> None:
    stream = BatchStream(corpus(), max_tokens=60, seed=3)
    per_epoch = stream.batches_per_epoch
    for stop in (0, 1, per_epoch - 1, per_epoch, per_epoch + 2):
        first = BatchStream(corpus(), max_tokens=60, seed=3)
        for _ in range(stop):
            next(first)
        state = json.loads(json.dumps(first.state_dict()))
        second = BatchStream(corpus(), max_tokens=60, seed=3)
        second.load_state_dict(state)
        for _ in range(per_epoch + 1):
            for left, right in zip(next(first), next(second), strict=True):
                assert torch.equal(left, right)


def test_epochs_differ_and_each_is_whole() -> None:
    stream = BatchStream(corpus(), max_tokens=60)
    seen = []
    for epoch in range(2):
        assert stream.epoch == epoch
        rows = 0
        for _ in range(stream.batches_per_epoch):
            batch = next(stream)
            rows += batch.source.shape[0]
            seen.append(batch.source.tolist())
        assert rows == 60
        next_epoch = BatchStream(corpus(), max_tokens=60)
        next_epoch.load_state_dict({**stream.state_dict(), "epoch": epoch + 1, "position": 0})
        stream = next_epoch
    half = len(seen) // 2
    assert seen[:half] != seen[half:]


def test_another_corpus_seed_or_budget_is_refused() -> None:
    state = BatchStream(corpus(), max_tokens=60).state_dict()
    with pytest.raises(ValueError, match="corpus"):
        BatchStream(corpus(59), max_tokens=60).load_state_dict(state)
    with pytest.raises(ValueError, match="order of sentences"):
        BatchStream(corpus(), max_tokens=61).load_state_dict(state)
    with pytest.raises(ValueError, match="order of sentences"):
        BatchStream(corpus(), max_tokens=60, seed=1).load_state_dict(state)


def test_what_cannot_be_batched_is_named() -> None:
    with pytest.raises(ValueError, match="pair 0 takes 12 tokens, more than max_tokens=11"):
        plan_epoch([Example((3,) * 5, (3,) * 6)], max_tokens=11, seed=0, epoch=0)
    with pytest.raises(ValueError, match="no sentence pairs"):
        BatchStream([], max_tokens=10)
