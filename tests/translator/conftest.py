"""A tiny corpus, tokenizer and model that the translator's tests share."""

from collections.abc import Callable

import pytest
import torch

from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig, tiny_translator
from companion.positions import Sinusoidal
from companion.transformer import Transformer
from companion.translator.tokenizer import Tokenizer

PAIRS = [
    ("好久不见", "long time no see"),
    ("我看书", "I read a book"),
    ("他看书", "he reads a book"),
    ("我不看书", "I don't read a book"),
    ("他不看书", "he doesn't read a book"),
    ("你好", "hello"),
]


@pytest.fixture(scope="session")
def pairs() -> list[tuple[str, str]]:
    return list(PAIRS)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train([text for pair in PAIRS * 3 for text in pair], vocab_size=400)


@pytest.fixture(scope="session")
def config(tokenizer: Tokenizer) -> TransformerConfig:
    return tiny_translator(
        tokenizer.vocab_size,
        d_model=16,
        n_encoder_layers=1,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=2),
        feed_forward=FeedForwardSpec(d_ff=24),
        position=Sinusoidal(max_seq_len=40),
        dropout=0.1,
    )


@pytest.fixture
def make_model(config: TransformerConfig) -> Callable[[int], Transformer]:
    def make(seed: int = 0) -> Transformer:
        torch.manual_seed(seed)
        return Transformer(config)

    return make
