import dataclasses

import pytest
import reference
import torch
from torch import nn

from companion.config import TransformerConfig
from companion.layers import DecoderLayer, EncoderLayer
from companion.masks import causal_mask


def shaken(layer: nn.Module) -> nn.Module:
    """Norms and biases away from their neutral start, so that leaving one out is seen."""
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return layer.double()


def test_encoder_layer_equals_functionals(tiny_config: TransformerConfig) -> None:
    layer = shaken(EncoderLayer(tiny_config.encoder))
    x = torch.randn(2, 5, 12).double()
    mask = torch.rand(2, 1, 1, 5) > 0.3
    torch.testing.assert_close(
        layer(x, mask=mask),
        reference.encoder_layer(layer, x, mask.expand(2, 1, 5, 5)),
        rtol=1e-10,
        atol=1e-10,
    )


def test_decoder_layer_equals_functionals(tiny_config: TransformerConfig) -> None:
    layer = shaken(DecoderLayer(tiny_config.decoder))
    x, memory = torch.randn(2, 4, 12).double(), torch.randn(2, 5, 12).double()
    mask, memory_mask = causal_mask(4), torch.rand(2, 1, 1, 5) > 0.3
    torch.testing.assert_close(
        layer(x, memory, mask=mask, memory_mask=memory_mask),
        reference.decoder_layer(layer, x, memory, mask, memory_mask.expand(2, 1, 4, 5)),
        rtol=1e-10,
        atol=1e-10,
    )


def test_encoder_layer_equals_torchs_own(tiny_config: TransformerConfig) -> None:
    """nn.TransformerEncoderLayer with copied weights, in train mode: eval takes another path."""
    ours = shaken(EncoderLayer(tiny_config.encoder))
    theirs = nn.TransformerEncoderLayer(
        12,
        3,
        20,
        dropout=0.0,
        batch_first=True,
        norm_first=tiny_config.norm.position == "pre",
        dtype=torch.float64,
    )
    attention = ours.self_attention
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    theirs.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat([p.weight for p in projections]),
            "self_attn.in_proj_bias": torch.cat([p.bias for p in projections]),
            "self_attn.out_proj.weight": attention.out_proj.weight,
            "self_attn.out_proj.bias": attention.out_proj.bias,
            "linear1.weight": ours.feed_forward.up_proj.weight,
            "linear1.bias": ours.feed_forward.up_proj.bias,
            "linear2.weight": ours.feed_forward.down_proj.weight,
            "linear2.bias": ours.feed_forward.down_proj.bias,
            "norm1.weight": ours.residual_1.norm.weight,
            "norm1.bias": ours.residual_1.norm.bias,
            "norm2.weight": ours.residual_2.norm.weight,
            "norm2.bias": ours.residual_2.norm.bias,
        }
    )
    x = torch.randn(2, 5, 12).double()
    expected = theirs(x, src_mask=~causal_mask(5))
    torch.testing.assert_close(ours(x, mask=causal_mask(5)), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("norm_position", ["pre"], indirect=True)
def test_pre_norm_leaves_a_clean_path_for_the_residual(tiny_config: TransformerConfig) -> None:
    """With every sub-layer silenced, pre-norm is the identity."""
    layer = EncoderLayer(tiny_config.encoder)
    for linear in (layer.self_attention.out_proj, layer.feed_forward.down_proj):
        nn.init.zeros_(linear.weight)
        nn.init.zeros_(linear.bias)
    x = torch.randn(1, 4, 12)
    assert torch.equal(layer(x), x)


def test_dropout_in_training_only(tiny_config: TransformerConfig) -> None:
    layer = EncoderLayer(dataclasses.replace(tiny_config.encoder, dropout=0.5))
    x = torch.randn(1, 4, 12)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))
