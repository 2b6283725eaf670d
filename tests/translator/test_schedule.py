"""The learning rate is defined at every step, and only matrices decay."""

import math
from typing import Any

import pytest
import torch
from torch import nn

from companion.translator.schedule import adamw, learning_rate
from companion.translator.settings import TrainingSettings


def settings(**values: Any) -> TrainingSettings:
    return TrainingSettings(**{"steps": 100, "max_tokens": 10, "learning_rate": 0.5, **values})


@pytest.mark.parametrize("schedule", ["inverse_sqrt", "cosine", "constant"])
@pytest.mark.parametrize("warmup", [0, 1, 10, 100, 1000])
def test_rates_are_positive_and_never_above_the_peak(schedule: str, warmup: int) -> None:
    rates = [learning_rate(s, settings(schedule=schedule, warmup=warmup)) for s in range(100)]
    assert all(0 < rate <= 0.5 for rate in rates)
    rising = rates[: max(warmup, 1)]
    assert rising == sorted(rising)
    falling = rates[max(warmup, 1) - 1 :]
    assert falling == sorted(falling, reverse=True)
    if warmup <= 100:
        assert max(rates) == 0.5


def test_step_0_and_short_warmups() -> None:
    assert learning_rate(0, settings(warmup=0)) == 0.5
    assert learning_rate(0, settings(warmup=1)) == 0.5
    assert learning_rate(0, settings(warmup=4)) == 0.125
    assert learning_rate(3, settings(warmup=4)) == 0.5
    with pytest.raises(ValueError, match="counted from 0, got -1"):
        learning_rate(-1, settings())


def test_inverse_square_root_is_equation_3() -> None:
    d_model, warmup = 512, 40
    ours = settings(warmup=warmup, learning_rate=(d_model * warmup) ** -0.5)
    for step in (0, 10, 39, 40, 99, 5000):
        number = step + 1  # the paper counts from 1
        paper = d_model**-0.5 * min(number**-0.5, number * warmup**-1.5)
        assert learning_rate(step, ours) == pytest.approx(paper, rel=1e-12)


def test_cosine_is_half_way_in_the_middle_and_ends_near_zero() -> None:
    ours = settings(schedule="cosine", warmup=0, steps=101)
    assert learning_rate(0, ours) == 0.5
    assert learning_rate(50, ours) == pytest.approx(0.5 * 0.5 * (1 + math.cos(math.pi * 50 / 101)))
    assert 0 < learning_rate(100, ours) < 0.001
    assert learning_rate(10_000, ours) == pytest.approx(0.0, abs=1e-12)


def test_only_matrices_decay() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4))
    model[1].bias.requires_grad_(False)
    optimizer = adamw(model, settings(weight_decay=0.1))
    decay = {id(p): g["weight_decay"] for g in optimizer.param_groups for p in g["params"]}
    assert decay[id(model[0].weight)] == 0.1
    assert decay[id(model[0].bias)] == decay[id(model[1].weight)] == 0.0
    assert id(model[1].bias) not in decay


def test_no_gradient_still_decays_towards_zero() -> None:
    model = nn.Linear(2, 2)
    before = model.weight.detach().clone()
    optimizer = adamw(model, settings(weight_decay=0.1, warmup=0))
    model.weight.grad, model.bias.grad = torch.zeros(2, 2), torch.zeros(2)
    optimizer.step()
    torch.testing.assert_close(model.weight.detach(), before * (1 - 0.5 * 0.1))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", 0),
        ("max_tokens", 0),
        ("accumulate", 0),
        ("checkpoint_every", 0),
        ("learning_rate", 0.0),
        ("clip_norm", 0.0),
        ("weight_decay", -1.0),
        ("warmup", -1),
        ("label_smoothing", 1.0),
        ("average", 1.0),
        ("betas", (0.9, 1.0)),
        ("schedule", "noam"),
    ],
)
def test_settings_out_of_range_are_named(name: str, value: Any) -> None:
    # The run-time type checker of the tests refuses some of these before our own check does.
    with pytest.raises(Exception, match=name):
        settings(**{name: value})


def test_settings_survive_json() -> None:
    import json

    ours = settings(betas=(0.8, 0.9))
    assert TrainingSettings.from_dict(json.loads(json.dumps(ours.to_dict()))) == ours
    with pytest.raises(ValueError, match="unknown training settings: lr"):
        TrainingSettings.from_dict({"lr": 1})
