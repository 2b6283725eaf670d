"""Quiet Hugging Face: its progress bars and notes are not what is tested."""

from collections.abc import Iterator

import pytest
from transformers.utils import logging


@pytest.fixture(autouse=True)
def _quiet_hugging_face(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    level = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    yield
    logging.set_verbosity(level)


@pytest.fixture
def case(request: pytest.FixtureRequest) -> str:
    """The name of the configuration under test."""
    return str(request.node.callspec.params["config"])
