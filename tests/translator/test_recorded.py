"""What was measured at export stands beside what is measured now, but only on the same test."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.translator.recorded import (
    SCORES,
    RecordError,
    read_record,
    with_recorded,
    write_record,
)
from companion.translator.scoring import MODEL, Scores

Make = Callable[..., Scores]


def test_a_record_reads_back_as_it_was_written(tmp_path: Path, make: Make) -> None:
    assert read_record(tmp_path) == {}
    tests = {"tatoeba": make(this_model=3, peer=2), "hsk": make("y", this_model=1)}
    write_record(tmp_path, tests, {"device": "cpu"}, alignment=[])
    assert read_record(tmp_path) == tests
    content = json.loads((tmp_path / SCORES).read_text(encoding="utf-8"))
    assert content["machine"] == {"device": "cpu"}
    assert content["alignment"] == []


@pytest.mark.parametrize(
    "content", ["{", "[]", "{}", '{"format": 2, "tests": {}}', '{"format": 1, "tests": {"x": {}}}']
)
def test_a_damaged_record_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / SCORES).write_text(content, encoding="utf-8")
    with pytest.raises(RecordError, match=r"scores\.json is damaged or of another kind"):
        read_record(tmp_path)


def test_absent_systems_come_from_the_record_and_say_so(make: Make) -> None:
    now, recorded = make(this_model=5, memory=1), make(this_model=3, memory=2, peer=4)
    both = with_recorded(now, recorded)
    assert list(both.ordinary) == [MODEL, "memory", "peer"]
    assert both.ordinary["memory"] == now.ordinary["memory"]
    assert both.ordinary[MODEL] == now.ordinary[MODEL]
    assert both.ordinary["peer"] == recorded.ordinary["peer"]
    assert both.hard["peer"] == recorded.hard["peer"]
    assert both.compounds["peer"] == recorded.compounds["peer"]
    assert [about.recorded for about in both.systems.values()] == [False, False, True]
    # The model itself is never taken from a record.
    assert MODEL not in with_recorded(make(memory=1), recorded).ordinary


def test_another_test_set_is_not_mixed_in(make: Make) -> None:
    now = make("x", this_model=5)
    assert with_recorded(now, make("y", peer=4)) == now
    assert with_recorded(now, None) == now
