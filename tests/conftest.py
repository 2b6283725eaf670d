"""Shared fixtures. Every test starts from the same random numbers."""

import os
from collections.abc import Iterator

import hypothesis
import jaxtyping
import pytest
import torch

from companion.config import AttentionSpec, FeedForwardSpec, NormSpec, TransformerConfig
from companion.transformer import Transformer

# No test fails for being slow: machines are shared. CI draws the same examples every time.
hypothesis.settings.register_profile("course", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "course")


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)


@pytest.fixture(params=["pre", "post"])
def norm_position(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def tiny_config(norm_position: str) -> TransformerConfig:
    """Every size differs from every other, so that no two axes can be confused."""
    return TransformerConfig(
        source_vocab_size=19,
        target_vocab_size=19,
        d_model=12,
        n_encoder_layers=2,
        n_decoder_layers=3,
        attention=AttentionSpec(n_heads=3),
        feed_forward=FeedForwardSpec(d_ff=20),
        norm=NormSpec(position=norm_position),
        dropout=0.0,
    )


@pytest.fixture
def tiny_model(tiny_config: TransformerConfig) -> Transformer:
    """Float64, eval mode, every parameter (norms and biases too) away from where it started."""
    model = Transformer(tiny_config).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.fixture
def as_a_user() -> Iterator[None]:
    """Turn the shape checks off: bad input then meets the errors that users see."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
