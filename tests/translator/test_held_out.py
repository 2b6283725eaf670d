"""The held-out loss is what it says, changes nothing, and ends a training that got no better."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from companion.transformer import Transformer
from companion.translator import held_out
from companion.translator.architectures import build, peer_of
from companion.translator.batching import BatchStream, Example, collate, encode_pairs
from companion.translator.checkpoint import load_checkpoint, load_tensors, unique_weights
from companion.translator.held_out import Best, HeldOut, lent_weights
from companion.translator.progress import ending
from companion.translator.runs import LOG, STATE, JsonLog, Reporter, Run, Stopped, read_log, train
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import Trainer

MakeTrainer = Callable[..., Trainer]
EXACT = torch.autocast("cpu", torch.bfloat16, enabled=False)
CPU = torch.device("cpu")
UNSEEN = [("你看书", "you read a book"), ("你不看书", "you don't read a book"), ("我好", "I")]


@pytest.fixture
def make_trainer(
    make_model: Callable[..., Transformer], tokenizer: Tokenizer, pairs: list[tuple[str, str]]
) -> MakeTrainer:
    """A trainer that looks at three unseen sentences; `losses` are what it is told instead."""

    def make(*, losses: list[float] | None = None, looks: bool = True, **values: Any) -> Trainer:
        settings = TrainingSettings(
            **{"steps": 12, "max_tokens": 40, "checkpoint_every": 2, "average": 0.9, **values}
        )
        batches = BatchStream(encode_pairs(tokenizer, pairs), max_tokens=40)
        sentences = HeldOut(encode_pairs(tokenizer, UNSEEN), max_tokens=40) if looks else None
        trainer = Trainer(make_model(0), batches, settings, held_out=sentences)
        if losses is not None and sentences is not None:
            told = {(index + 1) * 2: loss for index, loss in enumerate(losses)}
            sentences.loss = lambda *_: told[trainer.step]  # type: ignore[method-assign]
        return trainer

    return make


def test_it_is_the_cross_entropy_of_every_target_token(
    make_model: Callable[..., Transformer], tokenizer: Tokenizer
) -> None:
    examples = encode_pairs(tokenizer, UNSEEN)
    model = make_model().train()
    found = HeldOut(examples, max_tokens=30).loss(model, CPU, EXACT)
    assert model.training
    model.eval()
    total, count = 0.0, 0
    for example in examples:
        batch = collate([example])
        logits = model(batch.source, batch.decoder_input)
        total += F.cross_entropy(logits[0], batch.labels[0], reduction="sum").item()
        count += batch.labels.numel()
    assert found == pytest.approx(total / count, rel=1e-5)


def test_few_sentences_spread_evenly_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "SENTENCES", 4)
    examples = [Example((5,), (index,)) for index in range(10, 20)]
    taken = HeldOut(examples, max_tokens=100).examples
    assert [example.target[0] for example in taken] == [10, 12, 15, 17]


def test_sentences_that_fit_nowhere_are_left_out() -> None:
    short, long_source, long_target = (5,) * 3, (5,) * 8, (5,) * 7
    examples = [Example(short, short), Example(long_source, short), Example(short, long_target)]
    assert HeldOut(examples, max_tokens=10).examples == examples[:1]
    assert HeldOut(examples, max_tokens=100, max_seq_len=7).examples == examples[:1]
    assert HeldOut(examples, max_tokens=100, max_seq_len=8).examples == examples
    assert HeldOut([], max_tokens=10).batches == []


@pytest.mark.parametrize("peer", [None, "torch", "recurrent"])
def test_weights_are_lent_and_given_back(config: Any, peer: Any) -> None:
    torch.manual_seed(0)
    model = build(config if peer is None else peer_of(config, peer)).eval()
    source = torch.randint(4, 60, (2, 5))
    before = model(source, source)
    own = {name: weight.clone() for name, weight in unique_weights(model).items()}
    halves = {name: weight / 2 for name, weight in own.items()}
    with lent_weights(model, halves):
        assert not torch.allclose(model(source, source), before, atol=1e-3)
        assert all(torch.equal(w, halves[n]) for n, w in unique_weights(model).items())
    assert all(torch.equal(w, own[n]) for n, w in unique_weights(model).items())
    assert torch.equal(model(source, source), before)


def test_the_average_is_what_is_looked_at(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer()
    for _ in range(4):
        trainer.update()
    assert trainer.average is not None
    with lent_weights(trainer.model, trainer.average.weights):
        expected = trainer.held_out.loss(trainer.model, CPU, EXACT)
    assert trainer.check() == expected
    assert trainer.held_out.loss(trainer.model, CPU, EXACT) != expected


def test_looking_changes_nothing(make_trainer: MakeTrainer) -> None:
    states = []
    for looks in (False, True):
        trainer = make_trainer(looks=looks)
        for _ in range(6):
            trainer.update()
            assert (trainer.check() is not None) is looks
        states.append(trainer.state()[0])
    blind, looking = states
    assert any(name.startswith("random.") for name in blind)
    for name, tensor in blind.items():
        assert torch.equal(tensor, looking[name]), name


LOSSES = [3.0, 2.0, 2.5, 1.0, math.nan, 1.5]


def test_patience_ends_with_the_best_model(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    trainer = make_trainer(losses=[3.0, 2.0, 2.5, 2.0, 9.9, 9.9], patience=2)
    run = Run(tmp_path)
    train(trainer, run, tokenizer, {}, [JsonLog(tmp_path)])
    reference = make_trainer()
    for _ in range(4):
        reference.update()
    assert trainer.step == 8
    assert run.is_finished
    loaded = load_checkpoint(tmp_path)
    for name, weight in unique_weights(loaded.model).items():
        assert torch.equal(weight, reference.weights()[name]), name
    assert loaded.facts["best"] == {"step": 4, "dev_loss": 2.0, "misses": 2}
    assert [entry.get("dev_loss") for entry in read_log(tmp_path / LOG)] == [
        *(None, 3.0, None, 2.0, None, 2.5, None, 2.0)
    ]
    assert ending(trainer) == (
        "Stopped early: 2 looks without a better held-out loss. The held-out loss was lowest after "
        "update 4: 2.000 nats a token. The model is that of update 4."
    )


def test_without_patience_the_last_model_counts(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    trainer = make_trainer(losses=LOSSES)
    train(trainer, Run(tmp_path), tokenizer, {}, [])
    assert trainer.step == 12
    assert not any(name.startswith("best.") for name in trainer.state()[0])
    for name, weight in unique_weights(load_checkpoint(tmp_path).model).items():
        assert torch.equal(weight, trainer.average.weights[name])
    assert ending(trainer).endswith(
        "after update 8: 1.000 nats a token. The model is that of the last update, 12."
    )


@pytest.mark.parametrize("stop", [4, 5, 7])
def test_the_best_model_is_kept_across_a_stop(
    make_trainer: MakeTrainer,
    tokenizer: Tokenizer,
    tmp_path: Path,
    stop_after: Callable[..., Reporter],
    stop: int,
) -> None:
    values = {"losses": [3.0, 2.0, 2.5, 2.4, 9.9, 9.9], "patience": 2}
    train(make_trainer(**values), Run(tmp_path / "whole"), tokenizer, {}, [])
    run = Run(tmp_path / "broken")
    with pytest.raises(Stopped):
        train(make_trainer(**values), run, tokenizer, {}, [stop_after(stop)])
    assert not run.is_finished
    again = make_trainer(**values)
    run.restore(again)
    train(again, run, tokenizer, {}, [])
    for name in (STATE, "model.safetensors"):
        expected, facts = load_tensors(tmp_path / "whole" / name)
        found, found_facts = load_tensors(run.folder / name)
        assert found.keys() == expected.keys()
        assert all(torch.equal(tensor, expected[key]) for key, tensor in found.items())
        assert found_facts["best"] == facts["best"] == {"step": 4, "dev_loss": 2.0, "misses": 2}


def test_a_state_from_before_there_was_a_held_out_loss_is_read(
    make_trainer: MakeTrainer,
) -> None:
    tensors, facts = make_trainer(looks=False).state()
    del facts["best"], facts["finished"], facts["settings"]["patience"]
    trainer = make_trainer()
    trainer.restore(tensors, facts)
    assert trainer.best.to_dict() is None


def test_patience_without_sentences_is_refused(make_trainer: MakeTrainer) -> None:
    with pytest.raises(ValueError, match="patience=3 needs held-out sentences"):
        make_trainer(looks=False, patience=3)


def test_a_loss_that_is_no_number_is_no_better() -> None:
    best = Best()
    for step, loss in enumerate(LOSSES, start=1):
        best.see(step, loss, {})
    assert best.to_dict() == {"step": 4, "dev_loss": 1.0, "misses": 2}
