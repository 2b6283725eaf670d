"""Checks of a write-the-test exercise: one for each implementation that the test is tried on.

The implementations stand in the exercise's ``driver.py``, which runs the learner's test on all of
them (``isolated.testing.run_test``); here are their names and what must come out.
"""

from collections.abc import Iterator, Sequence

from exercises.engine.case import Case, Draw
from exercises.engine.exercise import Exercise, Stage
from exercises.engine.isolated.testing import ACCEPTED
from exercises.engine.judges import Broken, Trial
from exercises.engine.text import say


def tried_on(exercise: Exercise, part: str, *, right: Sequence[str], wrong: Sequence[str]) -> None:
    """Declare checks ``accepts_<name>`` and ``catches_<name>``, in that order.

    All share one case, so a known wrong test is named only if it lets through and refuses exactly
    the same implementations.
    """
    case = Case(part, {"right": list(right), "wrong": list(wrong)}, via="on_all")

    def declare(name: str, stage: Stage) -> None:
        def build(_: Draw) -> Iterator[Case]:
            (trial,) = yield case  # type: ignore[misc]
            _judge(trial, name, right, wrong)

        build.__name__ = f"{'accepts' if name in right else 'catches'}_{name}"
        exercise.check(stage, part=part)(build)

    for name in right:
        declare(name, Stage.ISOLATED)
    for name in wrong:
        declare(name, Stage.PROPERTIES)


def _judge(trial: Trial, name: str, right: Sequence[str], wrong: Sequence[str]) -> None:
    codes, remarks = trial.outcome.value
    verdicts = dict(zip((*right, *wrong), (codes == ACCEPTED).tolist(), strict=True))
    score = say(
        "test_score",
        caught=sum(not verdicts[key] for key in wrong),
        wrong=len(wrong),
        accepted=sum(verdicts[key] for key in right),
        right=len(right),
    )
    if verdicts[name] is (name in right):
        return
    reason = dict(zip(verdicts, remarks.lines, strict=True))[name]
    raise Broken([say("refused", reason=reason) if name in right else say("survived"), score])
