"""One corpus for all tests of the grammar, and a way to generate in another interpreter.

The test run checks the type of every argument of every call, which makes generating a large corpus
slow; a fresh interpreter does it in seconds and also shows that nothing hangs on this one's state.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from companion.translator.grammar import Corpus, Pair

SCRIPT = """
import dataclasses, json, sys
from companion.translator.grammar import generate_corpus
corpus = generate_corpus(**json.loads(sys.argv[1]))
print(json.dumps(dataclasses.asdict(corpus)))
"""


def generate_elsewhere(hash_seed: str = "random", **sizes: int) -> Corpus:
    """`generate_corpus(**sizes)` of a fresh interpreter."""
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", SCRIPT, json.dumps(sizes)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    data = json.loads(result.stdout)
    return Corpus(
        train=_pairs(data["train"]),
        dev=_pairs(data["dev"]),
        test=_pairs(data["test"]),
        cases={name: _pairs(rows) for name, rows in data["cases"].items()},
        seed=data["seed"],
    )


def _pairs(rows: list[dict[str, Any]]) -> list[Pair]:
    return [Pair(**{name: _tupled(value) for name, value in row.items()}) for row in rows]


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


@pytest.fixture(scope="session")
def generate() -> Callable[..., Corpus]:
    return generate_elsewhere


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return generate_elsewhere(
        seed=0, train_size=24_000, dev_size=500, test_size=1_000, case_size=120
    )


@pytest.fixture(scope="session")
def everything(corpus: Corpus) -> list[Pair]:
    """Every distinct pair of every split."""
    held = [pair for pairs in corpus.cases.values() for pair in pairs]
    return list({p.source: p for p in [*corpus.train, *corpus.dev, *corpus.test, *held]}.values())
