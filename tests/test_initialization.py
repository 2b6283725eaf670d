import math

import pytest
import torch

from companion.config import AttentionSpec, FeedForwardSpec, TransformerConfig
from companion.initialization import SCHEMES, initialize
from companion.transformer import Transformer


def model(scheme: str) -> Transformer:
    config = TransformerConfig(
        source_vocab_size=500,
        target_vocab_size=500,
        d_model=64,
        n_encoder_layers=2,
        n_decoder_layers=2,
        attention=AttentionSpec(n_heads=4),
        feed_forward=FeedForwardSpec(d_ff=256),
        initialization=scheme,
    )
    return Transformer(config)


def test_xavier_has_the_variance_of_its_fans() -> None:
    layer = model("xavier").encoder.layers[0]
    for linear, fans in ((layer.self_attention.q_proj, 128), (layer.feed_forward.up_proj, 320)):
        assert linear.weight.var().item() == pytest.approx(2 / fans, rel=0.1)
        assert linear.weight.abs().max().item() <= math.sqrt(6 / fans)


def test_gpt2_shrinks_what_is_added_to_the_residual_stream() -> None:
    built = model("gpt2")
    # 2 encoder layers with 2 sub-layers, 2 decoder layers with 3: ten projections into the stream.
    for layer in (*built.encoder.layers, *built.decoder.layers):
        for name, linear in layer.named_modules():
            if isinstance(linear, torch.nn.Linear):
                shrunk = name.endswith(("out_proj", "down_proj"))
                std = 0.02 / math.sqrt(10) if shrunk else 0.02
                assert linear.weight.std().item() == pytest.approx(std, rel=0.1), name


def test_bert_is_cut_at_two_standard_deviations() -> None:
    built = model("bert")
    for weight in (
        built.encoder.layers[0].feed_forward.up_proj.weight,
        built.encoder.embedding.tokens.weight,
    ):
        assert 0.039 < weight.abs().max().item() <= 0.04
        assert weight.std().item() == pytest.approx(0.0176, rel=0.05)  # 0.02 after the cut


@pytest.mark.parametrize("scheme", SCHEMES)
def test_biases_start_at_zero_and_norms_at_identity(scheme: str) -> None:
    for name, parameter in model(scheme).named_parameters():
        if name.endswith("bias"):
            assert torch.count_nonzero(parameter) == 0, name
        elif "norm" in name:
            assert torch.equal(parameter, torch.ones_like(parameter)), name
        else:
            assert parameter.std() > 0, name


def test_equal_layers_do_not_start_equal() -> None:
    """Copying one initialised layer N times gives N identical layers (a bug others shipped)."""
    first, second = model("xavier").encoder.layers
    for (name, a), (_, b) in zip(first.named_parameters(), second.named_parameters(), strict=True):
        if a.dim() > 1:
            assert not torch.equal(a, b), name


def test_the_same_seed_gives_the_same_model() -> None:
    torch.manual_seed(3)
    first = model("xavier").state_dict()
    torch.manual_seed(3)
    assert all(torch.equal(first[k], v) for k, v in model("xavier").state_dict().items())


def test_an_unknown_scheme_is_named() -> None:
    with pytest.raises(ValueError, match="'xavier', 'gpt2', 'bert', got 'kaiming'"):
        initialize(torch.nn.Linear(2, 2), "kaiming")
