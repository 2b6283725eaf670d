"""An update does what it says, learns, and can be taken up again to the bit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from companion.objectives import label_smoothed_cross_entropy
from companion.transformer import Transformer
from companion.translator.batching import BatchStream, encode_pairs
from companion.translator.checkpoint import load_tensors, save_tensors, unique_weights
from companion.translator.schedule import adamw
from companion.translator.settings import TrainingSettings
from companion.translator.tokenizer import Tokenizer
from companion.translator.training import DivergedError, Trainer, WeightAverage

MakeModel = Callable[..., Transformer]
MakeTrainer = Callable[..., Trainer]


@pytest.fixture
def make_trainer(
    make_model: MakeModel, tokenizer: Tokenizer, pairs: list[tuple[str, str]]
) -> MakeTrainer:
    def make(*, seed: int = 0, **values: Any) -> Trainer:
        settings = TrainingSettings(
            **{"steps": 12, "max_tokens": 40, "warmup": 2, "average": 0.9, "seed": seed, **values}
        )
        batches = BatchStream(
            encode_pairs(tokenizer, pairs), max_tokens=settings.max_tokens, seed=seed
        )
        return Trainer(make_model(seed), batches, settings)

    return make


def weights_of(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: w.clone() for name, w in unique_weights(trainer.model).items()}


def test_it_learns_its_six_sentences(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(learning_rate=1e-2, schedule="constant", label_smoothing=0.0)
    losses = [trainer.update().loss for _ in range(100)]
    assert losses[0] > 4.0
    assert sum(losses[-5:]) / 5 < 0.5


def test_an_update_is_the_plain_loop_to_the_bit(
    make_trainer: MakeTrainer, make_model: MakeModel, tokenizer: Tokenizer, pairs: Any
) -> None:
    """Several processes, compiling and held-out losses cost one process on a CPU not one bit."""
    values = {"accumulate": 2, "schedule": "constant", "warmup": 1, "weight_decay": 0.1}
    trainer = make_trainer(**values)
    losses = [trainer.update().loss for _ in range(6)]

    model = make_model(0).train()
    average = {name: weight.clone() for name, weight in unique_weights(model).items()}
    batches = BatchStream(encode_pairs(tokenizer, pairs), max_tokens=40)
    optimizer = adamw(model, trainer.settings)
    for step, loss in enumerate(losses, start=1):
        parts = [next(batches) for _ in range(2)]
        count = sum(int((part.labels != tokenizer.pad_id).sum()) for part in parts)
        optimizer.zero_grad()
        total = torch.zeros(())
        for part in parts:
            logits = model(part.source, part.decoder_input)
            part_loss = label_smoothed_cross_entropy(
                *(logits, part.labels),
                ignore_index=tokenizer.pad_id,
                smoothing=0.1,
                reduction="sum",
            )
            (part_loss / count).backward()
            total += part_loss.detach() / count
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        for name, weight in average.items():
            weight.lerp_(unique_weights(model)[name], 1 - min(0.9, (1 + step) / (10 + step)))
        assert total.item() == loss
    for name, weight in unique_weights(model).items():
        assert torch.equal(weight, weights_of(trainer)[name]), name
        assert torch.equal(average[name], trainer.weights()[name]), name


def test_dropout_is_on_while_training(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer()
    trainer.model.eval()
    trainer.update()
    assert trainer.model.training


@pytest.mark.parametrize(
    ("stop", "consistency"), [(0, 0.0), (1, 0.0), (5, 0.0), (11, 0.0), (5, 2.0)]
)
def test_stored_and_restored_it_reaches_the_same_bits(
    make_trainer: MakeTrainer, tmp_path: Path, stop: int, consistency: float
) -> None:
    whole = make_trainer(consistency=consistency)
    for _ in range(12):
        whole.update()

    first = make_trainer(consistency=consistency)
    for _ in range(stop):
        first.update()
    tensors, facts = first.state()
    save_tensors(tmp_path / "state.safetensors", tensors, facts)
    first.update()  # what happens after the checkpoint is lost with the process
    torch.rand(17)  # a new process has another random state

    second = make_trainer(consistency=consistency)
    second.restore(*load_tensors(tmp_path / "state.safetensors"))
    assert second.step == stop
    for _ in range(12 - stop):
        second.update()
    for name, weight in weights_of(whole).items():
        assert torch.equal(weight, weights_of(second)[name]), name
    for name, weight in whole.weights().items():
        assert torch.equal(weight, second.weights()[name]), name
    assert second.tokens == whole.tokens


def test_another_seed_gives_other_weights(make_trainer: MakeTrainer) -> None:
    # Guards the test above: bits that cannot differ would prove nothing.
    one, other = make_trainer(), make_trainer()
    torch.manual_seed(1)
    for trainer in (one, other):
        trainer.update()
    assert any(
        not torch.equal(weight, weights_of(other)[name]) for name, weight in weights_of(one).items()
    )


def test_parts_of_a_batch_add_up_to_the_whole(make_trainer: MakeTrainer) -> None:
    """Accumulated gradients equal one large batch, although the parts hold unequal tokens."""
    gradients = []
    for settings in ({"max_tokens": 200}, {"max_tokens": 14, "accumulate": 6}):
        trainer = make_trainer(clip_norm=1e9, average=0.0, **settings)
        assert trainer.batches.batches_per_epoch == settings.get("accumulate", 1)
        trainer.model.double()
        for module in trainer.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        trainer.update()
        gradients.append([p.grad for p in trainer.model.parameters()])
    for whole, parts in zip(*gradients, strict=True):
        torch.testing.assert_close(whole, parts, rtol=1e-9, atol=1e-12)


def test_r_drop_reads_every_sentence_twice_and_draws_the_two_together(
    make_trainer: MakeTrainer, pairs: list[tuple[str, str]]
) -> None:
    """Its loss, from the logits of both passes: mean cross-entropy, and half of either KL."""
    trainer = make_trainer(consistency=3.0, max_tokens=200)
    seen = []
    forward = trainer._forward
    trainer._forward = lambda *tokens: seen.append((tokens, forward(*tokens))) or seen[-1][1]
    loss = trainer.update().loss
    [((source, _), logits)] = seen
    first, second = (part.double().log_softmax(-1) for part in logits.detach().chunk(2))
    assert len(first) == len(pairs)
    assert torch.equal(*source.chunk(2))
    assert not torch.equal(first, second)  # dropout draws anew for each
    labels = next(BatchStream(trainer.batches.examples, max_tokens=200)).labels
    real = labels != 0
    cross_entropies = [
        F.cross_entropy(part[real], labels[real], label_smoothing=0.1) for part in (first, second)
    ]
    apart = [
        F.kl_div(b[real], a[real], log_target=True, reduction="batchmean")
        for a, b in ((first, second), (second, first))
    ]
    expected = (sum(cross_entropies) + 3.0 * sum(apart) / 2) / 2
    assert loss == pytest.approx(float(expected), rel=1e-5)
    assert float(sum(apart)) > 0.01


def test_r_drop_of_a_model_without_dropout_is_the_plain_update(make_trainer: MakeTrainer) -> None:
    found = []
    for consistency in (0.0, 5.0):
        trainer = make_trainer(consistency=consistency, average=0.0)
        trainer.model.double()
        for module in trainer.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        report = trainer.update()
        found.append((report.loss, report.tokens, [p.grad for p in trainer.model.parameters()]))
    plain, twice = found
    assert plain[:2] == (pytest.approx(twice[0], rel=1e-9), twice[1])
    for one, other in zip(plain[2], twice[2], strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


def test_the_learning_rate_follows_the_schedule(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(learning_rate=0.5, warmup=4, schedule="constant")
    assert [trainer.update().learning_rate for _ in range(5)] == [0.125, 0.25, 0.375, 0.5, 0.5]
    assert all(group["lr"] == 0.5 for group in trainer.optimizer.param_groups)


def test_long_gradients_are_clipped(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(clip_norm=1e-3)
    report = trainer.update()
    assert report.gradient_norm > 1e-3
    length = torch.stack([p.grad.norm() for p in trainer.model.parameters()]).norm()
    torch.testing.assert_close(length.item(), 1e-3, rtol=1e-3, atol=0)


def test_a_report_counts_real_tokens(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, pairs: list[tuple[str, str]]
) -> None:
    examples = encode_pairs(tokenizer, pairs)
    report = make_trainer(max_tokens=300).update()
    assert report.step == 1
    assert report.tokens == sum(example.cost for example in examples)


def test_a_loss_that_is_no_number_changes_no_weight(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer()
    trainer.update()
    with torch.no_grad():
        trainer.model.encoder.layers[0].feed_forward.up_proj.weight[0, 0] = float("inf")
    before = weights_of(trainer)
    with pytest.raises(DivergedError, match="at update 2"):
        trainer.update()
    assert trainer.step == 1
    for name, weight in weights_of(trainer).items():
        assert torch.equal(weight, before[name])


def test_the_average_follows_its_formula(make_model: MakeModel) -> None:
    model = make_model()
    average = WeightAverage(model, 0.5)
    name, start = next((n, w.clone()) for n, w in unique_weights(model).items())
    with torch.no_grad():
        unique_weights(model)[name].add_(1.0)
    average.update(model)
    torch.testing.assert_close(average.weights[name], start + (1 - 2 / 11))
    for _ in range(200):
        average.update(model)
    torch.testing.assert_close(average.weights[name], start + 1.0)


def test_without_average_the_last_weights_are_used(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(average=0.0)
    trainer.update()
    for name, weight in trainer.weights().items():
        assert torch.equal(weight, weights_of(trainer)[name])


def test_state_of_another_training_is_refused(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    save_tensors(tmp_path / "s", *make_trainer().state())
    stored = load_tensors(tmp_path / "s")
    with pytest.raises(ValueError, match="other training settings"):
        make_trainer(learning_rate=0.3).restore(*stored)
    tensors, facts = stored
    del tensors[next(name for name in tensors if name.startswith("model."))]
    with pytest.raises(ValueError, match="another model"):
        make_trainer().restore(tensors, facts)


def test_compiling_keeps_the_names_of_weights(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def compiled(model: Transformer, **options: Any) -> Callable[..., torch.Tensor]:
        def forward(*arguments: torch.Tensor) -> torch.Tensor:
            calls.append(options)
            return model(*arguments)

        return forward

    monkeypatch.setattr(torch, "compile", compiled)
    plain = make_trainer()
    trainer = Trainer(plain.model, plain.batches, plain.settings, compiled=True)
    trainer.update()
    assert calls == [{"dynamic": True}]
    assert not any("_orig_mod" in name for name in trainer.state()[0])
