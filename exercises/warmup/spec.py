"""The warm-up schedule: the reference, case by case, and what must hold."""

import math

from exercises.engine.case import Case
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.judges import Trial, expect, numbers

RATE = "learning_rate"
exercise = Exercise(__file__, order=220, minutes=10, parts=(RATE,))


@exercise.oracle(RATE, axes="")
def reference(step, d_model, warmup):
    """Vaswani et al. (2017), equation 3, as a slope and a curve that meet at the peak."""
    number = step + 1
    if warmup < 2:
        return 1 / math.sqrt(d_model * number)
    peak = 1 / math.sqrt(d_model * warmup)
    return peak * number / warmup if number <= warmup else peak * math.sqrt(warmup / number)


def rate(step: int, d_model: int = 4, warmup: int = 4, label: str = "") -> Case:
    """A call. float64, so that rates of 1e-7 are compared exactly enough."""
    arguments = {"step": step, "d_model": d_model, "warmup": warmup}
    return Case(RATE, arguments, label, dtype="float64")


def value(trial: Trial) -> float:
    """The returned number."""
    array = numbers(trial)
    expect(array.size == 1, f"Expected one number, got {array.size}.", trial)
    return float(array.reshape(()))


@exercise.check(Stage.CONTRACT)
def returns_a_positive_number(draw):
    (trial,) = yield [rate(2)]
    got = value(trial)
    kind = type(trial.outcome.value).__name__
    expect(kind in ("float", "Tensor"), f"The rate is of type {kind}; it must be a float.", trial)
    expect(got > 0, f"The rate is {got:.4g}; it must be positive.", trial)


@exercise.check(Stage.ISOLATED)
def the_highest_rate(draw):
    return [
        rate(0, 1, 1, "d_model = 1, warmup = 1, first update: the rate is 1"),
        rate(3, 1, 4, "d_model = 1, the 4th of 4 warm-up updates: 1/√4"),
    ]


@exercise.check(Stage.ISOLATED)
def while_it_rises(draw):
    return [rate(1, 1, 4, "d_model = 1, the 2nd of 4 warm-up updates: half of the highest rate")]


@exercise.check(Stage.ISOLATED)
def while_it_falls(draw):
    return [rate(15, 1, 4, "d_model = 1, the 16th update: 1/√16")]


@exercise.check(Stage.ISOLATED)
def the_width_of_the_model(draw):
    return [rate(3, 16, 4, "d_model = 16: a quarter of the rate with d_model = 1")]


@exercise.check(Stage.ORACLE)
def equals_the_formula(draw):
    steps = [int(draw.integers(1, 8)), 8, 9, 10, int(draw.integers(20, 400))]
    (d_model,) = draw.dims("d_model")
    paper = [rate(n, 512, 4000, "the paper's sizes") for n in (100, 3999, 100_000)]
    return [*(rate(step, d_model, 10) for step in steps), *paper]


@exercise.check(Stage.PROPERTIES)
def it_rises_in_a_straight_line(draw):
    trials = yield [rate(step, 8, 20) for step in (4, 9, 14)]
    low, middle, high = map(value, trials)
    fact = f"Updates 5, 10 and 15 of 20 have the rates {low:.4g}, {middle:.4g} and {high:.4g}."
    expect(math.isclose(high - middle, middle - low, rel_tol=1e-4), fact, trials[1])


@exercise.check(Stage.PROPERTIES)
def four_times_as_many_updates_halve_it(draw):
    trials = yield [rate(step, 8, 20) for step in (99, 399)]
    early, late = map(value, trials)
    fact = f"Update 100 has the rate {early:.4g}, update 400 has {late:.4g}; it must be half."
    expect(math.isclose(early, 2 * late, rel_tol=1e-4), fact, trials[1])


@exercise.check(Stage.PROPERTIES)
def the_peak_is_at_the_end_of_the_warm_up(draw):
    trials = yield [rate(step, 8, 6) for step in range(20)]
    rates = [value(trial) for trial in trials]
    best = rates.index(max(rates)) + 1
    fact = f"The highest of the rates is that of update {best}; it must be that of update 6."
    expect(best == 6 and rates.count(max(rates)) == 1, fact, trials[5])


@exercise.check(Stage.EDGES)
def the_first_update(draw):
    return [rate(0, label="step 0, the first update"), rate(0, 512, 4000, "step 0")]


@exercise.check(Stage.EDGES)
def no_warm_up(draw):
    return [
        rate(0, 4, 0, "warmup = 0, the first update"),
        rate(8, 4, 0, "warmup = 0, the 9th update"),
        rate(8, 4, 1, "warmup = 1, the 9th update"),
    ]
