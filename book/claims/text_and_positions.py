"""Claims about embeddings and positions."""

import numpy as np
import torch
from course import experiments
from torch import Tensor

from claims.claim import Values, claim
from companion.positions import sinusoidal_encoding


def _rms(x: Tensor) -> float:
    return x.square().mean().sqrt().item()


@claim(
    "Embeddings begin as `0.01 * randn(V, d) * sqrt(d)`",
    verdict="Too small",
    holds=r"""
    At $d = 512$ such a word has an RMS of <word:.2f> beside sinusoids of <position:.2f>, and
    makes up about a tenth of the energy of the sum: position drowns the word. Rows of standard
    deviation $1/\sqrt d$ come out at 1. (Adam repairs it within some dozen steps, because the
    factor $\sqrt d$ also multiplies how far a row moves; without the factor it does not.)
    """,
    shown="computed; the chapters train it",
    where="{ref}`The table, and why √d <embedding-scale>`, {ref}`embedding-and-position`",
)
def small_embeddings() -> Values:
    d = 512
    table = torch.randn(1000, d, generator=torch.Generator().manual_seed(0))
    word, position = _rms(0.01 * table * d**0.5), _rms(sinusoidal_encoding(torch.arange(100), d))
    assert 0.08 < word**2 / (word**2 + position**2) < 0.12
    assert abs(_rms(table * d**-0.5 * d**0.5) - 1) < 0.01
    return {"word": word, "position": position}


@claim(
    "In the sinusoids for $d = 8$, columns three and four read 0.01, 0.02, 0.03 and 1.00",
    verdict="Wrong column",
    holds=r"""
    The second pair turns by 0.1 a position. Its sines at positions 1 to 3 are <sin_1:.3f>,
    <sin_2:.3f> and <sin_3:.3f>, its cosines <cos_1:.3f>, <cos_2:.3f> and <cos_3:.3f>. What is
    usually printed there belongs to the third pair.
    """,
    shown="computed",
    where="{ref}`sinusoids`",
)
def sinusoid_table() -> Values:
    table = sinusoidal_encoding(torch.arange(4), 8).numpy()
    assert np.allclose(table[1:, 4], [0.01, 0.02, 0.03], atol=5e-4)
    assert np.allclose(table[1:, 5], 1.0, atol=5e-4)
    values: Values = {f"sin_{p}": float(table[p, 2]) for p in (1, 2, 3)}
    return values | {f"cos_{p}": float(table[p, 3]) for p in (1, 2, 3)}


@claim(
    "Sinusoids extrapolate to longer texts",
    verdict="They do not",
    holds=r"""
    The paper said that they *may*. In {cite:t}`press2022train` the loss rises past the trained
    length, and so it does here: trained on 64 words, the same words cost <sinusoidal:.2f> nats
    more at positions 449 to 512. RoPE, the best inside, loses more (<rope:.2f>); ALiBi does not
    notice (<alibi:+.2f>). A difference counted only if all three seeds agreed.
    """,
    shown="trained and measured: `book/experiments/extrapolation.py`, three seeds",
    where="{ref}`extrapolation`",
)
def extrapolation() -> Values:
    short = experiments.load("extrapolation")["results"]["trained short"]
    change = {name: np.array(runs)[:, -1] - np.array(runs)[:, 0] for name, runs in short.items()}
    inside = {name: np.array(runs)[:, 0] for name, runs in short.items()}
    assert (change["sinusoidal"] > 0.1).all()
    assert all((change["RoPE"] > other).all() for n, other in change.items() if n != "RoPE")
    assert all((inside["RoPE"] < other).all() for n, other in inside.items() if n != "RoPE")
    assert (abs(change["ALiBi"]) < 0.03).all()
    means = {name: float(values.mean()) for name, values in change.items()}
    return {"sinusoidal": means["sinusoidal"], "rope": means["RoPE"], "alibi": means["ALiBi"]}
